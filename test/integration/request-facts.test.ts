import { afterEach, expect, test } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import type { Client } from '../../src/service/client.ts';
import { openStore } from '../../src/store/open.ts';
import { type AnsweringService, answeringService } from '../support/answering-service.ts';
import { KEYS, Sweeping } from '../support/sweeping.ts';

// What a request says of its record stays true: the refund that is accepted, and whose status later names another transaction
// or amount, has a finding. The real client and journal over a real database file, and a plain HTTP service.

let sweeping: Sweeping;
let service: AnsweringService;
afterEach(async () => {
  sweeping.close();
  await service.close();
});

/** Requests a refund of 5.00 on TX_81; the answer states no amount. Then its status is checked, and `later` is the answer. */
async function refundThen(later: object): Promise<void> {
  const accepted = { refund_reference: 'R1', transaction_reference: 'TX_81', status: 'pending' };
  service = await answeringService((method) =>
    method === 'POST'
      ? [202, { success: true, data: accepted }]
      : [200, { success: true, data: { refund_reference: 'R1', status: 'success', currency: 'USD', ...later } }],
  );
  sweeping = new Sweeping();
  const journal = await openStore(sweeping.db.path, { clock: sweeping.clock }).requestJournal();
  sweeping.connect(service.url, { keys: { test: KEYS.test }, journal });
  const { refunds } = sweeping.clients.get('test') as Client;
  await refunds.request({ transactionReference: 'TX_81', amount: parseAmount('5.00') });
  await journal.close();
  await sweeping.sweep();
}

const findings = () =>
  sweeping.rows('SELECT code, subject, detail FROM findings WHERE closed_at IS NULL ORDER BY subject');

test('a status about another transaction and amount than requested is a finding for each', async () => {
  await refundThen({ transaction_reference: 'TX_99', amount: '77.00' });
  expect(findings()).toEqual([
    { code: 'fact_conflict', subject: 'amount', detail: '5.00 ≠ 77.00' },
    { code: 'fact_conflict', subject: 'transactionReference', detail: 'TX_81 ≠ TX_99' },
  ]);
});

test('a status about the requested transaction and amount, in another spelling, is none', async () => {
  await refundThen({ transaction_reference: 'TX_81', amount: 5 });
  expect(findings()).toEqual([]);
  expect(sweeping.rows('SELECT transaction_reference, amount_minor, confirmed FROM refunds')).toEqual([
    { transaction_reference: 'TX_81', amount_minor: 500, confirmed: 'success' },
  ]);
});
