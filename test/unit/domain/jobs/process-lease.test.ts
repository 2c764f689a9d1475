import { expect, test } from 'vitest';
import { isOver, RUN_LEASE_MS } from '../../../../src/domain/jobs/process-lease.ts';

const [NOW_MS, LEASE_MS] = [1_000_000, 60_000];

test.each([
  ['under a lease', NOW_MS + 1, false, false],
  ['under the longest lease', NOW_MS + LEASE_MS, false, false],
  ['when the lease is over', NOW_MS, false, true],
  ['when its process is gone', NOW_MS + 1, true, true],
  ['under a lease that was renewed while the other process waited for the lock', NOW_MS + LEASE_MS + 1, false, false],
  ['under a lease that only a wrong clock could give', NOW_MS + 2 * LEASE_MS + 1, false, true],
])('another process may take over: %s', (_, leasedUntilMs, isGone, expected) => {
  expect(isOver({ leasedUntilMs, isGone }, NOW_MS, LEASE_MS)).toBe(expected);
});

test('a run of the reconciliation may be silent for ten minutes', () => {
  expect(RUN_LEASE_MS).toBe(600_000);
});
