import { HOUR_MS } from '../../time/clock.ts';

/** States of a row that are written; `orphaned` is shown for an open row whose target is gone. */
export const ROW_STATES = ['waiting', 'failing', 'dead', 'superseded', 'delivered', 'dropped'] as const;
export type RowState = (typeof ROW_STATES)[number];
export const SHOWN_ROW_STATES = [...ROW_STATES, 'orphaned'] as const;
export type ShownRowState = (typeof SHOWN_ROW_STATES)[number];

/** How an attempt ended. `lost`: its lease ran out. `stopped`: its process ended it. `unreadable`: nothing was sent, its record cannot be read. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'refused',
  'gone',
  'timeout',
  'unreachable',
  'unsafe',
  'rejected',
  'stopped',
  'unreadable',
  'lost',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** When to try again, and when to give up. */
export interface RetryRules {
  /** Longest wait before the second attempt; it doubles with each further one. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** An attempt that fails so long after the first one makes the row a dead letter. */
  readonly giveUpMs: number;
}

export const STANDARD_RETRY: RetryRules = { firstMs: 5_000, maxMs: 4 * HOUR_MS, giveUpMs: 72 * HOUR_MS };

/** A longer Retry-After counts as this. */
export const LONGEST_RETRY_AFTER_MS = HOUR_MS;
/** How long a lease outlasts the time limit of its attempt. */
const LEASE_MARGIN_MS = 10_000;

/** What the store keeps of a row. Each function below returns the row as it is afterwards. */
export interface RowFacts {
  readonly state: RowState;
  /** Attempts begun. It is also the counter of the lease: an attempt that ends under an older one writes nothing. */
  readonly attempts: number;
  /** When the first attempt began; counted anew after `retry` of a dead row. */
  readonly firstAttemptAtMs: number | null;
  readonly leasedUntilMs: number | null;
  readonly dueAtMs: number;
}

export interface AttemptResult {
  readonly outcome: Exclude<AttemptOutcome, 'lost'>;
  /** What the target asked for (Retry-After); null without it. */
  readonly retryAfterMs: number | null;
}

/** Returns the end of the lease of an attempt that begins now. */
export function leaseEndMs(nowMs: number, timeoutMs: number): number {
  return nowMs + timeoutMs + LEASE_MARGIN_MS;
}

export function isLive(leasedUntilMs: number | null, nowMs: number): leasedUntilMs is number {
  return leasedUntilMs !== null && leasedUntilMs > nowMs;
}

/** Whether an attempt ended without 2xx, or its lease ran out. */
export function isFailing({ state, leasedUntilMs }: Pick<RowFacts, 'state' | 'leasedUntilMs'>, nowMs: number): boolean {
  return state === 'failing' || (state === 'waiting' && leasedUntilMs !== null && leasedUntilMs <= nowMs);
}

/** Whether the attempt under this lease may still end the row. */
export function isAttemptHeld(row: RowFacts, attempt: number, nowMs: number): boolean {
  return (
    row.attempts === attempt && isLive(row.leasedUntilMs, nowMs) && (row.state === 'waiting' || row.state === 'failing')
  );
}

/**
 * Returns the longest wait before the attempt after `attempts`; the wait itself lies anywhere between 0 and this, so that
 * rows that failed together do not come back together.
 */
export function longestWaitMs(attempts: number, { firstMs, maxMs }: RetryRules): number {
  return Math.min(maxMs, firstMs * 2 ** (attempts - 1));
}

/** Returns the row after an attempt. `random` gives a number from 0 to 1. Time alone makes no row dead: a failed attempt does. */
export function afterAttempt(
  row: RowFacts,
  { outcome, retryAfterMs }: AttemptResult,
  { nowMs, rules, random }: { readonly nowMs: number; readonly rules: RetryRules; readonly random: () => number },
): RowFacts {
  const free = { ...row, leasedUntilMs: null };
  if (outcome === 'delivered') return { ...free, state: 'delivered' };
  // The process ended it, not the target: the next one tries at once.
  if (outcome === 'stopped') return { ...free, state: 'failing', dueAtMs: nowMs };
  if (nowMs - (row.firstAttemptAtMs ?? nowMs) >= rules.giveUpMs) return { ...free, state: 'dead' };
  const waitMs = Math.max(random() * longestWaitMs(row.attempts, rules), retryAfterMs ?? 0);
  return { ...free, state: 'failing', dueAtMs: nowMs + Math.round(waitMs) };
}

/** What is first in the queue of a record, when a slot is free. */
export interface HeadFacts extends Pick<RowFacts, 'state' | 'leasedUntilMs' | 'dueAtMs'> {
  readonly isConfirmed: boolean;
  readonly isReplayed: boolean;
  /** A newer move of the same record waits, which is not replayed. */
  readonly hasNewer: boolean;
}

/**
 * Returns what to do with the first row of a record: it is superseded when it fails and a newer move waits, because the newer
 * one says all that it said; else sent when it is due. A row that was never attempted is sent.
 */
export function headTurn(head: HeadFacts, nowMs: number): 'supersede' | 'send' | 'wait' {
  if (isLive(head.leasedUntilMs, nowMs)) return 'wait';
  if (head.isConfirmed && !head.isReplayed && head.hasNewer && isFailing(head, nowMs)) return 'supersede';
  return head.dueAtMs <= nowMs ? 'send' : 'wait';
}

/** Why a row cannot be tried again; null when it can. */
export type RetryRefusal = 'ended' | 'under way' | 'overtaken' | 'body gone';

export interface RetryFacts extends Pick<RowFacts, 'state' | 'leasedUntilMs'> {
  readonly isConfirmed: boolean;
  /** A newer move of its record was attempted already: this one would come after it. */
  readonly isOvertaken: boolean;
  /** Its body was made and is gone: the same bytes cannot be sent again. */
  readonly isBodyGone: boolean;
}

export function retryRefusal(row: RetryFacts, nowMs: number): RetryRefusal | null {
  if (isLive(row.leasedUntilMs, nowMs)) return 'under way';
  if (row.state === 'delivered' || row.state === 'superseded') return 'ended';
  if (row.isBodyGone) return 'body gone';
  const isOver = row.state === 'dead' || row.state === 'dropped';
  return isOver && row.isConfirmed && row.isOvertaken ? 'overtaken' : null;
}

/** Returns the row due now: its attempts stay, and its age, but a dead or dropped row begins its age anew. */
export function retried(row: RowFacts, nowMs: number): RowFacts {
  const isOver = row.state === 'dead' || row.state === 'dropped';
  const state = row.attempts === 0 ? 'waiting' : 'failing';
  return { ...row, state, leasedUntilMs: null, dueAtMs: nowMs, ...(isOver && { firstAttemptAtMs: null }) };
}

/** Whether a row may be dropped: it is open or dead, and no attempt is under way. */
export function mayDrop({ state, leasedUntilMs }: Pick<RowFacts, 'state' | 'leasedUntilMs'>, nowMs: number): boolean {
  return (state === 'waiting' || state === 'failing' || state === 'dead') && !isLive(leasedUntilMs, nowMs);
}
