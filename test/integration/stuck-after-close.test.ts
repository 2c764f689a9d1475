import { beforeAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * A refund of 28 October is pending, and due to be settled within 10 days. October is closed while it is not late. On 7 November it
 * is.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31', period: '2026-10' };
const EARLY = { from: '2026-11-01', to: '2026-11-06', period: '2026-11-01..2026-11-06' };
const LATER = { from: '2026-11-07', to: '2026-11-15', period: '2026-11-07..2026-11-15' };
const LAST = { from: '2026-11-16', to: '2026-11-20', period: '2026-11-16..2026-11-20' };
type Days = typeof OCTOBER;

let shop: Shop;
let frozen = '';
const take = ({ from, to }: Days, ...lines: readonly string[]) =>
  shop.take('wallet', `${from}.csv`, `From,${from},To,${to}\nDate,Reference,Type,Amount\n${lines.join('\n')}\n`);
const reconcile = (days: Days) => shop.reconcile(days);
const codes = ({ breaks }: { breaks: { code: string; reference: string; firstSeen: string }[] }) =>
  breaks.map(({ code, reference, firstSeen }) => `${code} ${reference} ${firstSeen}`);
async function listed({ period }: Days): Promise<string[]> {
  const exceptions = await shop.listed({ period });
  return exceptions.map(({ reference, status }: Record<string, string>) => `${reference} ${status}`);
}
const ofOctober = async () => (await shop.printed('2026-10', 'json')).toString();
const close = ({ period }: Days) => shop.close(period);

beforeAll(async () => {
  const names = { refund_reference: 'R1', transaction_reference: 'T1', external_reference: null, status: 'pending' };
  const money = { amount: '100.00', fee: '0.00', completed_at: null };
  const refund = told('refund', 'R1', { ...names, ...money, requested_at: at(28), updated_at: at(28) });
  shop = await Shop.of([refund]);
  shop.file('wallet.yaml', datedProfile('wallet', { Refund: 'refund' }));
  await take(OCTOBER);
  const october = await reconcile(OCTOBER);
  expect([codes(october), october.timing.map(({ reference }: { reference: string }) => reference)]).toEqual([
    [],
    ['R1'],
  ]);
  await close(OCTOBER);
  frozen = await ofOctober();
  for (const days of [EARLY, LATER, LAST]) await take(days);
});

test('the run of the days in which it became late lists it, and no other', async () => {
  expect(codes(await reconcile(EARLY))).toEqual([]);
  expect(codes(await reconcile(LAST))).toEqual([]);
  for (const _ of ['found', 'found again']) expect(codes(await reconcile(LATER))).toEqual(['stuck R1 2026-11-07']);
  const exceptions = await shop.listed();
  expect(exceptions).toMatchObject([{ code: 'stuck', reference: 'R1', status: 'open', version: 1 }]);
  expect(await listed(LATER)).toEqual(['R1 open']);
  expect(await listed(EARLY)).toEqual([]);
});

test('it is resolved where it stands, and stands nowhere else after that', async () => {
  const exceptions = await shop.listed();
  await close(EARLY);
  const { id } = exceptions[0];
  await shop.resolve([id], { reasonCode: 'other', comment: 'known to be slow' });
  expect(codes(await reconcile(LATER))).toEqual(['stuck R1 2026-11-07']);
  expect(await listed(LATER)).toEqual(['R1 resolved']);
  expect(await listed(EARLY)).toEqual([]);
  await close(LATER);
  const { exceptions: sums } = await shop.report(LATER.period);
  expect(sums.byCode).toMatchObject([{ code: 'stuck', count: 1, open: 0 }]);
  expect(codes(await reconcile(LAST))).toEqual([]);
  expect(await listed(LATER)).toEqual(['R1 resolved']);
  expect(await listed(LAST)).toEqual([]);
  expect(await shop.exception(id)).toMatchObject({ status: 'resolved' });
});

test('October is as it was closed', async () => {
  expect(await ofOctober()).toBe(frozen);
  expect(await reconcile(OCTOBER)).toMatchObject({ breaks: [] });
});
