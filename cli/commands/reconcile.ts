import type { Config } from '../../src/config/load.ts';
import { kindsWithoutEndpoint } from '../../src/confirm/endpoints.ts';
import { storeOf } from '../../src/confirm/store.ts';
import type { Rules } from '../../src/domain/reconciling/rules.ts';
import { countUnresolved } from '../../src/reconcile/exceptions/standings.ts';
import { reconcileAndKeep } from '../../src/reconcile/keep-run.ts';
import type { ReconcileOrder } from '../../src/reconcile/order.ts';
import { type FrozenDays, frozenDays } from '../../src/reconcile/periods/frozen-days.ts';
import { isOpenBeside, type Reconciliation, reconcile } from '../../src/reconcile/reconcile.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { withArchive } from '../context/archive.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { asAtIn, kindsOf, PERIOD_OPTIONS, periodIn, WHAT, type What } from '../options/period.ts';
import { PERSON_OPTIONS, starterOf } from '../options/person.ts';
import { calendarOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { differencesFound, note } from '../show/output.ts';
import { withSink } from '../show/sink.ts';
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
      const { what, account, json, format = json ? 'json' : 'table' } = argv;
      if (argv.full && (argv.dryRun || argv.asAt !== undefined))
        throw new UsageError('--full keeps matches anew, and --dry-run and --as-at keep none: give one of them.');
      if (json && format !== 'json') throw new UsageError(`--json and --format ${format}: give one of them.`);
      await withArchive(argv, async (archive, config) => {
        const period = periodIn(argv, config);
        const rules = await loadRules(argv.rules ?? config.reconcile.rules ?? undefined);
        const order = {
          ...period,
          ...asked(what, rules),
          ...(account !== undefined && { account }),
          asAtMs: asAtIn(argv.asAt, { ...calendarOf(config), zone: period.dayRule.zone }),
          withoutEndpoint: kindsWithoutEndpoint(config),
          rules,
          begin: config.reconcile.begin,
          until: config.periods.until,
          closed: await archive.closedPeriods(),
        } satisfies ReconcileOrder;
        if (account !== undefined && !(await archive.statements({ account }, { order: 'newest', limit: 1 })).length) {
          throw new UsageError(`--account ${account}: no statement of it is there.`, 'See: tallyhook statements list');
        }
        const frozen = await frozenDays(archive, order, order.closed);
        const isKept = !argv.dryRun && argv.asAt === undefined && frozen === null;
        const result = isKept
          ? await keptRun(archive, config, order, { isFull: argv.full, by: starterOf(argv) })
          : await reconcile(archive, { ...order, asAtMs: Math.min(order.asAtMs, frozen?.asAtMs ?? order.asAtMs) });
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

/** Reconciles, and keeps what it found for `breaks`, `matches` and `why`. */
async function keptRun(
  archive: Archive,
  config: Config,
  order: ReconcileOrder,
  keeping: { readonly isFull: boolean; readonly by: string },
): Promise<Reconciliation> {
  const operations = await storeOf(config).operations();
  try {
    return await reconcileAndKeep(archive, operations, order, keeping);
  } finally {
    await operations.close();
  }
}

/** The plural of a kind, a leg, or all. @throws UsageError */
function asked(what: string, rules: Rules): Pick<ReconcileOrder, 'kinds' | 'leg'> {
  if ((WHAT as readonly string[]).includes(what)) return { kinds: kindsOf(what as What) };
  const legs = rules.legs.map(({ name }) => name);
  if (legs.includes(what)) return { kinds: kindsOf('all'), leg: what };
  throw new UsageError(
    `${what}: neither records nor a leg of the rules.`,
    `Give one of: ${[...WHAT, ...legs].join(', ')}.`,
  );
}
