import type { Config } from '../../src/config/load.ts';
import { requireBaseUrl, requireKeyPairs } from '../../src/config/required-keys.ts';
import type { BackfillOrder } from '../../src/confirm/backfill-order.ts';
import { cutShort, foundSomething } from '../../src/confirm/backfill-result.ts';
import { backfillOrderOf } from '../../src/confirm/settings.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { configFrom } from '../context/config.ts';
import { stopSignal } from '../context/stop-signal.ts';
import { COMMON_FILTERS } from '../options/filters.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { calendarOf, instantOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { answeredNo, differencesFound, note, printJson } from '../show/output.ts';
import { backfillJson, listProgress, printBackfill } from './backfill/text.ts';

/** `tallyhook backfill`: walks the service's list of refunds and makes records of those without a webhook. */
export function addBackfillCommand(cli: Cli): Cli {
  return cli.command(
    'backfill',
    SUMMARY.backfill,
    (command) =>
      command
        .options({
          environment: COMMON_FILTERS.environment,
          since: {
            ...COMMON_FILTERS.since,
            describe: 'Leave out older refunds without a record: ISO time with offset, date, or 2h, 7d ago',
          },
          'max-pages': limit('max-pages', 1_000_000, 'Most pages'),
          'max-rows': limit('max-rows', 10_000_000, 'Most rows'),
        })
        .option('dry-run', { type: 'boolean', default: false, describe: 'Walk, and write nothing' })
        .example('$0 backfill', 'The whole list; safe beside a running serve')
        .example('$0 backfill --dry-run --environment live', 'What would become records')
        .epilogue('Exit code 3: refunds are absent or rows could not be read; 1: a walk was cut short or failed.'),
    async (argv) => {
      const config = await configFrom(argv);
      requireBaseUrl(config);
      requireKeyPairs(config, argv.environment);
      const operations = await storeOf(config).operations();
      const stop = stopSignal(
        'the walk ends after the current page; the rows read so far are kept, and the next walk goes on there',
      );
      const progress = listProgress();
      try {
        const { checkParts } = await import('../../src/confirm/parts.ts');
        const { backfill } = await import('../../src/confirm/backfill.ts');
        const parts = await checkParts(config, operations, { clock: systemClock, ...stop, onWarning: note });
        const result = await backfill(orderOf(config, argv), parts, progress.show).finally(progress.end);
        if (argv.json) printJson(backfillJson(result));
        else printBackfill(result);
        if (cutShort(result)) answeredNo();
        else if (foundSomething(result)) differencesFound();
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

function limit(name: string, most: number, describe: string) {
  return wholeNumberOption(name, { least: 1, most, standard: undefined, describe });
}

interface BackfillArguments {
  readonly environment: Environment | undefined;
  readonly since: string | undefined;
  readonly maxPages: number | undefined;
  readonly maxRows: number | undefined;
  readonly dryRun: boolean;
}

function orderOf(config: Config, { environment, since, maxPages, maxRows, dryRun }: BackfillArguments): BackfillOrder {
  const usual = backfillOrderOf(config);
  return {
    ...usual,
    environments: environment === undefined ? usual.environments : [environment],
    sinceMs: since === undefined ? null : instantOf(since, 'since', calendarOf(config)),
    maxPages: maxPages ?? usual.maxPages,
    maxRows: maxRows ?? usual.maxRows,
    dryRun,
  };
}
