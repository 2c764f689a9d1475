import { expect, test } from 'vitest';
import { webhookOf } from '../support/month/tell.ts';
import { at, told } from '../support/month/told.ts';
import type { Told } from '../support/shop/records.ts';
import { WalletMonth } from '../support/wallet-month.ts';

/** A payout of 1,000.00 that its webhook, without any time, reports as paid, and the service knows as `status`. */
function contradicted(reference: string, status: string, times: Readonly<Record<string, string>> = {}): Told {
  const data = { reference, currency: 'NGN', amount: '1000.00', fee: '25.00', stamp_duty: '0.00' };
  return {
    environment: 'test',
    webhooks: [webhookOf('payout', 'success', { ...data, status: 'success' })],
    kind: 'payout',
    reference,
    data: { ...data, status, ...times },
  };
}

test('a payout with a debit and no reversal that the service knows as failed or reversed is a break of the month of its debit', async () => {
  const times = { created_at: at(6), updated_at: at(7) };
  const statuses = ['failed', 'reversed'];
  const references = ['undated', 'dated'].flatMap((how) => statuses.map((status) => `${status}-${how}`));
  const month = await WalletMonth.of(
    statuses.flatMap((status) => [
      contradicted(`${status}-dated`, status, times),
      contradicted(`${status}-undated`, status),
    ]),
    references.map((reference) => `2026-10-06,${reference},,Payout,-1025.00,25.00`),
  );
  const { breaks, timing } = await month.reconcile();
  const shown = { code: 'status_mismatch', sub: 'internal_vs_statement', effect: '-1025.00' };
  const ofWebhooks = {
    code: 'status_mismatch',
    sub: 'webhook_vs_api',
    reference: 'failed-dated',
    firstSeen: '2026-10-07',
  };
  expect(timing).toEqual([]);
  expect(breaks.filter(({ effect }) => effect !== '0.00')).toEqual(
    references.map((reference) => expect.objectContaining({ ...shown, reference })),
  );
  expect(breaks.filter(({ effect }) => effect === '0.00')).toEqual([
    expect.objectContaining({ ...ofWebhooks, reference: 'failed-undated', firstSeen: '2026-10-06' }),
    expect.objectContaining(ofWebhooks),
  ]);
  const november = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-30' });
  expect(november).toMatchObject({ breaks: [], timing: [], totals: [], witnesses: [] });
});

test('where October is closed before the service says so, the next open month lists it, also when it was learnt later still', async () => {
  const money = { amount: '1000.00', fee: '25.00', stamp_duty: '0.00' };
  const month = await WalletMonth.of([told('payout', 'P1', money)], ['2026-10-06,P1,,Payout,-1025.00,25.00']);
  expect(await month.reconcile()).toMatchObject({ breaks: [], timing: [] });
  await month.shop.close('2026-10');
  await month.shop.tell([contradicted('P1', 'failed')]);
  await month.importDays('november.csv', ['2026-11-01', '2026-11-20']);
  const { breaks } = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-20' });
  expect(breaks).toContainEqual(
    expect.objectContaining({ sub: 'webhook_vs_api', reference: 'P1', firstSeen: '2026-10-06' }),
  );
});
