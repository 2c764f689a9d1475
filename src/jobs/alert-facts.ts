import type { Look } from '../confirm/look.ts';
import type { AlertFacts, Condition } from '../domain/alert.ts';
import type { AlertCause } from '../domain/alert-cause.ts';
import type { Signals } from '../store/alerts.ts';
import type { KnownTarget } from '../store/outbox.ts';
import type { Unconfirmed } from '../store/stuck.ts';

/** What is not well with the targets. */
export interface ForwardFacts {
  readonly dead: readonly { readonly target: string; readonly rows: number }[];
  readonly disabled: readonly { readonly target: string; readonly sinceMs: number; readonly waiting: number }[];
}

export interface AlertFactsNow extends Pick<Look, 'standing' | 'keyPairs' | 'problems'> {
  readonly signals: Signals;
  readonly unconfirmed: readonly Unconfirmed[];
  /** Null: not known, so it is not judged. */
  readonly clockOffsetMs: number | null;
  readonly forward: ForwardFacts;
}

/** Dead letters also of a target that is gone, until a person retries or drops them; it is disabled no more. */
export function forwardFacts(targets: readonly KnownTarget[]): ForwardFacts {
  return {
    dead: targets.flatMap(({ name, states: { dead = 0 } }) => (dead === 0 ? [] : [{ target: name, rows: dead }])),
    disabled: targets.flatMap(({ name, present, disabledAtMs, states: { waiting = 0, failing = 0 } }) =>
      present && disabledAtMs !== null ? [{ target: name, sinceMs: disabledAtMs, waiting: waiting + failing }] : [],
    ),
  };
}

/** A condition of a cause, in one line. */
export function condition(cause: AlertCause, subject: string, size: number, facts: AlertFacts): Condition {
  return { cause, subject, size, facts };
}
