import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import { parseAmount } from '../../../../../src/domain/money/amount.ts';
import type { ServiceAnswer } from '../../../../../src/store/checks.ts';
import type { OpenOperations } from '../../../../../src/store/store.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { openOperations } from '../../../../support/operations.ts';
import { delivery, START_MS, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
let operations: OpenOperations;
let clock: FixedClock;
beforeEach(() => {
  db = new TestDatabase();
  clock = new FixedClock();
  operations = openOperations(db.path, STANDARD_CHECK_RULES, clock);
});
afterEach(() => {
  operations.close();
  db.remove();
});

const paid = (reference: string, amount: string) =>
  delivery({
    notify: 'transaction',
    notifyType: 'successful',
    data: { reference, requested_amount: amount, currency: 'NGN' },
  });
const statusOf = (reference: string, environment: 'test' | 'live' = 'test') =>
  operations.checks.confirmedStatus({ kind: 'collection', environment, reference });

/** The service answers about `C1`. */
async function says(status: string, requestedAmount: string | null, nowMs: number, currency = 'NGN'): Promise<void> {
  const filter = { kinds: ['collection'], environments: ['test'], reference: 'C1' } as const;
  clock.ms = nowMs;
  const [leased] = await operations.checks.lease({ filter, limit: 1, leaseMs: 1_000 });
  if (leased === undefined) throw new Error('not leased');
  const { counter, kind, recordId } = leased;
  const amount = requestedAmount === null ? null : parseAmount(requestedAmount);
  const facts = { requestedAmount: amount, currency };
  const stated = { status, time: null, facts, details: {}, times: {}, unreadable: [], contradiction: false };
  const answer: ServiceAnswer = { stated, digest: `${counter}` };
  await operations.checks.finish([{ counter, kind, recordId, outcome: 'answered', answer, detail: null }]);
}

const track = (minor: number | null, currency: string | null) =>
  db.database
    .prepare(
      "INSERT INTO tracked (kind, record_id, amount_minor, currency, tracked_at) VALUES ('collection', 1, ?, ?, 0)",
    )
    .run(minor, currency);

test('null without a record; a record without a check has no status yet', async () => {
  db.keepAndApply(paid('C1', '40.00'));
  expect(await statusOf('C2')).toBeNull();
  expect(await statusOf('C1', 'live')).toBeNull();
  expect(await statusOf('C1')).toEqual({
    reference: 'C1',
    status: null,
    answerAgeMs: null,
    amount: null,
    currency: null,
    disputed: false,
  });
});

test('the latest answer counts, with what it says is to be paid', async () => {
  db.keepAndApply(paid('C1', '40.00'));
  await says('pending', null, START_MS);
  await says('success', '40', START_MS + 10);
  clock.ms += 7;
  expect(await statusOf('C1')).toEqual({
    reference: 'C1',
    status: 'success',
    answerAgeMs: 7,
    amount: '40.00',
    currency: 'NGN',
    disputed: false,
  });
});

test.each([
  ['the amount that was expected', 4_000, 'NGN', false],
  ['no amount in particular', null, null, false],
  ['another amount', 4_001, 'NGN', true],
  ['another currency', 4_000, 'USD', true],
])('tracked with %s', async (_name, minor, currency, disputed) => {
  db.keepAndApply(paid('C1', '40.00'));
  track(minor, currency);
  await says('success', '40', START_MS);
  expect(await statusOf('C1')).toMatchObject({ status: 'success', disputed });
});

test('an amount that another witness contradicts is disputed, and other findings are not about the amount', async () => {
  db.keepAndApply(paid('C1', '40.00'));
  await says('success', '41', START_MS);
  expect(await statusOf('C1')).toMatchObject({ amount: '41.00', disputed: true });
  db.database.prepare("UPDATE findings SET code = 'variant'").run();
  expect(await statusOf('C1')).toMatchObject({ disputed: false });
  db.database.prepare("UPDATE findings SET code = 'amount_unexpected'").run();
  expect(await statusOf('C1')).toMatchObject({ disputed: true });
  db.database.prepare('UPDATE findings SET closed_at = 1').run();
  expect(await statusOf('C1')).toMatchObject({ disputed: false });
});
