import { stateAfter } from './transitions.ts';
import type { ExceptionState, Resolution } from './words.ts';

/** How an exception stood when a run came to it. */
export interface KnownException {
  readonly status: ExceptionState;
  readonly evidence: string;
  readonly resolution: Resolution | null;
  /** Of `carry`: the last day of its period. */
  readonly carriedUntil: string | null;
  /** Of `claim`: a line that shows was named as its payment. */
  readonly isPaid: boolean;
}

/** What a run does to an exception; null: nothing to log. */
export interface Moved {
  readonly event: 'found' | 'changed' | 'gone' | 'returned' | 'carried';
  readonly after: ExceptionState;
  /** Whether its resolution holds on. */
  readonly keepsResolution: boolean;
}

/** What it does to an exception to be found by a run that begins on a day. Null as `known`: it is new. Pure. */
export function movedByFinding(known: KnownException | null, evidence: string, from: string): Moved | null {
  if (known === null) return { event: 'found', after: 'open', keepsResolution: false };
  const { status, resolution, carriedUntil, isPaid } = known;
  const isSame = known.evidence === evidence;
  const wasPaid = resolution === 'claim' && isPaid && isSame;
  if (status === 'closed') return wasPaid ? null : moved(status, 'returned');
  if (status !== 'resolved') return isSame ? null : { event: 'changed', after: status, keepsResolution: false };
  if (!isSame) return moved(status, 'changed');
  if (wasPaid) return moved(status, 'gone');
  const isNextPeriod = resolution === 'carry' && carriedUntil !== null && from > carriedUntil;
  return isNextPeriod ? moved(status, 'carried') : null;
}

/** What it does to a carried one that the run begins behind the period of. */
export function movedByCarrying(status: ExceptionState): Moved | null {
  return moved(status, 'carried');
}

/** What it does to an exception that the run looked for, and did not find. */
export function movedByMissing(status: ExceptionState): Moved | null {
  return moved(status, 'gone');
}

function moved(status: ExceptionState, event: 'changed' | 'gone' | 'returned' | 'carried'): Moved | null {
  const after = stateAfter(status, event);
  return after === null ? null : { event, after, keepsResolution: after === 'closed' };
}
