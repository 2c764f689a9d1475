import { isGap, type RecordKind } from './lifecycle.ts';
import type { Observation, RecordObservation, Witness } from './observation.ts';
import { fold, type RecordState } from './observe.ts';

export interface Statuses {
  readonly reported: string | null;
  readonly confirmed: string | null;
}

/** The statuses of a record whose moves are kept. */
export const MOVING_FIELDS = ['reported', 'confirmed'] as const;

export interface StatusMove {
  readonly field: (typeof MOVING_FIELDS)[number];
  readonly from: string | null;
  readonly to: string | null;
  readonly gap: boolean;
}

/** What observations change of their record. */
export interface RecordMove {
  /** Those that the record did not have. */
  readonly fresh: readonly RecordObservation[];
  readonly state: RecordState;
  readonly moves: readonly StatusMove[];
}

/** Up to this many observations each has its own fold, so that the history has each move; beyond, one fold for all. */
const STEPWISE = 64;

/**
 * Returns what `group` changes of a record with the observations `before` and the statuses `known`; null when the record has
 * all of them, as after a crash. Pure.
 */
export function recordMove(
  kind: RecordKind,
  known: Statuses,
  before: readonly Observation[],
  group: readonly RecordObservation[],
): RecordMove | null {
  const fresh = notYetIn(before, group);
  if (fresh.length === 0) return null;
  const states = statesAlong(kind, before, fresh);
  return { fresh, state: states.at(-1) as RecordState, moves: movesAlong(kind, known, states) };
}

/** News makes a record due: a webhook is a hint, only the status endpoint confirms (promise 5). */
export function dueByNews(dueAtMs: number | null, newsAtMs: number): number {
  return Math.min(dueAtMs ?? newsAtMs, newsAtMs);
}

/**
 * Returns what becomes of a record whose request the service refused, which means that the service has no such record.
 * Another witness than the request keeps it; rows of other tables about it (`isReferred`) keep it without observations.
 */
export function afterRefusal(witnesses: readonly Witness[], isReferred: boolean): 'kept' | 'emptied' | 'removed' {
  if (witnesses.some((witness) => witness !== 'request')) return 'kept';
  return isReferred ? 'emptied' : 'removed';
}

function notYetIn(before: readonly Observation[], group: readonly RecordObservation[]): RecordObservation[] {
  const seen = new Set(before.map(({ identity }) => identity));
  return group.filter(({ observation }) => !seen.has(observation.identity) && seen.add(observation.identity));
}

function statesAlong(
  kind: RecordKind,
  before: readonly Observation[],
  fresh: readonly RecordObservation[],
): RecordState[] {
  const added = fresh.map(({ observation }) => observation);
  if (before.length + added.length > STEPWISE) return [fold(kind, [...before, ...added])];
  return added.map((_, index) => fold(kind, [...before, ...added.slice(0, index + 1)]));
}

function movesAlong(kind: RecordKind, known: Statuses, states: readonly RecordState[]): StatusMove[] {
  const moves: StatusMove[] = [];
  let before = known;
  for (const state of states) {
    const after = { reported: state.reported?.status ?? null, confirmed: state.confirmed?.status ?? null };
    for (const field of MOVING_FIELDS) {
      const [from, to] = [before[field], after[field]];
      if (from !== to) moves.push({ field, from, to, gap: from !== null && to !== null && isGap(kind, from, to) });
    }
    before = after;
  }
  return moves;
}
