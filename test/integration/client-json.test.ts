import { expect, test } from 'vitest';
import { newReference, parseAmount } from '../../src/service/index.ts';
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
