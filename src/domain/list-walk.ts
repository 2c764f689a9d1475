import type { Finding } from './finding.ts';

/** How a walk along the list of refunds ended. Only a complete walk proves absence. */
export const BACKFILL_OUTCOMES = [
  'complete', // the whole list was read
  'unreadable', // the whole list was fetched, and some rows could not be read
  'limited', // one of our limits was reached
  'stopped', // stopped by a person
  'failed', // an error, or fewer rows than the list announced
] as const;
export type BackfillOutcome = (typeof BACKFILL_OUTCOMES)[number];

/** Complete walks in a row that must miss a refund before it is a finding: the list may be late once. */
const ABSENCES_FOUND = 2;

/**
 * Returns since when refunds must have changed to be judged by a walk: `sinceMs` if a person named it, else `overlapMs` before
 * the start of the last walk that covers. Null: there is none, so all are judged.
 */
export function judgedSince(sinceMs: number | null, lastCoveringMs: number | null, overlapMs: number): number {
  return sinceMs ?? (lastCoveringMs === null ? 0 : Math.max(0, lastCoveringMs - overlapMs));
}

/** Whether a walk leaves no gap since the walks that cover: the next one may begin its window where this one started. */
export function covers(outcome: BackfillOutcome, sinceMs: number, lastCoveringMs: number | null): boolean {
  return outcome === 'complete' && sinceMs <= (lastCoveringMs ?? 0);
}

/** What a complete walk that missed a refund changes: the absences in a row, and the finding about them. */
export function missedRefund(
  absencesBefore: number,
  listedAtMs: number | null,
): { readonly absences: number; readonly findings: readonly Finding[] } {
  const absences = absencesBefore + 1;
  if (absences < ABSENCES_FOUND) return { absences, findings: [] };
  const last = listedAtMs === null ? 'it was never listed' : `last listed ${new Date(listedAtMs).toISOString()}`;
  const detail = `${ABSENCES_FOUND} complete walks in a row missed it; ${last}`;
  return { absences, findings: [{ code: 'absent', subject: 'list', detail }] };
}
