import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/clock.ts';
import { isFinal, isSettled } from '../records/lifecycle.ts';
import type { CheckedRecord, NextCheck } from './check.ts';

/** When to check a record again (decisions 73; refunds likewise). Times in milliseconds. */
export interface CheckRules {
  /** Waits between checks of an unsettled record; the last one repeats. */
  readonly unsettledMs: readonly number[];
  /** Wait between checks of a refund in `awaiting_settlement`. */
  readonly awaitingSettlementMs: number;
  /** Ages of a settled, not final record at which it is checked again. */
  readonly watchMs: readonly number[];
  /** Wait while the endpoint is unproven. */
  readonly unprovenMs: number;
  /** Checks without news before a record is stuck; a refund in `awaiting_settlement` has more. */
  readonly attempts: number;
  readonly awaitingSettlementAttempts: number;
  /** Waits are longer by a random share up to this (0.1: 10 %), so that records settled together are checked apart. */
  readonly jitter: number;
}

export const STANDARD_CHECK_RULES: CheckRules = {
  unsettledMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS],
  awaitingSettlementMs: HOUR_MS,
  watchMs: [DAY_MS, 7 * DAY_MS, 30 * DAY_MS],
  unprovenMs: HOUR_MS,
  attempts: 40,
  awaitingSettlementAttempts: 24 * 28,
  jitter: 0.1,
};

const NEVER: NextCheck = { dueAtMs: null, stuck: false };

/** Returns when a record is checked next. `random` is between 0 and 1. Pure. */
export function nextCheck(record: CheckedRecord, rules: CheckRules, random: () => number): NextCheck {
  const { kind, outcome, confirmed, lagging, doubted, settledAtMs, nowMs } = record;
  const after = (waitMs: number): NextCheck => ({
    dueAtMs: nowMs + Math.round(waitMs * (1 + rules.jitter * random())),
    stuck: false,
  });
  if (outcome === 'unconfirmable' || outcome === 'unaskable') return NEVER;
  if (outcome === 'unproven') return after(rules.unprovenMs);
  // A refused key ends the sweep, so few records are checked in vain.
  if (outcome === 'key_refused') return after(rules.unsettledMs[0] ?? HOUR_MS);
  const settled = confirmed !== null && isSettled(kind, confirmed) && !lagging && !doubted;
  if (settled && (outcome === 'answered' || outcome === 'pending')) {
    if (isFinal(kind, confirmed)) return NEVER;
    const passedMs = nowMs - (settledAtMs ?? nowMs);
    const nextMs = rules.watchMs.find((watchMs) => watchMs > passedMs);
    return nextMs === undefined ? NEVER : after(nextMs - passedMs);
  }
  // After settling only failed checks count; attempts made before do not.
  const spent = settled ? record.failures : record.attempts;
  if (spent < allowedAttempts(record, rules)) return after(waitOf(record, rules));
  // A settled record is never stuck: its outcome is known, only watching it failed.
  return settled ? NEVER : { dueAtMs: null, stuck: true };
}

/** Returns the longest wait that `nextCheck` can give. */
export function longestWaitMs({ unsettledMs, awaitingSettlementMs, watchMs, unprovenMs, jitter }: CheckRules): number {
  return Math.ceil(Math.max(...unsettledMs, awaitingSettlementMs, ...watchMs, unprovenMs, HOUR_MS) * (1 + jitter));
}

function allowedAttempts({ kind, confirmed }: CheckedRecord, rules: CheckRules): number {
  return awaitsSettlement(kind, confirmed) ? rules.awaitingSettlementAttempts : rules.attempts;
}

function waitOf({ kind, confirmed, attempts, failures }: CheckedRecord, rules: CheckRules): number {
  if (awaitsSettlement(kind, confirmed) && failures === 0) return rules.awaitingSettlementMs;
  // After failures the waits start again with the shortest: the check failed, not the payment.
  const step = Math.max(0, (failures > 0 ? failures : attempts) - 1);
  return rules.unsettledMs[Math.min(step, rules.unsettledMs.length - 1)] ?? HOUR_MS;
}

function awaitsSettlement(kind: CheckedRecord['kind'], confirmed: string | null): boolean {
  return kind === 'refund' && confirmed === 'awaiting_settlement';
}
