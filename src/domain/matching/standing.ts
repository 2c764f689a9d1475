import { type OurRow, PRINCIPAL_TYPE, type TheirLine } from './rows.ts';

/**
 * How a row stands on a day. `unborn`: it begins later. `held`: a refund that settles later. `open`: not settled. `done`: its
 * money moved. `undone`: it did not move in the end. `reversed`: it moved back.
 */
export type Standing = 'unborn' | 'held' | 'open' | 'done' | 'undone' | 'reversed';

/** Statuses of a row whose money moved. */
export const DONE: ReadonlySet<string | null> = new Set(['success', 'completed']);
const UNDONE: ReadonlySet<string | null> = new Set(['cancelled', 'abandoned', 'rejected']);

/** The day of a row; one without a stated time is of its first line up to the last day. `lines`: in the order of their days. */
export function placedDay(row: OurRow, lines: readonly TheirLine[], until: string): string {
  if (!row.isDayLearnt) return row.day;
  return lines.find(({ type, date }) => type === PRINCIPAL_TYPE[row.kind] && date <= until)?.date ?? row.day;
}

/** Returns how a row, which is of `day`, stands at the end of `until`. A refund holds its money from its first day on. */
export function standingAt(row: OurRow, day: string, until: string): Standing {
  const settled = settledStanding(row);
  if (day <= until) return settled;
  if (row.kind !== 'refund' || row.startDay > until) return 'unborn';
  return settled === 'open' ? 'open' : 'held';
}

/** A failed refund is not settled: the service may try it again. */
function settledStanding({ kind, status }: OurRow): Standing {
  if (DONE.has(status)) return 'done';
  if (status === 'reversed') return 'reversed';
  return UNDONE.has(status) || (status === 'failed' && kind !== 'refund') ? 'undone' : 'open';
}
