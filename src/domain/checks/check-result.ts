import type { Finding, FindingCode } from '../findings/finding.ts';
import { isSettled, type RecordKind } from '../records/lifecycle.ts';
import { compareConfirmed } from '../records/observation.ts';
import type { RecordState } from '../records/observe.ts';
import {
  type AnswerContradiction,
  type CheckedRecord,
  type NextCheck,
  type Outcome,
  UNCOUNTED_OUTCOMES,
} from './check.ts';
import type { CheckFacts } from './check-lease.ts';

type StatedStatuses = Pick<RecordState, 'reported' | 'confirmed'>;

export interface EndedCheck {
  readonly kind: RecordKind;
  /** As its lease left it. */
  readonly check: CheckFacts;
  readonly outcome: Outcome;
  readonly detail: string | null;
  /** What the unusable answer contradicted; missing when it contradicted nothing. */
  readonly contradiction?: AnswerContradiction;
  /** The status in the answer; null without one. */
  readonly answered: string | null;
  /** Of a check of a record that was not due: while nothing is settled, the record stays due then at the latest. */
  readonly extra?: { readonly dueAtMs: number | null };
  /** The record before, and with the answer. */
  readonly before: StatedStatuses & { readonly dueAtMs: number | null };
  readonly after: StatedStatuses;
  readonly nowMs: number;
}

/** What a finished check changed. */
export interface CheckEffect {
  readonly counter: number;
  /** False: the lease was over, so nothing was written. */
  readonly accepted: boolean;
  readonly confirmed: string | null;
  /** The confirmed status differs from the one before. */
  readonly changed: boolean;
  /** The record is settled now and was not before. */
  readonly settled: boolean;
  /** The confirmed status is ahead of every webhook: a webhook was lost, and the check repairs it. */
  readonly repaired: boolean;
  /** The confirmed status is behind or beside the reported one. */
  readonly disagreed: boolean;
  /** The record is tracked and past its date, and the check brought no answer either. */
  readonly overdue: boolean;
  readonly stuck: boolean;
  readonly dueAtMs: number | null;
}

/** What is written of a finished check. */
export interface CheckResult {
  readonly check: Pick<CheckFacts, 'attempts' | 'failures' | 'settledAtMs' | 'stuckAtMs'>;
  readonly findings: readonly Finding[];
  /** The codes of which `findings` has all. */
  readonly scope: readonly FindingCode[];
  /** `overdue` is left to the review of the expectation. */
  readonly effect: CheckEffect;
}

/** Findings that every check opens or closes; `other_answer` and those of lists and expectations are not among them. */
const FOUND_BY_EVERY_CHECK: readonly FindingCode[] = ['stuck', 'unaskable'];

/** Returns what a check that counts does to its record. Pure, as far as `nextCheck` is. */
export function checkResult(ended: EndedCheck, nextCheck: (record: CheckedRecord) => NextCheck): CheckResult {
  const { kind, check, outcome, contradiction, answered, extra, before, nowMs } = ended;
  const blameless = UNCOUNTED_OUTCOMES.includes(outcome);
  // An extra check counts as no attempt.
  const attempts = extra === undefined && !blameless ? check.attempts : Math.max(check.attempts - 1, 0);
  // A visitor who causes contradicting answers must not end the watching of a settled record.
  const contradictedVisit = extra !== undefined && contradiction !== undefined;
  const failures = hasAnswer(outcome) ? 0 : check.failures + Number(!blameless && !contradictedVisit);
  const { ahead, ...compared } = comparisonOf(kind, ended.after);
  const { confirmed, lagging } = compared;
  const settled = isSettledAt(kind, confirmed);
  // A time in the future was written by a clock that was ahead: watching would start again when it comes.
  const settledAtMs = settled ? Math.min(check.settledAtMs ?? nowMs, nowMs) : null;
  const doubted = answered !== null && answered !== confirmed;
  let next = nextCheck({ ...compared, doubted, kind, outcome, attempts, failures, settledAtMs, nowMs });
  if (!settled && typeof extra?.dueAtMs === 'number') next = noLaterThan(next, extra.dueAtMs);
  // A leased record is due when its lease is over; any other due time is news that came during the check.
  if (before.dueAtMs !== null && before.dueAtMs !== check.leasedUntilMs) next = noLaterThan(next, before.dueAtMs);
  const confirmedBefore = before.confirmed?.status ?? null;
  const changed = confirmed !== confirmedBefore;
  return {
    check: { attempts, failures, settledAtMs, stuckAtMs: next.stuck ? (check.stuckAtMs ?? nowMs) : null },
    findings: foundBy(ended, next),
    // A check without any answer proves nothing about an earlier contradiction.
    scope:
      hasAnswer(outcome) || contradiction !== undefined
        ? [...FOUND_BY_EVERY_CHECK, 'other_answer']
        : FOUND_BY_EVERY_CHECK,
    effect: {
      counter: check.counter,
      accepted: true,
      confirmed,
      changed,
      settled: settled && !isSettledAt(kind, confirmedBefore),
      repaired: ahead && changed && isAnnounced(kind, confirmed),
      disagreed: outcome === 'answered' && lagging,
      overdue: false,
      ...next,
    },
  };
}

/** The effect of a check that does not count. */
export function refusedCheck(counter: number): CheckEffect {
  const nothing = { changed: false, settled: false, repaired: false, disagreed: false, overdue: false, stuck: false };
  return { counter, accepted: false, confirmed: null, ...nothing, dueAtMs: null };
}

/** The confirmed status beside the reported one. */
function comparisonOf(kind: RecordKind, { reported, confirmed }: StatedStatuses) {
  const place = reported === null || confirmed === null ? 0 : compareConfirmed(kind, confirmed, reported);
  return {
    reported: reported?.status ?? null,
    confirmed: confirmed?.status ?? null,
    lagging: place === -1 || place === null,
    ahead: confirmed !== null && (reported === null || place === 1),
  };
}

function hasAnswer(outcome: Outcome): boolean {
  return outcome === 'answered' || outcome === 'pending';
}

function isSettledAt(kind: RecordKind, status: string | null): boolean {
  return status !== null && isSettled(kind, status);
}

/** Whether the service sends a webhook for this status: for all of a refund, for settled ones of the others (interface 6). */
function isAnnounced(kind: RecordKind, status: string | null): boolean {
  return status !== null && (kind === 'refund' || isSettled(kind, status));
}

function noLaterThan({ dueAtMs }: NextCheck, latestMs: number): NextCheck {
  return { dueAtMs: Math.min(latestMs, dueAtMs ?? latestMs), stuck: false };
}

function foundBy({ outcome, detail, contradiction, check }: EndedCheck, { stuck }: NextCheck): Finding[] {
  const found: Finding[] = [];
  if (stuck) {
    const last = detail === null ? outcome : `${outcome}: ${detail}`;
    const text = `not settled after ${check.attempts} checks; the last: ${last}`;
    found.push({ code: 'stuck', subject: 'status', detail: text });
  }
  if (outcome === 'unaskable') {
    const text = 'this reference cannot be part of a path of the service';
    found.push({ code: 'unaskable', subject: 'reference', detail: text });
  }
  if (contradiction !== undefined) {
    found.push({ code: 'other_answer', subject: contradiction.about, detail: contradiction.detail });
  }
  return found;
}
