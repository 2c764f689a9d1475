import { askAgainOf, askingParts, sweepOrderOf } from '../../src/asking.ts';
import { systemClock } from '../../src/clock.ts';
import { type Config, requireKeyPairs } from '../../src/config/load.ts';
import { OUTCOME_TEXT } from '../../src/confirm/outcome-text.ts';
import { type SweepOrder, sweep } from '../../src/confirm/sweep.ts';
import type { SweepResult, SweepStop } from '../../src/confirm/sweep-result.ts';
import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../src/domain/lifecycle.ts';
import type { Confirmations, Outcome, Subject } from '../../src/store/confirmations.ts';
import { startWork } from '../../src/work.ts';
import { configFrom } from '../config-from.ts';
import { COMMON_FILTERS } from '../filter-options.ts';
import { type Cli, wholeNumberOption } from '../options.ts';
import { answeredNo, differencesFound, note, print, printJson, printTable } from '../output.ts';
import { progressBar } from '../progress.ts';
import { isoTime } from '../record-view.ts';
import { requireBaseUrl } from '../service-from.ts';
import { stopSignal } from '../stop-signal.ts';
import { duration, time } from '../text.ts';
import { instantOf } from '../when.ts';

const KINDS: Readonly<Record<string, readonly RecordKind[]>> = {
  refunds: ['refund'],
  payouts: ['payout'],
  collections: ['collection'],
  all: RECORD_KINDS,
};
/** Shown by `--dry-run` unless `--limit` says otherwise. */
const DRY_RUN_ROWS = 100;

/** `tallyhook sweep`: asks the service about every due record; the same work that the schedule does. */
export function addSweepCommand(cli: Cli): Cli {
  return cli.command(
    'sweep [kind]',
    'Ask the service about every due record, and keep its word',
    (command) =>
      command
        .positional('kind', { choices: Object.keys(KINDS), default: 'all', describe: 'Which records' })
        .options({
          environment: COMMON_FILTERS.environment,
          reference: { ...COMMON_FILTERS.reference, describe: 'Only this record, due or not' },
          since: {
            ...COMMON_FILTERS.since,
            describe: 'Only what changed since: ISO time with offset, date, or 2h, 7d ago',
          },
          limit: wholeNumberOption('limit', { least: 1, standard: undefined, describe: 'Questions at most' }),
          concurrency: wholeNumberOption('concurrency', {
            least: 1,
            most: 256,
            standard: undefined,
            describe: 'Questions under way at once',
          }),
        })
        .option('dry-run', { type: 'boolean', default: false, describe: 'Show what is due; ask nothing' })
        .example('$0 sweep', 'Everything that is due; safe beside a running serve')
        .example('$0 sweep refunds --reference RFD_1', 'One refund now')
        .epilogue('Ends with 3 when something failed, disagreed, is stuck or overdue, with 1 when it was cut short.'),
    async (argv) => {
      const config = configFrom(argv);
      const order = orderOf(config, argv);
      const work = await startWork(config.database, askAgainOf(config));
      const stop = stopSignal('the sweep ends after the questions under way; what is due stays due');
      try {
        if (argv.dryRun) {
          showDue(await dueOf(work.confirmations, order), argv);
          return;
        }
        requireBaseUrl(config);
        requireKeyPairs(config, argv.environment);
        const parts = await askingParts(config, work, { clock: systemClock, signal: stop.signal, onWarning: note });
        const due = await work.confirmations.countDue({ filter: order.filter, nowMs: systemClock.nowMs() });
        const progress = progressBar(Math.min(due, order.limit ?? due), 'asked');
        const result = await sweep(order, parts, progress.step).finally(progress.end);
        if (argv.json) printJson(result);
        else tell(result);
        if (argv.reference !== undefined && result.asked === 0 && result.stopped === null) {
          note('tallyhook: the service was not asked: there is no such record, or no key of its environment,');
          note('or somebody else is asking about it just now. See: tallyhook why REFERENCE');
          answeredNo();
          return;
        }
        endAs(result);
      } finally {
        stop.dispose();
        work.close();
      }
    },
  );
}

interface Asked {
  readonly kind: string;
  readonly environment: Environment | undefined;
  readonly reference: string | undefined;
  readonly since: string | undefined;
  readonly limit: number | undefined;
  readonly concurrency: number | undefined;
}

function orderOf(config: Config, { kind, environment, reference, since, limit, concurrency }: Asked): SweepOrder {
  const usual = sweepOrderOf(config);
  return {
    ...usual,
    filter: {
      kinds: KINDS[kind] ?? RECORD_KINDS,
      environments: environment === undefined ? ENVIRONMENTS : [environment],
      ...(reference !== undefined && { reference }),
      ...(since !== undefined && { sinceMs: instantOf(since, 'since', systemClock.nowMs()) }),
    },
    limit: limit ?? null,
    concurrency: concurrency ?? usual.concurrency,
  };
}

interface Due {
  readonly due: number;
  readonly records: readonly Subject[];
}

async function dueOf(confirmations: Confirmations, { filter, limit }: SweepOrder): Promise<Due> {
  const nowMs = systemClock.nowMs();
  const records = await confirmations.listDue({ filter, nowMs, limit: limit ?? DRY_RUN_ROWS });
  return { due: await confirmations.countDue({ filter, nowMs }), records };
}

function showDue({ due, records }: Due, { json }: { readonly json: boolean | undefined }): void {
  if (json) {
    const rows = records.map(({ recordId, dueAtMs, ...row }) => ({ ...row, id: recordId, dueAt: isoTime(dueAtMs) }));
    printJson({ due, records: rows });
    return;
  }
  print(`${due} due${records.length < due ? `, the first ${records.length} of them:` : ''}`);
  if (records.length === 0) return;
  printTable(records, [
    { header: 'DUE', value: ({ dueAtMs }) => time(dueAtMs) },
    { header: 'ENV', value: ({ environment }) => environment },
    { header: 'RECORD', value: ({ kind, reference }) => `${kind} ${reference}` },
    { header: 'REPORTED', value: ({ reported }) => reported },
    { header: 'CONFIRMED', value: ({ confirmed }) => confirmed },
  ]);
}

const STOPPED: Readonly<Record<SweepStop, string>> = {
  interrupted: 'cut short by a signal',
  service_unavailable: 'given up, because the service does not answer; run it again later, or let the schedule do it',
  key_refused: 'ended, because the service refused the key; see: tallyhook doctor',
};

function tell(result: SweepResult): void {
  const { asked, confirmed, changed, settled, repaired, disagreed, stuck, late, failed, overdue, stillDue, stopped } =
    result;
  print(`asked ${asked} in ${duration(result.tookMs)}: ${confirmed} confirmed, ${changed} changed, ${settled} settled`);
  if (repaired > 0) print(`${repaired} ahead of every webhook: lost webhooks, repaired`);
  if (disagreed > 0) print(`${disagreed} behind or beside what the webhooks say; see: tallyhook findings`);
  if (stuck > 0) print(`${stuck} stuck: nobody asks again by himself; see: tallyhook stuck`);
  for (const [outcome, count] of Object.entries(failed))
    print(`${count} not confirmed: ${OUTCOME_TEXT[outcome as Outcome]}`);
  if (overdue > 0) print(`${overdue} tracked, past their date and never heard of; see: tallyhook track list`);
  if (late > 0) print(`${late} answered after the lease was over: not written, asked again`);
  print(`${stillDue} still due`);
  if (stopped !== null) note(`tallyhook: the sweep was ${STOPPED[stopped]}`);
}

/** 1: cut short; 3: something to look at. */
function endAs({ stopped, disagreed, stuck, overdue, failed }: SweepResult): void {
  if (stopped !== null) answeredNo();
  else if (disagreed + stuck + overdue > 0 || Object.keys(failed).length > 0) differencesFound();
}
