import type { Look } from '../confirm/look.ts';
import type { AlertFacts, Condition } from '../domain/alerts/alert.ts';
import type { AlertCause } from '../domain/alerts/alert-cause.ts';
import type { Signals } from '../store/alerts.ts';
import type { Unconfirmed } from '../store/stuck.ts';
import type { BookFacts } from './book-facts.ts';

export interface AlertFactsNow extends Pick<Look, 'system' | 'keyPairs' | 'problems' | 'eclipsed' | 'serve'> {
  readonly signals: Signals;
  readonly unconfirmed: readonly Unconfirmed[];
  readonly books: BookFacts;
  /** False: whether `serve` runs is not judged. */
  readonly expectServe: boolean;
  /** Null: not known, so it is not judged. */
  readonly clockOffsetMs: number | null;
}

/** A condition of a cause, in one line. */
export function condition(cause: AlertCause, subject: string, size: number, facts: AlertFacts): Condition {
  return { cause, subject, size, facts };
}
