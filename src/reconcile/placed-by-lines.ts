import type { RecordKind } from '../domain/lifecycle.ts';
import type { ReconciliationArchive, RecordGroup } from '../store/reconciliation.ts';
import type { LearntRow } from '../store/scratch/learnt-days.ts';
import type { Span } from './order.ts';
import { groupOf } from './totals.ts';

/**
 * What the counts of a period gain and lose where the date of a line places a record, because no source states its time: the balance
 * proof has it on that day, and so must the totals.
 */
export async function placedByLines(
  archive: Pick<ReconciliationArchive, 'knownRecords'>,
  rows: readonly LearntRow[],
  { order, period }: Span,
): Promise<RecordGroup[]> {
  const isWithin = (day: string) => day >= order.from && day <= order.to;
  const moved = rows.filter(({ learntOn, placedOn }) => isWithin(learntOn) !== isWithin(placedOn));
  const groups: RecordGroup[] = [];
  for (const [kind, own] of Map.groupBy(moved, (row) => row.kind)) {
    if (!order.kinds.includes(kind)) continue;
    for (let start = 0; start < own.length; start += AT_ONCE) {
      const some = own.slice(start, start + AT_ONCE);
      groups.push(...(await groupsOf(archive, { kind, rows: some, asAtMs: period.asAtMs, isWithin })));
    }
  }
  return groups;
}

/** Records asked for at a time. */
const AT_ONCE = 500;

interface Asked {
  readonly kind: RecordKind;
  readonly rows: readonly LearntRow[];
  readonly asAtMs: number;
  readonly isWithin: (day: string) => boolean;
}

async function groupsOf(
  archive: Pick<ReconciliationArchive, 'knownRecords'>,
  { kind, rows, asAtMs, isWithin }: Asked,
): Promise<RecordGroup[]> {
  const known = await archive.knownRecords({ kind, ids: rows.map(({ recordId }) => recordId), asAtMs });
  const coming = new Set(rows.filter(({ placedOn }) => isWithin(placedOn)).map(({ recordId }) => recordId));
  return known.map((record) => {
    const group = groupOf(record);
    return coming.has(record.id) ? group : takenOut(group);
  });
}

function takenOut(group: RecordGroup): RecordGroup {
  return { ...group, records: -group.records, withoutAmount: -group.withoutAmount, minor: -group.minor };
}
