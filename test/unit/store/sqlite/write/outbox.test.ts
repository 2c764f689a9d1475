import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../../../src/store/open.ts';
import type { OpenOperations } from '../../../../../src/store/store.ts';
import { checked } from '../../../../support/check.ts';
import { FixedClock, START_MS } from '../../../../support/fixed-clock.ts';
import { payout, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
let clock: FixedClock;
let operations: OpenOperations;
beforeEach(async () => {
  db = new TestDatabase();
  clock = new FixedClock();
  operations = await openStore(db.path, { clock }).operations();
});
afterEach(async () => {
  await operations.close();
  db.remove();
});

test('news whose record cannot be read waits by itself, says why, and leaves once the record is mended', async () => {
  const target = { name: 'shop', environments: ['test'], kinds: ['payout'], when: 'confirmed' } as const;
  await operations.outbox.plan({ targets: [{ ...target, news: 'settled', events: null }] });
  db.keepAndApply(payout('P1', 'pending'), payout('P2', 'pending'));
  for (const reference of ['P1', 'P2']) await checked(db, reference, 'success', { kind: 'payout', nowMs: START_MS });
  const feeOf = db.database.prepare<[string | null]>("UPDATE payouts SET fee_exact = ? WHERE reference = 'P1'");
  feeOf.run('a damaged value');

  const open = {
    name: 'shop',
    concurrency: 4,
    free: 4,
    timeoutMs: 10_000,
    includeBody: false,
    longestWaitMs: 3_600_000,
  };
  const leased = async () =>
    (await operations.outbox.exchange({ ended: [], open: [open] })).leased.map((row) => row.reference);
  expect(await leased()).toEqual(['P2']);
  expect(await leased()).toEqual([]);
  const attempts = db.database.prepare('SELECT outcome, detail FROM outbox_attempts WHERE ended_at IS NOT NULL').all();
  expect(attempts).toEqual([{ outcome: 'unreadable', detail: expect.stringContaining('cannot be read: AmountError') }]);

  feeOf.run(null);
  clock.ms += 60_000;
  expect(await leased()).toContain('P1');
});
