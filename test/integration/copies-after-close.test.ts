import { beforeAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * October is closed with the payouts P1 and P3, of which P3 is not settled, and with C1, of which R1 gave back 60.00. Then P2 becomes known,
 * which is P1 once more, and R2, which gives back 60.00 again: both are dated in October. In November P3 succeeds, and is reversed.
 */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const FIRST = { from: '2026-11-01', to: '2026-11-10' };
const SECOND = { from: '2026-11-11', to: '2026-11-20' };
const name = ({ from, to }: typeof FIRST) => `${from}..${to}`;
const FOUND = ['amount_mismatch C1', 'duplicate_internal P2'];

const payout = (reference: string, over: Record<string, string> = {}) =>
  told('payout', reference, {
    ...{ amount: '500.00', fee: '0.00', stamp_duty: '0.00', sessionid: 'S-1', created_at: at(5), updated_at: at(5) },
    ...{ bank_code: '001', account_number: '0123456789', ...over },
  });
const P3 = { sessionid: 'S-3', created_at: at(31), updated_at: at(31) };
const refund = (reference: string) =>
  told('refund', reference, {
    ...{ refund_reference: reference, transaction_reference: 'C1', external_reference: null, fee: '0.00' },
    ...{ amount: '60.00', total_reserved: '60.00', requested_at: at(6), completed_at: at(6), updated_at: at(6) },
  });
let shop: Shop;
const found = ({ breaks }: { breaks: Record<string, string>[] }) =>
  breaks.map(({ code, reference }) => `${code} ${reference}`).sort();

beforeAll(async () => {
  shop = await Shop.of([payout('P1'), payout('P3', { ...P3, status: 'pending' }), sale('C1', '100.00'), refund('R1')]);
  // Nothing moves in the bank: no leg compares the records with it.
  shop.file('bank.yaml', datedProfile('bank', { Settlement: 'settlement' }));
  for (const { from, to } of [OCTOBER, FIRST, SECOND])
    await shop.take('bank', `${from}.csv`, `From,${from},To,${to}\nDate,Reference,Type,Amount\n`);
  expect(found(await shop.reconcile(OCTOBER))).toEqual([]);
  await shop.close('2026-10');
  await shop.tell([payout('P2'), refund('R2'), payout('P3', { ...P3, updated_at: '2026-11-02T10:00:00Z' })]);
  await shop.tell([payout('P3', { ...P3, status: 'reversed', updated_at: '2026-11-05T10:00:00Z' })]);
});

test('what repeats a payout of a closed month, or refunds more than it collected, is found in the next one, once', async () => {
  expect(found(await shop.reconcile(SECOND))).toEqual([]);
  for (const _ of ['found', 'found again']) expect(found(await shop.reconcile(FIRST))).toEqual(FOUND);
  expect((await shop.listed()).map(({ status, version }: Record<string, string>) => [status, version])).toEqual([
    ['open', 1],
    ['open', 1],
  ]);
});

test('the closed month says what came of its days, each once, and stays as it was', async () => {
  const { sinceClose } = await shop.json('period', 'show', '2026-10');
  const came = sinceClose.map(({ what, reference }: Record<string, string>) => `${what} ${reference}`);
  expect(came.sort()).toEqual(['late payout P2', 'late refund R2']);
  expect(found(await shop.reconcile(OCTOBER))).toEqual([]);
});

test('what is decided of it in the next month stands nowhere else after that', async () => {
  const ids = (await shop.listed()).map(({ id }: { id: string }) => id);
  await shop.resolve(ids, { reasonCode: 'other', comment: 'known' });
  // The run that is closed was before the decision.
  await shop.close(name(FIRST));
  expect(found(await shop.reconcile(SECOND))).toEqual([]);
  expect((await shop.listed()).map(({ status }: Record<string, string>) => status)).toEqual(['resolved', 'resolved']);
});

test('with a statement of the wallet the copy is a late item of the next month, and carried after that', async () => {
  const wallet = await Shop.of([payout('P1')]);
  wallet.file('wallet.yaml', datedProfile('wallet', { Payout: 'payout', Other: 'adjustment' }));
  for (const [{ from, to }, line] of [
    [OCTOBER, '2026-10-05,P1,Payout,-500.00\n'],
    [FIRST, '2026-11-02,,Other,1.00\n'],
    [SECOND, '2026-11-12,,Other,1.00\n'],
  ] as const)
    await wallet.take('wallet', `${from}.csv`, `From,${from},To,${to}\nDate,Reference,Type,Amount\n${line}`);
  expect(found(await wallet.reconcile(OCTOBER))).toEqual([]);
  await wallet.close('2026-10');
  await wallet.tell([payout('P2')]);
  const { breaks, proof } = await wallet.reconcile(FIRST);
  const reason = 'it became known after its period was closed: dated 2026-10-05: duplicate_internal';
  expect(breaks).toMatchObject([{ code: 'late_arrival', reference: 'P2', effect: '500.00', reason }]);
  await wallet.close(name(FIRST));
  const next = await wallet.reconcile(SECOND);
  expect([found(next), next.carried]).toMatchObject([[], [{ code: 'duplicate_internal', reference: 'P2' }]]);
  expect([...proof, ...next.proof].map(({ unexplained }) => unexplained)).toEqual(['0.00', '0.00']);
});
