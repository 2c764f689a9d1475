import type { FrozenDays } from '../../src/reconcile/closing/frozen-days.ts';
import { countUnresolved } from '../../src/reconcile/exceptions/progress.ts';
import { reconcileAskedDays } from '../../src/reconcile/keep/asked-days.ts';
import type { ReconcileOrder } from '../../src/reconcile/load/order.ts';
import { isOpenBeside } from '../../src/reconcile/reconcile.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withArchive } from '../context/archive.ts';
import { operationsOf } from '../context/operations.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { PERIOD_OPTIONS, WHAT } from '../options/period.ts';
import { PERSON_OPTIONS, starterOf } from '../options/person.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound, note } from '../show/output.ts';
import { withSink } from '../show/sink.ts';
import { reconcileOrder } from './reconcile/order.ts';
import { writeReconciliation } from './reconcile/write.ts';

const FORMATS = ['table', 'json', 'csv'] as const;

/**
 * `tallyhook reconcile`: holds webhooks, the service's word and statements against each other. Exit code 3 when there are
 * unresolved breaks, when something is left to confirm, or when a balance is not explained.
 */
export function addReconcileCommand(cli: Cli): Cli {
  return cli.command(
    'reconcile [what]',
    SUMMARY.reconcile,
    (command) =>
      command
        .positional('what', {
          type: 'string',
          default: 'all',
          describe: `Which records, or a leg of the rules: ${WHAT.join(', ')}, records-wallet …`,
        })
        .options(PERIOD_OPTIONS)
        .option('as-at', {
          type: 'string',
          requiresArg: true,
          describe: 'Only what was known then: a date (its end) or a time [now]',
        })
        .option('account', { type: 'string', requiresArg: true, describe: 'Only this account of statements' })
        .option('rules', {
          type: 'string',
          requiresArg: true,
          describe: 'Rules file [reconcile.rules of the configuration, else the standard rules]',
        })
        .option('dry-run', {
          type: 'boolean',
          default: false,
          describe: 'Report only: keep neither matches nor breaks (as --as-at does)',
        })
        .option('full', {
          type: 'boolean',
          default: false,
          describe: 'Keep every match of the period anew, not only what changed; the report is the same',
        })
        .option('as', PERSON_OPTIONS.as)
        .option('format', { choices: FORMATS, describe: 'Of the report [table; --json is --format json]' })
        .option('out', {
          type: 'string',
          requiresArg: true,
          describe: 'File for the report, replaced when it is whole',
        })
        .example('$0 reconcile --from 2026-10-01 --to 2026-10-31', 'October, by everything known now')
        .example(
          '$0 reconcile refunds --from 2026-10-01 --to 2026-10-31 --as-at 2026-11-02',
          'As it was known on 2 November',
        )
        .example('$0 reconcile batch-bank --from 2026-10-01 --to 2026-10-31', 'What the bank received, batch by batch')
        .example('$0 reconcile --from 2026-10-01 --to 2026-10-31 --format csv --out october.csv', 'For a spreadsheet'),
    async (argv) => {
      const { account, json, format = json ? 'json' : 'table' } = argv;
      if (argv.full && (argv.dryRun || argv.asAt !== undefined))
        throw new UsageError('--full keeps matches anew, and --dry-run and --as-at keep none: give one of them.');
      if (json && format !== 'json') throw new UsageError(`--json and --format ${format}: give one of them.`);
      await withArchive(argv, async (archive, config) => {
        const order = await reconcileOrder(argv, config, systemClock.nowMs());
        if (account !== undefined && !(await archive.statements({ account }, { order: 'newest', limit: 1 })).length) {
          throw new UsageError(`--account ${account}: no statement of it is there.`, 'See: tallyhook statements list');
        }
        const open = () => operationsOf(config);
        const keeps = !argv.dryRun && argv.asAt === undefined;
        const keeping = keeps ? { open, isFull: argv.full, by: starterOf(argv) } : null;
        const { result, frozen } = await reconcileAskedDays(archive, order, keeping);
        await withSink(argv.out, (sink) =>
          writeReconciliation({ archive, result, format, sink, since: frozen?.since ?? null }),
        );
        if (frozen !== null) note(frozenText(frozen, order));
        if (isOpenBeside(result) || (await countUnresolved(archive, result, 1)) > 0) differencesFound();
      });
    },
  );
}

function frozenText({ periods, since }: FrozenDays, { from, to }: Pick<ReconcileOrder, 'from' | 'to'>): string {
  const names = periods.map(({ set, period, state }) => `${period} of ${set.name} is ${state}`).join(', ');
  const changed = since.length === 0 ? 'nothing changed' : `${since.length} changed`;
  const isWhole = periods.every((period) => period.from === from && period.to === to);
  const figures = isWhole
    ? 'its figures as they were frozen'
    : 'the figures of these days as they were known at the close';
  return `tallyhook: period ${names}: ${figures}, and nothing was kept; since then ${changed}.`;
}
