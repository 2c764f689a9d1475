import type { AlertCause } from './alert-cause.ts';

/*
 * When an alert opens, is repeated and closes. There is one alert per cause and subject, for ever: it opens again when its
 * condition holds again. Pure; the store keeps the alerts and calls this within a transaction, so that of two processes that judge at
 * the same time one makes the notice.
 */

/** Facts for the text of an alert: numbers, times in milliseconds since 1970, and words that are no personal data. */
export type AlertFacts = Readonly<Record<string, string | number | null>>;

/** Something that is not well now. */
export interface Condition {
  readonly cause: AlertCause;
  /** What it is about, such as `live refund` or the name of a job; empty when there is only one. */
  readonly subject: string;
  /** How much of it there is: records, events, requests. An alert is repeated when it grows. */
  readonly size: number;
  readonly facts: AlertFacts;
  /** Why it holds: each reason has a cool-down of its own. Absent: it has one reason only. */
  readonly reason?: string;
  /** When it held, if that is over: it is told once, as a recovery. Absent while it holds. */
  readonly over?: { readonly fromMs: number; readonly toMs: number };
}

export interface AlertState extends Omit<Condition, 'over' | 'reason'> {
  readonly openedAtMs: number;
  /** Null while its condition holds. */
  readonly closedAtMs: number | null;
  /** When its condition was last seen to hold. */
  readonly seenAtMs: number;
  /** How often it opened. */
  readonly openings: number;
  /** When the latest notice `opened` or `again` was made, and the size that it told. */
  readonly noticedAtMs: number | null;
  readonly noticedSize: number;
  /** When a notice last told each of the latest reasons. */
  readonly noticedReasons: Readonly<Record<string, number>>;
  /** No notice is made before this. */
  readonly silencedUntilMs: number | null;
}

/** What a notice says. */
export const ALERT_CHANGES = ['opened', 'again', 'recovered'] as const;
export type AlertChange = (typeof ALERT_CHANGES)[number];

/** How often an alert may be told. */
export interface AlertTerms {
  /** No second notice `opened` or `again` within this time. */
  readonly coolDownMs: number;
  /** An alert that stays open without growing is repeated after this time. */
  readonly remindMs: number;
}

export interface Judged {
  readonly alert: AlertState;
  /** Null: nothing is told. */
  readonly change: AlertChange | null;
}

/**
 * The alert after a judgement that found `condition`, which opens it, opens it again or keeps it open; or, when the condition held between
 * two judgements, closes it and tells both at once.
 */
export function afterCondition(
  known: AlertState | null,
  condition: Condition,
  terms: AlertTerms,
  nowMs: number,
): Judged {
  const { over } = condition;
  return over === undefined ? whileHolding(known, condition, terms, nowMs) : afterwards(known, condition, over, nowMs);
}

function afterwards(
  known: AlertState | null,
  condition: Condition,
  { fromMs, toMs }: NonNullable<Condition['over']>,
  nowMs: number,
): Judged {
  if (known !== null && known.closedAtMs === toMs) return { alert: known, change: null }; // told already
  const isOpen = known !== null && known.closedAtMs === null;
  const alert = { ...held(known, condition, nowMs), ...(!isOpen && { openedAtMs: fromMs }), closedAtMs: toMs };
  return { alert, change: isSilenced(alert, nowMs) ? null : 'recovered' };
}

/** The alert after a judgement that found `condition` to hold. */
export function whileHolding(known: AlertState | null, condition: Condition, terms: AlertTerms, nowMs: number): Judged {
  const alert = held(known, condition, nowMs);
  const { reason } = condition;
  if (!mayTell(alert, reason, terms, nowMs)) return { alert, change: null };
  const change = wasTold(alert) ? 'again' : 'opened';
  const noticedReasons = reason === undefined ? {} : withLatest(alert.noticedReasons, reason, nowMs);
  return { alert: { ...alert, noticedAtMs: nowMs, noticedSize: alert.size, noticedReasons }, change };
}

/** The alert after a judgement that did not find its condition; an opening that was never told has no recovery to tell. */
export function afterRecovery(alert: AlertState, nowMs: number): Judged {
  const closed = { ...alert, closedAtMs: nowMs };
  return { alert: closed, change: wasTold(alert) && !isSilenced(alert, nowMs) ? 'recovered' : null };
}

export function isSilenced({ silencedUntilMs }: Pick<AlertState, 'silencedUntilMs'>, nowMs: number): boolean {
  return silencedUntilMs !== null && silencedUntilMs > nowMs;
}

/** Reasons remembered: one that alternates with more others is told each time. */
const MOST_REASONS = 8;

function withLatest(
  reasons: AlertState['noticedReasons'],
  reason: string,
  nowMs: number,
): AlertState['noticedReasons'] {
  const others = Object.entries(reasons).filter(([name]) => name !== reason);
  return Object.fromEntries([...others.slice(1 - MOST_REASONS), [reason, nowMs]]);
}

function held(
  known: AlertState | null,
  { over: _over, reason: _reason, ...condition }: Condition,
  nowMs: number,
): AlertState {
  const untold = { noticedAtMs: null, noticedSize: 0, noticedReasons: {}, silencedUntilMs: null, openings: 0 };
  const before = known ?? untold;
  if (known !== null && known.closedAtMs === null) return { ...known, ...condition, seenAtMs: nowMs };
  const opening = { openedAtMs: nowMs, closedAtMs: null, seenAtMs: nowMs, openings: before.openings + 1 };
  return { ...before, ...condition, ...opening };
}

function mayTell(
  alert: AlertState,
  reason: string | undefined,
  { coolDownMs, remindMs }: AlertTerms,
  nowMs: number,
): boolean {
  if (isSilenced(alert, nowMs)) return false;
  // An alert of an earlier version was told without a reason.
  const isByReason = reason !== undefined && Object.keys(alert.noticedReasons).length > 0;
  const noticedAtMs = isByReason ? (alert.noticedReasons[reason] ?? null) : alert.noticedAtMs;
  if (noticedAtMs === null) return true;
  const sinceMs = nowMs - noticedAtMs;
  if (sinceMs < 0) return true; // told by a clock that was ahead
  if (sinceMs < coolDownMs) return false;
  return !wasTold(alert) || alert.size > alert.noticedSize || sinceMs >= remindMs;
}

/** Whether this opening was told. */
function wasTold({ noticedAtMs, openedAtMs }: AlertState): boolean {
  return noticedAtMs !== null && noticedAtMs >= openedAtMs;
}
