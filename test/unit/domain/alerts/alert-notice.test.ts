import { expect, test } from 'vitest';
import { afterFailure, besideWaiting, type WaitingNotice } from '../../../../src/domain/alerts/alert-notice.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const waiting = (over: Partial<WaitingNotice> = {}): WaitingNotice => ({
  ...{ change: 'opened', madeAtMs: NOW_MS, attempts: 0, leasedUntilMs: null },
  ...over,
});

test.each<[string, Partial<WaitingNotice>, WaitingNotice['change'], string]>([
  ['an opening that was never sent needs no recovery', {}, 'recovered', 'cancel'],
  ['one that was tried may have arrived', { attempts: 1 }, 'recovered', 'replace'],
  ['one that is being sent is left alone', { attempts: 1, leasedUntilMs: NOW_MS + 1 }, 'recovered', 'add'],
  ['one whose sender is gone is replaced', { attempts: 1, leasedUntilMs: NOW_MS }, 'recovered', 'replace'],
  ['a waiting opening tells the growth too', {}, 'again', 'keep'],
  ['a repetition that waits gives way to the recovery', { change: 'again' }, 'recovered', 'replace'],
  ['a recovery that waits gives way to the next opening', { change: 'recovered' }, 'opened', 'replace'],
])('%s', (_, before, news, what) => {
  expect(besideWaiting(waiting(before), news, NOW_MS)).toBe(what);
});

test('a failed notice is tried after 1, 2, 4 … 60 minutes, and given up after a day', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 20].map((attempts) => {
    const after = afterFailure(waiting({ attempts }), NOW_MS);
    return after.state === 'waiting' ? (after.dueAtMs - NOW_MS) / MINUTE_MS : null;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  const dayMs = 24 * 60 * MINUTE_MS;
  expect(afterFailure(waiting({ attempts: 30 }), NOW_MS + dayMs - 1).state).toBe('waiting');
  expect(afterFailure(waiting({ attempts: 30 }), NOW_MS + dayMs)).toEqual({ state: 'given_up' });
});
