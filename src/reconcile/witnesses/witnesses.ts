import type { Environment } from '../../domain/environment.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { type EndpointState, judgeRecord, type WitnessedRecord } from '../../domain/reconciling/witnessed-record.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { type KnownRecord, type OpenRecord, type ReconciliationArchive, walkAll } from '../../store/reconciliation.ts';
import { isWithin, type Span } from '../load/order.ts';
import { closedRecordsOf } from './closed-records.ts';
import { ItemMaker, moneyOf, type Named } from './item-maker.ts';

/** What the two witnesses of the period's records leave open. */
export interface Witnessed {
  readonly breaks: Item[];
  readonly timing: Item[];
  readonly notConfirmed: Item[];
  /** Records of the period that changed after the as-at time, as they were known: the store's sums leave them out. */
  readonly later: KnownRecord[];
  /** Breaks about records of closed days, before the period. */
  readonly ofClosedDays: Item[];
}

type Endpoints = (kind: RecordKind, environment: Environment) => EndpointState;

/** Compares webhooks and service, record by record. */
export async function compareWitnesses(archive: ReconciliationArchive, span: Span): Promise<Witnessed> {
  const found: Witnessed = { breaks: [], timing: [], notConfirmed: [], later: [], ofClosedDays: [] };
  const closed = closedRecordsOf(span);
  const walked = { ...span.period, fromMs: closed.fromMs };
  const isEarlier = ({ environment, effectiveAtMs }: Pick<Named, 'environment' | 'effectiveAtMs'>) =>
    effectiveAtMs < span.period.fromMs && closed.has(environment, effectiveAtMs);
  const judge = await witnessJudge(archive, span);
  const judgeOne = (named: Named, record: WitnessedRecord) => {
    if (isWithin(span, named.effectiveAtMs)) addTo(found, judge(named, record));
    else if (isEarlier(named)) found.ofClosedDays.push(...judge(named, record).breaks);
  };
  for (const kind of span.order.kinds) {
    for await (const rows of walkAll((after) => archive.openRecords(kind, walked, after))) {
      for (const row of rows) if (!row.needsMore) judgeOne({ kind, ...row }, bare(kind, row));
      const ids = rows.filter(({ needsMore }) => needsMore).map(({ id }) => id);
      for (const record of await archive.knownRecords({ kind, ids, asAtMs: span.period.asAtMs })) {
        if (!record.seen) continue;
        if (record.changedLater && isWithin(span, record.effectiveAtMs)) found.later.push(record);
        judgeOne({ ...record, ...moneyOf(record) }, record);
      }
    }
  }
  return found;
}

/** Adds what the two witnesses of one record of the period leave open. */
export function addTo({ breaks, timing, notConfirmed }: Witnessed, found: WitnessItems): void {
  breaks.push(...found.breaks);
  if (found.waiting !== null) (found.waiting.facts.code === 'timing' ? timing : notConfirmed).push(found.waiting);
}

/** What the two witnesses of one record leave open. */
export interface WitnessItems {
  readonly breaks: readonly Item[];
  /** Not due yet, or not confirmed: `timing`, or another code. */
  readonly waiting: Item | null;
}

/** Returns the function that judges a record by its two witnesses, of all days. */
export async function witnessJudge(
  archive: ReconciliationArchive,
  span: Span,
): Promise<(named: Named, record: WitnessedRecord) => WitnessItems> {
  const endpoints = await endpointsAt(archive, span);
  const items = new ItemMaker(span);
  return (named, record) => {
    const endpoint = endpoints(record.kind, named.environment);
    const { breaks, waiting, dueAtMs } = judgeRecord(record, { endpoint, judgedAtMs: span.judgedAtMs });
    return {
      breaks: breaks.map((facts) => items.make(named, facts, facts.code === 'stuck' ? dueAtMs : null)),
      waiting: waiting === null ? null : items.make(named, waiting, waiting.code === 'timing' ? dueAtMs : null),
    };
  };
}

async function endpointsAt(archive: ReconciliationArchive, { order, period }: Span): Promise<Endpoints> {
  const proven = await archive.provenEndpoints(period.asAtMs);
  const known = new Set(proven.map(({ environment, endpoint }) => `${environment} ${endpoint}`));
  return (kind, environment) => {
    if (order.withoutEndpoint.includes(kind)) return 'absent';
    // The endpoint of refunds is documented; the others are assumed until their first usable answer (decisions 47, 72).
    return kind === 'refund' || known.has(`${environment} ${kind}`) ? 'proven' : 'unproven';
  };
}

/** A record whose one row says everything: no finding, and no money of two witnesses that differs. */
function bare(kind: RecordKind, { reported, confirmed, startedAtMs }: OpenRecord): WitnessedRecord {
  const times = { reportedTime: null, answeredAtMs: null, reportedAtMs: null, startedAtMs };
  return { kind, reported, confirmed, ...times, facts: {}, details: {}, money: NO_MONEY, expected: null, findings: [] };
}

const NO_MONEY = { reported: {}, confirmed: {} };
