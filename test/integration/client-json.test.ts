import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTracking } from '../../src/index.ts';
import { newReference, parseAmount } from '../../src/service/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkoutSession, order, payout } from '../support/sample-requests.ts';
import { payByCard, startService } from '../support/service.ts';

// A handler returns what the client gave it, and a web framework makes JSON of it: amounts as text, `wire` with its own digits.

const { sandbox, client, checkout } = await startService({ merchants: [{ balances: { USD: '500.00' } }] });

/** The result as a reader in another program has it. */
const read = async (call: Promise<unknown>) => JSON.parse(JSON.stringify(await call));

test('a refund, requested, checked and listed', async () => {
  const transactionReference = await payByCard(client, { amount: '20.00' });
  const amount = parseAmount('5');
  const { refund, repeated } = await read(client.refunds.request({ transactionReference, amount }));
  const [kept] = sandbox.refunds();
  expect(repeated).toBe(false);
  expect(refund).toMatchObject({
    amount: '5.00',
    totalReserved: kept?.total_reserved,
    funding: { status: 'funded', availableReserved: kept?.funding.available_reserved },
    wire: { refund_reference: kept?.refund_reference, amount: kept?.amount },
  });
  const reference = refund.refundReference;
  expect(await read(client.refunds.status(reference))).toMatchObject({ amount: '5.00', wire: { currency: 'USD' } });
  expect(await read(Array.fromAsync(client.refunds.list()))).toMatchObject([{ amount: '5.00' }]);
  // JSON of the walk itself would be {}: no refunds.
  const walk = client.refunds.list();
  expect(() => JSON.stringify({ walk })).toThrow(/refunds\.list\(\) gives its items one by one/);
  expect(await Array.fromAsync(walk)).toHaveLength(1);
});

test('a payout: numbers of `wire` keep the digits that the service sent', async () => {
  const request = payout({ amount: parseAmount('1500.5') });
  const { payout: sent, known } = await read(client.payouts.send(request));
  expect([sent.amount, known]).toEqual(['1500.50', 'answered']);
  const status = await client.payouts.status(request.reference);
  const [kept] = sandbox.payouts();
  expect(typeof kept?.fee).toBe('number');
  expect(JSON.stringify(status.wire)).toMatch(new RegExp(`"fee":${kept?.fee}[,}]`));
  expect(await read(client.payouts.banks('NGN'))).toMatchObject({ currency: 'NGN' });
});

test('a payment on the own server, and a session of the hosted page', async () => {
  const paid = { ...order(), reference: newReference('order'), amount: parseAmount('250.1'), currency: 'NGN' };
  const started = await read(client.collections.bankTransfer({ ...paid, status: 'success' }));
  expect(started.wire).toBeTypeOf('object');
  expect(await read(client.collections.verify(paid.reference))).toMatchObject({ requestedAmount: '250.10' });
  expect(await read(checkout.start(checkoutSession()))).toMatchObject({ authorizationUrl: expect.any(String) });
});

test('an expectation, tracked, changed and forgotten', async () => {
  const tracking = await openTracking({ path: join(temporaryFolder(), 'tallyhook.db') });
  const expecting = { kind: 'payout', environment: 'test', reference: 'P1', amount: '5', currency: 'NGN' } as const;
  expect(await read(tracking.track(expecting))).toMatchObject([{ amount: '5.00', before: null }]);
  const changed = await tracking.track({ ...expecting, amount: '6.5' });
  expect(await read(Promise.resolve(changed))).toMatchObject([{ amount: '6.50', before: { amount: '5.00' } }]);
  expect(`${changed[0]?.amount}`).toBe('6.50');
  expect(await read(tracking.forget({ reference: 'P1' }))).toMatchObject([{ amount: '6.50' }]);
  await tracking.close();
});
