import type { NextQuestion, Standing } from './check.ts';
import { isFinal, isSettled } from './lifecycle.ts';

/** When to ask again (decisions 73; refunds likewise). Times in milliseconds. */
export interface AskAgain {
  /** Waits between questions about a record that is not settled; the last one goes on. */
  readonly unsettledMs: readonly number[];
  /** Between questions about a refund that waits for its money. */
  readonly awaitingSettlementMs: number;
  /** How long after it settled a record that is not final is asked about again. */
  readonly watchMs: readonly number[];
  /** While the endpoint has never answered usably. */
  readonly unprovenMs: number;
  /** Questions without news before a record is stuck; a refund that waits for its money has more. */
  readonly attempts: number;
  readonly awaitingSettlementAttempts: number;
  /** Waits are longer by a random share of up to this, so that what settled together is not asked together for ever. */
  readonly jitter: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const STANDARD_ASK_AGAIN: AskAgain = {
  unsettledMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS],
  awaitingSettlementMs: HOUR_MS,
  watchMs: [DAY_MS, 7 * DAY_MS, 30 * DAY_MS],
  unprovenMs: HOUR_MS,
  attempts: 40,
  awaitingSettlementAttempts: 24 * 28,
  jitter: 0.1,
};

const NEVER: NextQuestion = { dueAtMs: null, stuck: false };

/** When a record is asked about next. `random` is between 0 and 1. Pure. */
export function nextQuestion(standing: Standing, rules: AskAgain, random: () => number): NextQuestion {
  const { kind, outcome, confirmed, lagging, doubted, settledAtMs, nowMs } = standing;
  const after = (waitMs: number): NextQuestion => ({
    dueAtMs: nowMs + Math.round(waitMs * (1 + rules.jitter * random())),
    stuck: false,
  });
  if (outcome === 'unconfirmable' || outcome === 'unaskable') return NEVER;
  if (outcome === 'unproven') return after(rules.unprovenMs);
  // A whole sweep stops for it, so that few records are asked about in vain.
  if (outcome === 'key_refused') return after(rules.unsettledMs[0] ?? HOUR_MS);
  const settled = confirmed !== null && isSettled(kind, confirmed) && !lagging && !doubted;
  if (settled && (outcome === 'answered' || outcome === 'pending')) {
    if (isFinal(kind, confirmed)) return NEVER;
    const passedMs = nowMs - (settledAtMs ?? nowMs);
    const nextMs = rules.watchMs.find((watchMs) => watchMs > passedMs);
    return nextMs === undefined ? NEVER : after(nextMs - passedMs);
  }
  // Those that it took to settle are not held against watching it.
  const spent = settled ? standing.failures : standing.attempts;
  if (spent < allowedAttempts(standing, rules)) return after(waitOf(standing, rules));
  // What is settled is never stuck; nobody could be told more than that watching it failed.
  return settled ? NEVER : { dueAtMs: null, stuck: true };
}

/** What `nextQuestion` puts off at most. */
export function longestWaitMs({ unsettledMs, awaitingSettlementMs, watchMs, unprovenMs, jitter }: AskAgain): number {
  return Math.ceil(Math.max(...unsettledMs, awaitingSettlementMs, ...watchMs, unprovenMs, HOUR_MS) * (1 + jitter));
}

function allowedAttempts({ kind, confirmed }: Standing, rules: AskAgain): number {
  return waitsForMoney(kind, confirmed) ? rules.awaitingSettlementAttempts : rules.attempts;
}

function waitOf({ kind, confirmed, attempts, failures }: Standing, rules: AskAgain): number {
  if (waitsForMoney(kind, confirmed) && failures === 0) return rules.awaitingSettlementMs;
  // After failures the short waits come again: what failed was the asking.
  const step = Math.max(0, (failures > 0 ? failures : attempts) - 1);
  return rules.unsettledMs[Math.min(step, rules.unsettledMs.length - 1)] ?? HOUR_MS;
}

function waitsForMoney(kind: Standing['kind'], confirmed: string | null): boolean {
  return kind === 'refund' && confirmed === 'awaiting_settlement';
}
