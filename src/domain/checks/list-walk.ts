import { DAY_MS, MINUTE_MS } from '../../time/clock.ts';
import type { Finding } from '../findings/finding.ts';

/** How a walk along the list of refunds ended. Only a complete walk proves absence. */
export const BACKFILL_OUTCOMES = [
  'complete', // the whole list was read
  'resumed', // it began where an earlier walk was cut short, and read the rest of the list
  'unreadable', // the list was fetched to its end, and some rows could not be read
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

/** The query of the first page of a list (decision 43). A page is named by its query. */
export const FIRST_PAGE = 'page=1';

/** The newest walk of an environment. */
export interface EarlierWalk {
  /** Null while it runs, and after its process ended without finishing it. */
  readonly outcome: BackfillOutcome | null;
  /** Where it began. */
  readonly firstPage: string;
  /** The last page whose rows are all written. */
  readonly lastPage: string | null;
  /** When that was kept. */
  readonly lastPageAtMs: number | null;
}

const CUT_SHORT: readonly (BackfillOutcome | null)[] = ['limited', 'stopped', 'failed', null];
/** A walk without an outcome whose last page is older, 10 min: its process is gone. A running one keeps pages more often. */
const GONE_AFTER_MS = 10 * MINUTE_MS;
/** A page that was kept longer ago, 1 day, is no place to go on: too many rows have moved, and new ones wait on page 1. */
const RESUMABLE_MS = DAY_MS;

/**
 * Returns the page where a new walk begins (decision 106). It goes on after a walk that was cut short, and
 * reads the last page of that one again, because rows shift to earlier pages when others are taken away. A walk that did
 * not get beyond its own first page is not gone on with: a page that never comes must not keep us from the pages before it.
 */
export function beginsAt(earlier: EarlierWalk | null, nowMs: number): string {
  if (earlier === null || !CUT_SHORT.includes(earlier.outcome)) return FIRST_PAGE;
  const { outcome, firstPage, lastPage, lastPageAtMs } = earlier;
  if (lastPage === null || lastPageAtMs === null || lastPage === firstPage) return FIRST_PAGE;
  const ageMs = nowMs - lastPageAtMs;
  if (outcome === null && ageMs < GONE_AFTER_MS) return FIRST_PAGE;
  return ageMs <= RESUMABLE_MS ? lastPage : FIRST_PAGE;
}

/**
 * Returns the outcome of a walk that came to the end of the list. One that began at a later page proves no absence, even
 * though an earlier walk read the pages before. Rows move while no walk runs: a refund on a page that the first walk did not
 * reach may stand on page 1 when the second one begins behind it, and neither of them saw it. One page of overlap makes that
 * rare and excludes nothing. Only a walk from the first page to the last counts as complete; the next one begins there.
 */
export function outcomeAtEnd(firstPage: string, unreadableRows: number): BackfillOutcome {
  if (unreadableRows > 0) return 'unreadable';
  return firstPage === FIRST_PAGE ? 'complete' : 'resumed';
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
