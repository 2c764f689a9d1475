import { formatAmount } from '../../src/domain/amount.ts';
import type { Asking, RecordDetail, TrackedExpectation } from '../../src/store/records.ts';
import { expectationJson } from './expectation.ts';
import { isoTime, printFacts } from './facts.ts';
import { bold, print } from './output.ts';
import { time } from './text.ts';

// How asking the service about a record goes, and what was expected of it.

export function askingJson(asking: Asking | null) {
  if (asking === null) return null;
  return {
    askedAt: isoTime(asking.askedAtMs),
    leasedUntil: isoTime(asking.leasedUntilMs),
    attempts: asking.attempts,
    failures: asking.failures,
    outcome: asking.outcome,
    detail: asking.detail,
    outcomeAt: isoTime(asking.outcomeAtMs),
    settledAt: isoTime(asking.settledAtMs),
    stuckAt: isoTime(asking.stuckAtMs),
  };
}

export function trackedJson(tracked: TrackedExpectation | null) {
  return tracked === null ? null : { ...expectationJson(tracked), trackedAt: isoTime(tracked.trackedAtMs) };
}

export function printAsking({ asking, tracked, dueAtMs }: RecordDetail): void {
  if (asking !== null) {
    const { attempts, failures } = asking;
    print(`\n${bold('Asking the service')}`);
    printFacts([
      ['asked', time(asking.askedAtMs)],
      ['outcome', outcomeText(asking)],
      ['attempts', `${attempts} since there was news${failures > 0 ? `, ${failures} in vain at the end` : ''}`],
      ['next', asking.leasedUntilMs === null ? nextText(asking, dueAtMs) : 'being asked now'],
    ]);
  }
  if (tracked !== null) {
    print(`\n${bold('Expected')}`);
    printFacts([
      ['amount', tracked.amount === null ? null : formatAmount(tracked.amount)],
      ['currency', tracked.currency],
      ['by', time(tracked.expectedByMs)],
      ['tracked', time(tracked.trackedAtMs)],
    ]);
  }
}

/** `not_found: There is no …`, or what it was alone. */
export function outcomeText({ outcome, detail }: Asking): string {
  if (outcome === null) return 'no answer yet';
  return detail === null ? outcome : `${outcome}: ${detail}`;
}

function nextText({ stuckAtMs }: Asking, dueAtMs: number | null): string {
  if (dueAtMs !== null) return time(dueAtMs);
  return stuckAtMs === null ? 'not again' : `not again: stuck since ${time(stuckAtMs)}`;
}
