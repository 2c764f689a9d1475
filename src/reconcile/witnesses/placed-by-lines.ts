import type { Item } from '../../domain/reconciling/break.ts';
import { isRecordKind, perKind } from '../../domain/records/lifecycle.ts';
import { type KnownRecord, knownOf, type ReconciliationArchive, type RecordGroup } from '../../store/reconciliation.ts';
import type { LearntRow } from '../../store/scratch/learnt-days.ts';
import type { Span } from '../load/order.ts';
import { closedRecordsOf } from './closed-records.ts';
import { moneyOf } from './item-maker.ts';
import { groupOf } from './totals.ts';
import { addTo, type Witnessed, witnessJudge } from './witnesses.ts';

/** What the date of a line changes for records whose time no source states: they are of its day, as in the balance proof. */
export interface Placed {
  /** What the counts of the period gain and lose. */
  readonly groups: readonly RecordGroup[];
  readonly witnessed: Witnessed;
}

/** Places the records of `rows`, by their lines, in what the two witnesses leave open and in the counts. */
export async function placedByLines(
  archive: ReconciliationArchive,
  { rows, witnessed }: { readonly rows: readonly LearntRow[]; readonly witnessed: Witnessed },
  span: Span,
): Promise<Placed> {
  const { order, period } = span;
  const isWithin = (day: string) => day >= order.from && day <= order.to;
  const placed: Witnessed = redated(witnessed, { rows, isWithin, span });
  const closed = closedRecordsOf(span);
  // Of a closed day, and learnt after this period: it came up after the close.
  const isLate = ({ learntOn, placedOn }: LearntRow) =>
    learntOn > order.to && placedOn < order.from && span.days.startOf(placedOn) >= closed.fromMs;
  const moved = rows.filter((row) => isWithin(row.learntOn) !== isWithin(row.placedOn) || isLate(row));
  const groups: RecordGroup[] = [];
  for (const [kind, own] of Map.groupBy(moved, (row) => row.kind)) {
    if (!order.kinds.includes(kind)) continue;
    const judge = await witnessJudge(archive, span);
    const byRecord = new Map(own.map((row) => [row.recordId, row]));
    for await (const record of knownOf(archive, { kind, ids: [...byRecord.keys()], asAtMs: period.asAtMs })) {
      const { learntOn, placedOn } = byRecord.get(record.id) as LearntRow;
      const placedMs = span.days.startOf(placedOn);
      const found = () => judge(namedOn(record, placedMs), record);
      if (isWithin(placedOn)) {
        groups.push(groupOf(record));
        addTo(placed, found());
      } else if (isWithin(learntOn)) groups.push(takenOut(groupOf(record)));
      else if (closed.has(record.environment, placedMs)) placed.ofClosedDays.push(...found().breaks);
    }
  }
  return { groups, witnessed: placed };
}

function namedOn(record: KnownRecord, effectiveAtMs: number) {
  return { ...record, ...moneyOf(record), effectiveAtMs };
}

function takenOut(group: RecordGroup): RecordGroup {
  return { ...group, records: -group.records, withoutAmount: -group.withoutAmount, minor: -group.minor };
}

interface Redating {
  readonly rows: readonly LearntRow[];
  readonly isWithin: (day: string) => boolean;
  readonly span: Span;
}

/** Items on the day of the line of their record. Those of another period go; breaks of closed days stay apart. */
function redated(witnessed: Witnessed, { rows, isWithin, span }: Redating): Witnessed {
  const { breaks, timing, notConfirmed, ofClosedDays } = witnessed;
  const rowOf = rowsOf([...breaks, ...timing, ...notConfirmed], rows);
  const onDay = (item: Item): Item => {
    const row = rowOf(item);
    if (row === undefined) return item;
    // The first day of what is due is the day on which it is due.
    const isOwn = item.facts.code !== 'timing' && item.firstSeen === row.learntOn;
    return { ...item, date: row.placedOn, ...(isOwn && { firstSeen: row.placedOn }) };
  };
  const isHere = (item: Item) => isWithin(rowOf(item)?.placedOn ?? span.order.from);
  const here = (items: readonly Item[]) => (rows.length === 0 ? [...items] : items.filter(isHere).map(onDay));
  const closed = closedRecordsOf(span);
  const isClosed = (item: Item) => {
    const day = rowOf(item)?.placedOn;
    return day !== undefined && day < span.order.from && closed.has(item.environment, span.days.startOf(day));
  };
  return {
    ...witnessed,
    breaks: here(breaks),
    timing: here(timing),
    notConfirmed: here(notConfirmed),
    ofClosedDays: [...ofClosedDays, ...breaks.filter(isClosed).map(onDay)],
  };
}

/** Returns the function that finds the row of an item's record. Only rows of these items are kept: there may be a million others. */
function rowsOf(items: readonly Item[], rows: readonly LearntRow[]): (item: Item) => LearntRow | undefined {
  const wanted = perKind((kind) => new Set(items.flatMap((one) => (one.kind === kind ? [one.recordId] : []))));
  const found = perKind(() => new Map<number | null, LearntRow>());
  for (const row of rows) if (wanted[row.kind].has(row.recordId)) found[row.kind].set(row.recordId, row);
  return ({ kind, recordId }) => (isRecordKind(kind) ? found[kind].get(recordId) : undefined);
}
