import { formatAmount } from '../../src/domain/money/amount.ts';
import { outcomeText } from '../../src/lists/stuck.ts';
import type { CheckState, RecordDetail, TrackedExpectation } from '../../src/store/records.ts';
import { expectationJson } from './expectation.ts';
import { bold, print, printFacts } from './output.ts';
import { deadline, isoTime, time } from './text.ts';

export function checkJson(check: CheckState | null) {
  if (check === null) return null;
  return {
    startedAt: isoTime(check.startedAtMs),
    leasedUntil: isoTime(check.leasedUntilMs),
    attempts: check.attempts,
    failures: check.failures,
    outcome: check.outcome,
    detail: check.detail,
    outcomeAt: isoTime(check.outcomeAtMs),
    settledAt: isoTime(check.settledAtMs),
    stuckAt: isoTime(check.stuckAtMs),
  };
}

export function trackedJson(tracked: TrackedExpectation | null) {
  return tracked === null ? null : { ...expectationJson(tracked), trackedAt: isoTime(tracked.trackedAtMs) };
}

export function printCheck({ check, tracked, dueAtMs }: RecordDetail): void {
  if (check !== null) {
    const { attempts, failures } = check;
    print(`\n${bold('Status checks')}`);
    printFacts([
      ['started', time(check.startedAtMs)],
      ['outcome', outcomeText(check)],
      [
        'attempts',
        `${attempts} since the record last changed${failures > 0 ? `, the latest ${failures} without a usable answer` : ''}`,
      ],
      ['next', check.leasedUntilMs === null ? nextText(check, dueAtMs) : 'under way'],
    ]);
  }
  if (tracked !== null) {
    print(`\n${bold('Expected')}`);
    printFacts([
      ['amount', tracked.amount === null ? null : formatAmount(tracked.amount)],
      ['currency', tracked.currency],
      ['by', tracked.expectedByMs === null ? '-' : deadline(tracked.expectedByMs)],
      ['tracked', time(tracked.trackedAtMs)],
    ]);
  }
}

function nextText({ stuckAtMs }: CheckState, dueAtMs: number | null): string {
  if (dueAtMs !== null) return time(dueAtMs);
  return stuckAtMs === null ? 'not again' : `not again: stuck since ${time(stuckAtMs)}`;
}
