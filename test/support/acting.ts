import type {
  ActedException,
  Actor,
  Change,
  HeldResolution,
  Judged,
  Refusal,
} from '../../src/domain/exceptions/act.ts';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';

/* An exception of 5.00 NGN on which ben acts. What ada resolved waits for nothing. */

export const ACTOR: Actor = { by: 'ben', reasons: STANDARD_REASONS };

export const HELD: HeldResolution = {
  ...{ resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null, by: 'ada' },
  ...{ atMs: Date.parse('2026-11-02T08:00:00Z'), approval: null, isPaid: false },
};

export function actedOn(over: Partial<ActedException> = {}): ActedException {
  return {
    ...{ id: 'x-1', version: 3, status: 'open', assignee: null, comment: null, currency: 'NGN', value: 500n },
    ...{ held: null, changedBy: 'ada', changedAtMs: HELD.atMs, closedIn: null, twins: [], ...over },
  };
}

/** @throws Error when the act is refused */
export function changeOf(judged: Judged): Change {
  if ('refusal' in judged) throw new Error(judged.refusal.message);
  return judged.change;
}

/** @throws Error when the act is done */
export function refusalOf(judged: Judged): Refusal {
  if ('change' in judged) throw new Error(`The act is done: ${judged.change.event}.`);
  return judged.refusal;
}
