import type { RuleInput, Sandbox, SettingsInput } from '../../../src/sandbox/index.ts';

// A merchant's business day, played over the interface of the sandbox. Every planted fault has one reference, so that the
// result can name it.

/** Faults of the webhooks. Those of refunds are planted later, because the sandbox chooses the references of refunds. */
function chaosOfTheDay(): RuleInput[] {
  return [
    { do: 'duplicate', times: 2, references: ['order-1001', 'wages-1'] },
    { do: 'reorder', references: ['order-1002'] },
    { do: 'wrong_key', key: 'old', references: ['order-1003'] },
    { do: 'zoneless', references: ['order-1004'] },
    { do: 'delay', by: '30m', references: ['order-1005'] },
    { do: 'drop', references: ['order-1006'] },
    { do: 'stringify', references: ['wages-3'] },
  ];
}

/** The orders in the merchant's books. Tracking them makes a payment without any webhook visible. */
export const EXPECTED_ORDERS: readonly { reference: string; amount: string; currency: string }[] = [
  ...[1001, 1002, 1003, 1004, 1005, 1006].map((n) => ({ reference: `order-${n}`, amount: '40.00', currency: 'USD' })),
  { reference: 'order-1007', amount: '15.00', currency: 'USD' },
  { reference: 'order-1008', amount: '12000.00', currency: 'NGN' },
  { reference: 'order-1009', amount: '12000.00', currency: 'NGN' },
  { reference: 'order-1010', amount: '800.00', currency: 'KES' },
];

/** Settings of the sandbox: the payments of a day are settled to the bank a day later, and fees are taxed. */
export const DAY_SETTINGS: SettingsInput = {
  settlementBatches: 'daily',
  feeRounding: 'half_up',
  feeTaxPercent: '7.5',
};

/** Plays the whole day; resolves when the last webhook has been sent. */
export async function playTheDay(sandbox: Sandbox): Promise<void> {
  for (const rule of chaosOfTheDay()) sandbox.addChaos(rule);
  await morning(sandbox);
  await refunds(sandbox);
  await payouts(sandbox);
  sandbox.topUp({ currency: 'USD', amount: '50.00' });
  // Held, delayed and refused webhooks arrive within 3 h, reversals and settlement batches within 2 days.
  await sandbox.advance('3h');
  await sandbox.advance('2d');
}

/** Six customers pay by card, one by bank transfer, one is declined, one waits, and one pays by mobile money. */
async function morning(sandbox: Sandbox): Promise<void> {
  for (const order of [1001, 1002, 1003, 1004, 1005, 1006]) await payByCard(sandbox, `order-${order}`, '40.00');
  await payByCard(sandbox, 'order-1007', '15.00', '4000000000000010');
  const bank = { email: 'ada@example.com', currency: 'NGN', amount: '12000.00' };
  await call(sandbox, '/api/s2s/v1/banktransfer/initialize', { ...bank, reference: 'order-1008' });
  await call(sandbox, '/api/s2s/v1/banktransfer/initialize', { ...bank, reference: 'order-1009', status: 'pending' });
  const momo = { currency: 'KES', amount: '800.00', phone: '0700000001', bankName: 'Sandbox Mobile Money Kenya' };
  await call(sandbox, '/api/s2s/v1/momo/payment_request', { ...momo, reference: 'order-1010', description: 'Tea' });
  await sandbox.advance('1m');
}

/** One is quick, one waits for settlement, one fails and is retried, one is rejected, one ends in a tie, one webhook is lost. */
async function refunds(sandbox: Sandbox): Promise<void> {
  const quick = await refund(sandbox, 'order-1001', '5.00');
  const waiting = await refund(sandbox, 'order-1002', '40.00');
  const tried = await refund(sandbox, 'order-1003', '10.00');
  const rejected = await refund(sandbox, 'order-1004', '10.00');
  const tied = await refund(sandbox, 'order-1005', '10.00');
  const lost = await refund(sandbox, 'order-1006', '10.00');
  sandbox.addChaos({ do: 'variant', references: [quick], events: ['refund.success'] });
  sandbox.addChaos({ do: 'tie', references: [tied], events: ['refund.failed'] });
  sandbox.addChaos({ do: 'drop', references: [lost], events: ['refund.success'] });
  sandbox.settle();
  await sandbox.advance('1m');
  for (const reference of [quick, waiting, lost]) await move(sandbox, reference, 'success');
  for (const status of ['failed', 'processing', 'success'] as const) await move(sandbox, tried, status);
  await move(sandbox, rejected, 'rejected');
  await move(sandbox, tied, 'failed');
}

/** Payouts that succeed, fail, and are reversed a day later. */
async function payouts(sandbox: Sandbox): Promise<void> {
  const accounts = ['0000000001', '0000000001', '0000000001', '0000000003', '0000000004'];
  for (const [index, account_number] of accounts.entries()) {
    const bank = { bank_code: '990001', bank_name: 'Sandbox Bank One', account_number, narration: 'Wages' };
    await call(sandbox, '/api/v1/bank_transfer', {
      ...bank,
      currency: 'NGN',
      amount: 1_500,
      reference: `wages-${index + 1}`,
    });
  }
  await sandbox.advance('1m');
}

async function payByCard(
  sandbox: Sandbox,
  reference: string,
  amount: string,
  number = '4000000000000002',
): Promise<void> {
  const data = { number, expiryMonth: '12', expiryYear: '99', cvv: '123' };
  const card = await call(sandbox, '/api/s2s/v1/test/encryption', { data, reference });
  const payment = { email: 'ada@example.com', amount, currency: 'USD', reference, card };
  await call(sandbox, '/api/s2s/v1/transaction/initialize', payment);
}

async function refund(sandbox: Sandbox, transaction_reference: string, amount: string): Promise<string> {
  const response = await call(sandbox, '/api/v1/refund', { transaction_reference, amount });
  const { data } = JSON.parse(response) as { data?: { refund_reference: string } };
  if (data === undefined) throw new Error(`The sandbox refused a refund of the day: ${response}`);
  return data.refund_reference;
}

/** Moves a refund and advances one minute: two statuses share a second only where a fault makes them. */
async function move(sandbox: Sandbox, reference: string, status: Parameters<Sandbox['moveRefund']>[1]): Promise<void> {
  sandbox.moveRefund(reference, status);
  await sandbox.advance('1m');
}

async function call(sandbox: Sandbox, path: string, body: object): Promise<string> {
  const { secretKey } = sandbox.keys.test;
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return await response.text();
}
