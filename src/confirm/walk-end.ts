import type { BackfillOutcome } from '../domain/checks/list-walk.ts';
import { TallyhookError } from '../domain/error.ts';
import { ListIncompleteError, ListLimitError } from '../service/errors/list-errors.ts';

/** How a walk along a list ended, and why before the end. */
export interface WalkEnd {
  readonly outcome: BackfillOutcome;
  readonly detail: string | null;
}

export const STOPPED: WalkEnd = { outcome: 'stopped', detail: 'stopped by a signal' };

/** Thrown in a callback of the list to end the walk. */
export class CutShort extends Error {
  readonly end: WalkEnd;

  constructor(end: WalkEnd) {
    super(end.outcome);
    this.end = end;
  }
}

/**
 * Returns how an error ends a walk; `failures` of its page are counted. Null when the list was read to its end and rows could
 * not be read: the walk counts those itself. Throws an error that is none of the client's: a defect of this program.
 */
export function endBy(error: unknown, failures: number): WalkEnd | null {
  if (error instanceof CutShort) return error.end;
  if (!(error instanceof TallyhookError)) throw error;
  if (error instanceof ListLimitError) return beyond(error);
  if (error instanceof ListIncompleteError && error.reason === 'unreadable') return null;
  const tries = failures > 1 ? ` The page was fetched ${failures} times.` : '';
  return { outcome: 'failed', detail: `${error.message}${tries}` };
}

/** The end of a walk whose time is over. */
export function tooLong(maxMs: number): WalkEnd {
  const minutes = Math.round(maxMs / 6_000) / 10;
  return { outcome: 'limited', detail: `The list did not end within ${minutes} minutes (backfill.maxMinutes).` };
}

function beyond({ limit, reached }: ListLimitError): WalkEnd {
  const within = limit === 'pages' ? `${reached} pages (backfill.maxPages)` : `${reached} rows (backfill.maxRows)`;
  return { outcome: 'limited', detail: `The list did not end within ${within}.` };
}

/** Says why a walk that came to the end of the list proves no absence; null for a complete one. */
export function detailAtEnd(outcome: BackfillOutcome, firstPage: string, unreadable: number): string | null {
  if (outcome === 'resumed') {
    return `It went on at ${firstPage}, where an earlier walk was cut short. The next one begins at the first page.`;
  }
  if (outcome !== 'unreadable') return null;
  const what = unreadable === 1 ? '1 row has' : `${unreadable} rows have`;
  return `${what} no usable reference or status.`;
}
