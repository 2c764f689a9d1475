import { afterAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';
import { payout, TestDatabase } from '../support/test-database.ts';

const PROFILE = datedProfile(
  'wallet',
  { Payout: 'payout' },
  { columns: ['sessionId', 'type'], file: undefined, covers: undefined },
);
const STATEMENT = 'Date,Session,Type,Amount\n2026-11-20,S-1,Payout,-100.00\n';
const DAY = { from: '2026-11-20', to: '2026-11-20' };

const db = new TestDatabase();
db.keepAndApply(
  payout('P-1', 'success', { data: { sessionid: 'S-1' } }),
  payout('P-2', 'success', { data: { sessionid: 'S-1' } }),
);
afterAll(() => db.remove());
const shop = Shop.at(db.folder);
shop.file('wallet.yaml', PROFILE);

test('of two payouts that are the same, the first has the line, in the run and in why', async () => {
  await shop.take('wallet', 'wallet.csv', STATEMENT);
  expect((await shop.reconcile(DAY)).matched).toEqual({ 'records-wallet': 1 });
  const outcomes = async (reference: string) => {
    const [record] = (await shop.json('why', reference)).records;
    return record.matching[0].passes.map((one: { pass: string; outcome: string }) => `${one.pass} ${one.outcome}`);
  };
  expect((await outcomes('P-1')).slice(0, 2)).toEqual(['reference no_line', 'session_id taken']);
  expect((await outcomes('P-2')).slice(0, 2)).toEqual(['reference no_line', 'session_id copy']);
});

test.each([
  { what: 'refunds' },
  { what: 'collections' },
  { what: 'payouts' },
  { what: 'batch-bank' },
  { account: 'wallet' },
])('a run of %j ends no match of the payout that has the line', async (asked) => {
  await shop.reconcile(DAY);
  const before = await shop.matches();
  expect(before).toMatchObject([{ reference: 'P-1', pass: 'session_id', state: 'confirmed' }]);
  await shop.reconcile(DAY, asked);
  expect(await shop.matches()).toEqual(before);
});

test('why says once that a full run found the match anew', async () => {
  await shop.reconcile(DAY, { full: true });
  const [{ id, run: full }] = await shop.matches();
  const text = (await shop.run('why', 'P-1')).stdout;
  expect(text).not.toContain('found it no more');
  expect(text).toContain(
    `Run ${full} matched it with row 2 of statement 1 (records-wallet, by session_id), in place of match ${id - 1}.`,
  );
});

test('a run that ends before the day of the copy ends no match either', async () => {
  const other = new TestDatabase();
  other.keepAndApply(
    payout('P-1', 'success', { data: { sessionid: 'S-1' } }),
    payout('P-2', 'success', { data: { sessionid: 'S-1' }, updatedAt: '2026-11-21T09:00:00.000Z' }),
  );
  const there = Shop.at(other.folder);
  there.file('wallet.yaml', PROFILE);
  await there.take('wallet', 'wallet.csv', STATEMENT);
  await there.reconcile({ from: '2026-11-20', to: '2026-11-21' });
  const before = await there.matches();
  expect(before).toMatchObject([{ reference: 'P-1' }]);
  expect(await there.reconcile(DAY)).toMatchObject({ matched: { 'records-wallet': 1 }, breaks: [] });
  expect(await there.matches()).toEqual(before);
  other.remove();
});
