import { afterAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';
import { payout, TestDatabase } from '../support/test-database.ts';

const profile = (kind: string) =>
  datedProfile(
    kind,
    { Payout: 'payout' },
    { columns: ['reference', 'sessionId', 'type'], file: undefined, covers: undefined },
  );

const databases: TestDatabase[] = [];
afterAll(() => {
  for (const database of databases) database.remove();
});

const DAYS = { from: '2026-10-20', to: '2026-10-30' };

interface Twins {
  /** The time at which each payout was made, by the service. */
  readonly payouts: Readonly<Record<string, string>>;
  /** The reference and session of each payout line. */
  readonly wallet: readonly string[];
  readonly ledger?: readonly string[];
  /** The first day of the statements. */
  readonly from?: number;
}

/** Payouts of one session, amount and destination, and statements of 20 to 30 October, or of later days. */
async function made({ payouts, wallet, ledger = [], from = 20 }: Twins) {
  const db = new TestDatabase();
  databases.push(db);
  const deliveries = Object.entries(payouts).map(([reference, updatedAt]) =>
    payout(reference, 'success', { data: { sessionid: 'S-1' }, updatedAt: `2026-10-${updatedAt}.000Z` }),
  );
  db.keepAndApply(...deliveries);
  const shop = Shop.at(db.folder);
  for (const [kind, lines] of Object.entries({ wallet, ledger })) {
    if (lines.length === 0) continue;
    shop.file(`${kind}.yaml`, profile(kind));
    // Lines of other payouts, so that the days of all are covered, and what is not there is due.
    const own = lines.map((keys) => `2026-10-21,${keys},Payout,-100.00`);
    const rows = [`2026-10-${from},X-1,,Payout,-1.00`, ...own, '2026-10-30,X-2,,Payout,-1.00'];
    await shop.take(kind, `${kind}.csv`, `Date,Reference,Session,Type,Amount\n${rows.join('\n')}\n`);
  }
  return shop;
}

/** The breaks of such payouts: code, reference, leg, effect and both values. */
async function breaksOf(twins: Twins) {
  const shop = await made(twins);
  const { breaks, proof } = await shop.reconcile(DAYS);
  expect(proof.map((one: { unexplained: string }) => one.unexplained)).toEqual(proof.map(() => '0.00'));
  return breaks
    .filter(({ reference }: { reference: string }) => !reference.startsWith('X-'))
    .map((one: Record<string, string>) => [one.code, one.reference, one.leg, one.effect, one.ours, one.theirs]);
}

test.each([
  ['earlier', '21T10:32:00', '21T15:18:00'],
  ['later', '21T15:18:00', '21T10:32:00'],
  ['of the day before', '20T10:32:00', '21T15:18:00'],
])('the copy is the payout without a line, also when its time is %s', async (_, copied, stands) => {
  const found = await breaksOf({ payouts: { 'P-49': stands, 'P-50': copied }, wallet: ['P-49,S-1'] });
  expect(found).toEqual([['duplicate_internal', 'P-50', 'records-wallet', '100.00', '100.00', null]]);
});

test('the passes of a copy name the payout that takes the line of their session', async () => {
  const shop = await made({ payouts: { 'P-11': '21T09:00:00', 'P-12': '21T10:00:00' }, wallet: ['OTHER,S-1'] });
  const sessionPass = async (reference: string) => {
    const { records } = await shop.json('why', reference);
    const [{ passes }] = records[0].matching;
    return passes.find(({ pass }: { pass: string }) => pass === 'session_id');
  };
  expect(await sessionPass('P-11')).toMatchObject({ outcome: 'taken' });
  expect(await sessionPass('P-12')).toMatchObject({
    outcome: 'copy',
    text: 'another payout, P-11, has the same session id and takes its line',
  });
});

test('of three, the one with the line stands for both others', async () => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T10:00:00', 'P-3': '21T11:00:00' };
  expect(await breaksOf({ payouts, wallet: ['P-2,'] })).toEqual([
    ['duplicate_internal', 'P-1', 'records-wallet', '100.00', '100.00', null],
    ['duplicate_internal', 'P-3', 'records-wallet', '100.00', '100.00', null],
  ]);
});

test('the one with the wallet line stands in the ledger, too, where the books have the other one', async () => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T10:00:00' };
  const twice = ['duplicate_internal', 'P-2'];
  expect(await breaksOf({ payouts, wallet: ['P-1,S-1'], ledger: ['P-2,S-1'] })).toEqual([
    [...twice, 'records-ledger', '100.00', '100.00', null],
    [...twice, 'records-wallet', '100.00', '100.00', null],
  ]);
});

// The wallet paid one of them, and the books have both: they are 100.00 apart, by one payout.
test.each([
  ['P-1', 'P-2'],
  ['P-2', 'P-1'],
])('where the wallet has %s and the ledger both, %s alone is the copy', async (stands, copied) => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T10:00:00' };
  expect(await breaksOf({ payouts, wallet: [`${stands},S-1`], ledger: ['P-1,S-1', 'P-2,S-1'] })).toEqual([
    ['duplicate_internal', copied, 'records-wallet', '100.00', '100.00', null],
  ]);
});

test('where the ledger has one of them and the wallet both, the second is the copy', async () => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T10:00:00' };
  expect(await breaksOf({ payouts, wallet: ['P-1,S-1', 'P-2,S-1'], ledger: ['P-2,S-1'] })).toEqual([
    ['duplicate_internal', 'P-2', 'records-ledger', '100.00', '100.00', null],
  ]);
});

test('where both have a line, the second is named without an effect', async () => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T08:00:00' };
  expect(await breaksOf({ payouts, wallet: ['P-1,S-1', 'P-2,S-1'] })).toEqual([
    ['duplicate_internal', 'P-2', null, '0.00', '100.00', null],
  ]);
});

test('where none has a line, the first by day and reference is missing, and the other one its copy', async () => {
  const payouts = { 'P-1': '21T09:00:00', 'P-2': '21T08:00:00' };
  expect(await breaksOf({ payouts, wallet: ['X-3,'] })).toEqual([
    ['duplicate_internal', 'P-2', 'records-wallet', '100.00', '100.00', null],
    ['missing_external', 'P-1', 'records-wallet', '100.00', '100.00', null],
  ]);
});

test('a copy that no statement covers is carried while the other payout is there, whichever comes first', async () => {
  const shop = await made({ payouts: { 'P-1': '20T09:00:00', 'P-2': '21T08:00:00' }, wallet: ['P-2,S-1'], from: 21 });
  await shop.reconcile(DAYS);
  const listed = () => shop.listed({ code: ['duplicate_internal'] });
  const [found] = await listed();
  expect(found).toMatchObject({ reference: 'P-1', leg: null, status: 'open' });
  await shop.resolve([found.id], { resolution: 'carry', reasonCode: 'next_period' });
  await shop.reconcile({ from: '2026-11-01', to: '2026-11-05' });
  expect(await listed()).toMatchObject([{ id: found.id, status: 'resolved', resolution: 'carry' }]);
});
