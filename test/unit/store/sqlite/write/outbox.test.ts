import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import { checked } from '../../../../support/check.ts';
import { FixedClock, START_MS } from '../../../../support/fixed-clock.ts';
import { type OpenOperations, openOperations } from '../../../../support/operations.ts';
import { payout, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
let clock: FixedClock;
let operations: OpenOperations;
beforeEach(() => {
  db = new TestDatabase();
  clock = new FixedClock();
  operations = openOperations(db.path, STANDARD_CHECK_RULES, clock);
});
afterEach(async () => {
  await operations.close();
  db.remove();
});

/** Two payouts that were confirmed; returns how the due rows are leased. */
async function confirmedPayouts() {
  const target = { name: 'shop', environments: ['test'], kinds: ['payout'], when: 'confirmed' } as const;
  await operations.outbox.plan({ targets: [{ ...target, news: 'settled', events: null }] });
  db.keepAndApply(payout('P1', 'pending'), payout('P2', 'pending'));
  for (const reference of ['P1', 'P2']) await checked(db, reference, 'success', { kind: 'payout', nowMs: START_MS });
  const limits = { concurrency: 4, free: 4, timeoutMs: 10_000, longestWaitMs: 3_600_000 };
  const open = { name: 'shop', includeBody: false, ...limits };
  return async () => (await operations.outbox.exchange({ ended: [], open: [open] })).leased;
}

test.each([
  ['record', 'UPDATE outbox SET record_id = 99 WHERE', 'the database has no such record'],
  ['move', 'UPDATE outbox SET n = 77 WHERE', 'the database has no such move of the confirmed status'],
])('news whose %s is not there is not sent as other news', async (_what, damage, said) => {
  const lease = await confirmedPayouts();
  db.database.exec(`${damage} reference = 'P1'`);
  expect((await lease()).map(({ reference }) => reference)).toEqual(['P2']);
  const outcomes = db.database.prepare('SELECT outcome, detail FROM outbox_attempts WHERE ended_at IS NOT NULL');
  expect(outcomes.all()).toEqual([{ outcome: 'unreadable', detail: expect.stringContaining(said) }]);
});

test.each([
  ['damaged', "CAST(replace(CAST(payload AS TEXT), 'success', 'failure') AS BLOB)", 'does not match its digest'],
  ['pruned', 'NULL', 'its body was pruned'],
])('a body that was %s between two attempts is not sent, nor another one under its id', async (_how, value, said) => {
  const lease = await confirmedPayouts();
  expect(await lease()).toHaveLength(2);
  db.database.exec(`UPDATE outbox SET payload = ${value} WHERE reference = 'P1'`);
  clock.ms += 60_000;
  expect((await lease()).map(({ reference }) => reference)).toEqual(['P2']);
  const last = db.database.prepare('SELECT outcome, detail FROM outbox_attempts ORDER BY attempt DESC, ended_at DESC');
  expect(last.get()).toEqual({ outcome: 'unreadable', detail: expect.stringContaining(said) });
});

test('news whose record cannot be read waits by itself, says why, and leaves once the record is mended', async () => {
  const lease = await confirmedPayouts();
  const leased = async () => (await lease()).map(({ reference }) => reference);
  const feeOf = db.database.prepare<[string | null]>("UPDATE payouts SET fee_exact = ? WHERE reference = 'P1'");
  feeOf.run('a damaged value');
  expect(await leased()).toEqual(['P2']);
  expect(await leased()).toEqual([]);
  const attempts = db.database.prepare('SELECT outcome, detail FROM outbox_attempts WHERE ended_at IS NOT NULL').all();
  expect(attempts).toEqual([{ outcome: 'unreadable', detail: expect.stringContaining('cannot be read: AmountError') }]);

  feeOf.run(null);
  clock.ms += 60_000;
  expect(await leased()).toContain('P1');
});
