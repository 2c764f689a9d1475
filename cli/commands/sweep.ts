import type { Config } from '../../src/config/load.ts';
import { requireBaseUrl, requireKeyPairs } from '../../src/config/required-keys.ts';
import { sweepOrderOf } from '../../src/confirm/settings.ts';
import type { SweepOrder } from '../../src/confirm/sweep.ts';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { Checks } from '../../src/store/checks.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { configFrom } from '../context/config.ts';
import { stopSignal } from '../context/stop-signal.ts';
import { COMMON_FILTERS } from '../options/filters.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { calendarOf, instantOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { answeredNo, differencesFound, note, printJson } from '../show/output.ts';
import { progressBar } from '../show/progress.ts';
import { type Due, printDue, printSweep, resting } from './sweep/text.ts';

const KINDS: Readonly<Record<string, readonly RecordKind[]>> = {
  refunds: ['refund'],
  payouts: ['payout'],
  collections: ['collection'],
  all: RECORD_KINDS,
};
/** Rows that `--dry-run` prints without `--limit`. */
const DRY_RUN_ROWS = 100;

/** `tallyhook sweep`: checks the status of every due record, as the scheduled job does. */
export function addSweepCommand(cli: Cli): Cli {
  return cli.command(
    'sweep [kind]',
    SUMMARY.sweep,
    (command) =>
      command
        .positional('kind', { choices: Object.keys(KINDS), default: 'all', describe: 'Which records' })
        .options({
          environment: COMMON_FILTERS.environment,
          reference: { ...COMMON_FILTERS.reference, describe: 'Only this record, due or not' },
          since: {
            ...COMMON_FILTERS.since,
            describe: 'Only records changed since: ISO time with offset, date, or 2h, 7d ago',
          },
          limit: wholeNumberOption('limit', { least: 1, standard: undefined, describe: 'Most checks' }),
          concurrency: wholeNumberOption('concurrency', {
            least: 1,
            most: 256,
            standard: undefined,
            describe: 'Checks at a time',
          }),
        })
        .option('dry-run', { type: 'boolean', default: false, describe: 'List what is due; check nothing' })
        .example('$0 sweep', 'All due records; safe beside a running serve')
        .example('$0 sweep refunds --reference RFD_1', 'One refund now')
        .epilogue(
          'Exit code 3: a check failed, disagreed, or a record is stuck, overdue or due without a key; 1: cut short.',
        ),
    async (argv) => {
      const config = await configFrom(argv);
      const order = orderOf(config, argv);
      const operations = await storeOf(config).operations();
      const stop = stopSignal('the sweep ends after the open checks; the other records stay due');
      try {
        if (argv.dryRun) {
          return await printDue(await dueOf(operations.checks, order), argv);
        }
        requireBaseUrl(config);
        requireKeyPairs(config, argv.environment);
        const { checkParts } = await import('../../src/confirm/parts.ts');
        const { sweep } = await import('../../src/confirm/sweep.ts');
        const parts = await checkParts(config, operations, { clock: systemClock, ...stop, onWarning: note });
        const due = await operations.checks.countDue({ filter: order.filter });
        const progress = progressBar(Math.min(due, order.limit ?? due), 'checked');
        const result = await sweep(order, parts, (checked, restMs) => progress.step(checked, resting(restMs))).finally(
          progress.end,
        );
        if (argv.json) printJson(result);
        else printSweep(result);
        if (argv.reference !== undefined && result.checked === 0 && result.stopped === null) {
          note('tallyhook: nothing was checked: there is no such record, or no key of its environment,');
          note('or another process is checking it now. See: tallyhook why REFERENCE');
          answeredNo();
          return;
        }
        setExitCode(result);
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

interface SweepArguments {
  readonly kind: string;
  readonly environment: Environment | undefined;
  readonly reference: string | undefined;
  readonly since: string | undefined;
  readonly limit: number | undefined;
  readonly concurrency: number | undefined;
}

function orderOf(
  config: Config,
  { kind, environment, reference, since, limit, concurrency }: SweepArguments,
): SweepOrder {
  const usual = sweepOrderOf(config);
  return {
    ...usual,
    filter: {
      kinds: KINDS[kind] ?? RECORD_KINDS,
      environments: environment === undefined ? ENVIRONMENTS : [environment],
      ...(reference !== undefined && { reference }),
      ...(since !== undefined && { sinceMs: instantOf(since, 'since', calendarOf(config)) }),
    },
    limit: limit ?? null,
    concurrency: concurrency ?? usual.concurrency,
  };
}

async function dueOf(checks: Checks, { filter, limit }: SweepOrder): Promise<Due> {
  const records = await checks.listDue({ filter, limit: limit ?? DRY_RUN_ROWS });
  return { total: await checks.countDue({ filter }), records };
}

/** Sets 1 when the sweep was cut short, 3 when there is something to look at. */
function setExitCode({ stopped, disagreed, stuck, overdue, withoutKey, failed }: SweepResult): void {
  if (stopped !== null) answeredNo();
  else if (disagreed + stuck + overdue + withoutKey > 0 || Object.keys(failed).length > 0) differencesFound();
}
