import type { Condition } from '../domain/alerts/alert.ts';
import { type BurstMark, markBurst } from '../domain/alerts/alert-burst.ts';
import { ALERT_CAUSES, type AlertCause } from '../domain/alerts/alert-cause.ts';
import type { AlertFactsNow } from './alert-facts.ts';
import { ofBooks } from './book-conditions.ts';
import { ofProblem, ofReport } from './problem-conditions.ts';
import { BURST, badSignatures, ofSignals } from './signal-conditions.ts';

/*
 * What of all facts is worth an alert. `problemsOf` judges what `status` and `health` show too; `signal-conditions` what they do not
 * show. Pure.
 */

export interface Conditions {
  readonly conditions: readonly Condition[];
  /** The causes that these facts judge. */
  readonly scope: readonly AlertCause[];
  readonly marks: Readonly<Record<string, BurstMark>>;
}

const BURST_MARK = 'bad_signatures';

/** Everything that is not well, by cause and subject. */
export function conditionsOf(facts: AlertFactsNow): Conditions {
  const { signals, system, problems, serve } = facts;
  const mark = markBurst(signals.marks[BURST_MARK] ?? null, badSignatures(signals), BURST, system.nowMs);
  const conditions = [
    ...(serve === null ? [] : ofReport(serve, system.nowMs)),
    ...problems.flatMap((problem) => ofProblem(problem, facts)),
    ...ofBooks(facts),
    ...ofSignals(facts, mark),
  ];
  return { conditions, scope: scopeOf(facts), marks: { [BURST_MARK]: mark } };
}

function scopeOf({ clockOffsetMs, books, expectServe, serve, eclipsed }: AlertFactsNow): AlertCause[] {
  const unknown: readonly AlertCause[] = [
    ...eclipsed,
    ...(serve === null ? (['not_kept'] as const) : []),
    ...(clockOffsetMs === null ? (['clock_off'] as const) : []),
    ...(books.overdue === null ? (['exceptions_overdue'] as const) : []),
    ...(expectServe ? [] : (['serve_not_running'] as const)),
  ];
  return ALERT_CAUSES.filter((cause) => !unknown.includes(cause));
}
