import { afterEach, beforeEach, expect, test } from 'vitest';
import { LeasedChecks, type LeasedChecksOrder } from '../../../src/confirm/leased-checks.ts';
import { STANDARD_CHECK_RULES } from '../../../src/domain/checks/next-check.ts';
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import type { Checks, LeasedCheck, LeaseOrder } from '../../../src/store/checks.ts';
import { openOperations } from '../../support/operations.ts';
import { refund, START_MS, TestDatabase } from '../../support/test-database.ts';

const LEASE_MS = 60_000;

let db: TestDatabase;
let operations: ReturnType<typeof openOperations>;
let nowMs: number;
let leases: LeaseOrder[];
/** Runs while a lease is under way. */
let meanwhile: () => Promise<void> = async () => {};

beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(
    ...[1, 2, 3, 4].map((n) => refund(`T${n}`, 'pending')),
    ...[1, 2, 3, 4].map((n) => refund(`L${n}`, 'pending', {}, { environment: 'live' })),
  );
  operations = openOperations(db.path, { ...STANDARD_CHECK_RULES, jitter: 0 });
  nowMs = START_MS;
  leases = [];
  meanwhile = async () => {};
});
afterEach(() => {
  operations.close();
  db.remove();
});

function leasedChecks(order: Partial<LeasedChecksOrder> = {}): LeasedChecks {
  const filter = { kinds: RECORD_KINDS, environments: ENVIRONMENTS };
  const checks: Checks = {
    ...operations.checks,
    async lease(wanted) {
      leases.push(wanted);
      const all = await operations.checks.lease(wanted);
      await meanwhile();
      return all;
    },
  };
  return new LeasedChecks(
    checks,
    { filter, limit: null, leaseMs: LEASE_MS, batch: 2, ahead: 1, ...order },
    { nowMs: () => nowMs },
  );
}

async function rest(of: LeasedChecks): Promise<LeasedCheck[]> {
  const all: LeasedCheck[] = [];
  for (let next = await of.next(); next !== null; next = await of.next()) all.push(next);
  return all;
}

const leased = () =>
  db.database.prepare<[], number>('SELECT count(*) FROM checks WHERE leased_until IS NOT NULL').pluck().get();

test('hands out every due record once, and no more than the limit', async () => {
  expect((await rest(leasedChecks({ limit: 3 }))).length).toBe(3);
  const references = (await rest(leasedChecks())).map(({ reference }) => reference);
  expect(new Set(references).size).toBe(references.length);
  expect(references.length).toBe(5);
});

test('leases the next batch only when no more than `ahead` are left', async () => {
  const all = leasedChecks({ batch: 4, ahead: 1 });
  await all.next();
  await all.next();
  expect(leases.length).toBe(1); // three and two were left
  await all.next();
  await all.next();
  expect(leases.length).toBe(2);
});

test('a check that waits until its lease is over is released, does not count, and another takes its place', async () => {
  const all = leasedChecks({ limit: 4, batch: 4 });
  await all.next();
  nowMs += LEASE_MS;
  expect((await rest(all)).length).toBe(3);
  await all.close();
  expect(leased()).toBe(4);
});

test('a check excluded while it is being leased is not handed out, and is released', async () => {
  const all = leasedChecks({ batch: 8 });
  meanwhile = () => all.exclude('live');
  const handed = await rest(all);
  expect(handed.map(({ environment }) => environment)).toEqual(['test', 'test', 'test', 'test']);
  expect(leased()).toBe(4);
});

test('a check excluded when the limit is reached does not count either', async () => {
  const all = leasedChecks({ limit: 3, batch: 3, ahead: 2 });
  const taken = [await all.next(), await all.next()];
  await all.exclude(taken[1]?.environment as Environment);
  expect((await rest(all)).length).toBe(1);
});

test('close releases the checks that were not taken', async () => {
  const all = leasedChecks({ batch: 8 });
  await all.next();
  await all.close();
  expect(leased()).toBe(1);
  expect(await all.next()).toBe(null);
});
