import { expect } from 'vitest';
import { addAmounts, formatAmount, parseAmount } from '../../src/domain/money/amount.ts';
import type { Refund } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { collected, errorOf, payByCard, startService } from '../support/service.ts';

const { sandbox, client, clientWith } = await startService();
const fund = (available: string, pending = '0.00') => sandbox.setBalance({ currency: 'USD', available, pending });
const text = (amount: Refund['amount']) => (amount === null ? null : formatAmount(amount));
const reserved = () => sandbox.balances().find(({ currency }) => currency === 'USD');

conforms('2.4', ['fields', 'amounts', 'times'], 'given', 'an initiation answer is a whole refund record', async () => {
  const transactionReference = await payByCard(client);
  fund('500.00');
  const { refund } = await client.refunds.request({ transactionReference, amount: parseAmount('10.00') });
  expect(refund.refundReference).not.toBe('');
  expect(refund).toMatchObject({ transactionReference, currency: 'USD', externalReference: null, completedAt: null });
  expect(refund.requestedAt).toMatch(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/);
  expect(refund.updatedAt).toBeNull();
  expect(text(refund.amount)).toBe('10.00');
  expect(text(refund.totalReserved)).toBe(text(addAmounts(refund.amount ?? fail(), refund.fee ?? fail())));
});

conforms('2.4', ['funding'], 'given', 'the funding object adds up, its amounts exact', async () => {
  const transactionReference = await payByCard(client, { amount: '30.00' });
  fund('4.00', '100.00');
  const { refund } = await client.refunds.request({ transactionReference });
  const { availableReserved, pendingReserved, pendingFundedAmount, pendingRemaining, fundedAt } = refund.funding;
  expect(text(addAmounts(availableReserved ?? fail(), pendingReserved ?? fail()))).toBe(text(refund.totalReserved));
  expect(text(addAmounts(pendingFundedAmount ?? fail(), pendingRemaining ?? fail()))).toBe(text(pendingReserved));
  expect(fundedAt).toBeNull();
});

conforms('2.5', ['transaction_reference', 'reference'], 'given', 'a transaction may be named either way', async () => {
  fund('500.00');
  const reference = await payByCard(client);
  const first = await client.refunds.request({ transactionReference: reference, amount: parseAmount('1.00') });
  const second = await client.refunds.request({ reference, amount: parseAmount('2.00') });
  expect([first.refund.transactionReference, second.refund.transactionReference]).toEqual([reference, reference]);
});

conforms('2.5', ['amount'], 'given', 'without an amount all that remains is refunded', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client, { amount: '20.00' });
  await client.refunds.request({ transactionReference, amount: parseAmount('0.01') });
  const { refund } = await client.refunds.request({ transactionReference });
  expect(text(refund.amount)).toBe('19.99');
});

conforms(
  '2.5',
  ['amount', 'merchant_note', 'idempotency_key', 'forbidden'],
  'ours',
  'what the rules forbid is refused before anything is sent',
  async () => {
    const transactionReference = 'a-transaction-of-ours';
    const wrong = [
      [{ transactionReference, amount: parseAmount('0.00') }, 'amount'],
      [{ transactionReference, amount: parseAmount('-1.00') }, 'amount'],
      [{ transactionReference, amount: parseAmount('0.005') }, 'amount'],
      [{ transactionReference, merchantNote: 'n'.repeat(2001) }, 'merchantNote'],
      [{ transactionReference, idempotencyKey: 'k'.repeat(191) }, 'idempotencyKey'],
      [{ transactionReference: '' }, 'transactionReference'],
      [{ transactionReference, callbackUrl: 'https://shop.example' }, 'callbackUrl'],
      [{ transactionReference, card: '4000000000000002' }, 'card'],
      [{ transactionReference, reference: 'another' }, 'reference'],
    ] as const;
    const before = sandbox.refunds().length;
    for (const [request, field] of wrong) {
      const error = await errorOf(client.refunds.request(request as never));
      expect(error).toMatchObject({ name: 'RequestRefusedError', field });
    }
    expect(sandbox.refunds()).toHaveLength(before);
  },
);

conforms('2.5', ['merchant_note', 'idempotency_key'], 'given', 'the longest note and key are taken', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client);
  const { idempotencyKey } = await client.refunds.request({
    transactionReference,
    merchantNote: '\u{1F600}'.repeat(2000),
    idempotencyKey: 'k'.repeat(190),
  });
  expect(idempotencyKey).toHaveLength(190);
});

conforms(
  '3.2',
  ['awaiting_settlement', 'pending'],
  'given',
  'a refund waits for settlement, then is pending by itself',
  async () => {
    const transactionReference = await payByCard(client);
    fund('0.00', '100.00');
    const { refund } = await client.refunds.request({ transactionReference });
    expect(refund.status).toBe('awaiting_settlement');
    sandbox.settle({ currency: 'USD' });
    await sandbox.idle();
    expect((await client.refunds.status(refund.refundReference)).status).toBe('pending');
  },
);

conforms(
  '3.2',
  ['processing', 'success', 'failed', 'rejected'],
  'given',
  'every move of the table is seen at the status endpoint',
  async () => {
    fund('500.00');
    const ways = [
      ['processing', 'success'],
      ['processing', 'failed', 'processing', 'failed', 'rejected'],
      ['rejected'],
    ] as const;
    for (const way of ways) {
      const { refund } = await client.refunds.request({ transactionReference: await payByCard(client) });
      for (const status of way) {
        sandbox.moveRefund(refund.refundReference, status);
        expect((await client.refunds.status(refund.refundReference)).status).toBe(status);
      }
    }
  },
);

conforms('3.3', ['pairs'], 'given', 'funding is awaiting_settlement, funded or released as the refund is', async () => {
  fund('0.00', '100.00');
  const waiting = (await client.refunds.request({ transactionReference: await payByCard(client) })).refund;
  expect([waiting.status, waiting.funding.status]).toEqual(['awaiting_settlement', 'awaiting_settlement']);
  fund('500.00');
  const funded = (await client.refunds.request({ transactionReference: await payByCard(client) })).refund;
  expect([funded.status, funded.funding.status]).toEqual(['pending', 'funded']);
  expect(funded.funding.fundedAt).not.toBeNull();
  sandbox.moveRefund(funded.refundReference, 'rejected');
  expect((await client.refunds.status(funded.refundReference)).funding.status).toBe('released');
});

conforms(
  '4.4',
  ['request', '2', '3', '6'],
  'given',
  '202 means accepted: awaiting_settlement or pending, not completed',
  async () => {
    const one = await payByCard(client);
    fund('0.00', '100.00');
    expect((await client.refunds.request({ transactionReference: one })).refund).toMatchObject({
      status: 'awaiting_settlement',
      funding: { status: 'awaiting_settlement' },
    });
    const other = await payByCard(client);
    fund('100.00');
    expect((await client.refunds.request({ transactionReference: other })).refund).toMatchObject({
      status: 'pending',
      completedAt: null,
      funding: { status: 'funded' },
    });
  },
);

conforms('4.4', ['4'], 'given', 'the same key gets the original refund, and reserves nothing twice', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client);
  const request = { transactionReference, amount: parseAmount('5.00'), idempotencyKey: 'refund-of-order-1' };
  const first = await client.refunds.request(request);
  const after = reserved();
  const again = await client.refunds.request(request);
  expect(again.refund.refundReference).toBe(first.refund.refundReference);
  expect([first.repeated, again.repeated]).toEqual([false, true]);
  expect(reserved()).toEqual(after);
});

conforms('4.4', ['4'], 'ours', 'a key is bound to its content: another request under it is refused here', async () => {
  fund('500.00');
  const transactionReference = await payByCard(client);
  await client.refunds.request({ transactionReference, amount: parseAmount('1.00'), idempotencyKey: 'bound-key' });
  const error = await errorOf(
    client.refunds.request({ transactionReference, amount: parseAmount('2.00'), idempotencyKey: 'bound-key' }),
  );
  expect(error).toMatchObject({ name: 'IdempotencyKeyReusedError', idempotencyKey: 'bound-key' });
  const elsewhere = clientWith({});
  const conflict = await errorOf(
    elsewhere.refunds.request({ transactionReference, amount: parseAmount('2.00'), idempotencyKey: 'bound-key' }),
  );
  expect(conflict).toMatchObject({ name: 'IdempotencyConflictError', httpStatus: 409 });
});

conforms('4.4', ['5'], 'given', 'what the funds do not cover is refused, and nothing is reserved', async () => {
  const transactionReference = await payByCard(client);
  fund('0.00', '0.00');
  const before = reserved();
  await expect(client.refunds.request({ transactionReference })).rejects.toThrow('lacks');
  expect(reserved()).toEqual(before);
});

conforms('4.4', ['list'], 'ours', 'the list gives every refund once, in each paging style', async () => {
  fund('900.00');
  const made: string[] = [];
  for (let index = 0; index < 7; index++) {
    const { refund } = await client.refunds.request({ transactionReference: await payByCard(client) });
    made.push(refund.refundReference);
  }
  for (const listStyle of ['bare', 'meta', 'paginator'] as const) {
    sandbox.changeSettings({ listStyle, pageSize: 3 });
    const references = (await collected(client.refunds.list())).map(({ refundReference }) => refundReference);
    expect(new Set(references).size).toBe(references.length);
    expect(references).toEqual(expect.arrayContaining(made));
    expect(references).toHaveLength(sandbox.refunds().length);
  }
});

conforms(
  '4.4',
  ['status'],
  'given',
  'one refund is verified by its reference; an unknown one is not found',
  async () => {
    fund('500.00');
    const { refund } = await client.refunds.request({ transactionReference: await payByCard(client) });
    expect((await client.refunds.status(refund.refundReference)).refundReference).toBe(refund.refundReference);
    expect(await errorOf(client.refunds.status('no-such-refund'))).toMatchObject({
      name: 'RefundNotFoundError',
      httpStatus: 404,
    });
  },
);

conforms('4.4', ['1', '7'], 'given', 'a live key sees neither transactions nor refunds of test', async () => {
  fund('500.00');
  const live = clientWith({ secretKey: sandbox.keys.live.secretKey });
  const transactionReference = await payByCard(client);
  expect(await errorOf(live.refunds.request({ transactionReference }))).toMatchObject({
    name: 'TransactionNotFoundError',
  });
  const { refund } = await client.refunds.request({ transactionReference });
  expect(await errorOf(live.refunds.status(refund.refundReference))).toMatchObject({ name: 'RefundNotFoundError' });
  expect(await collected(live.refunds.list())).toEqual([]);
});

function fail(): never {
  throw new Error('an amount is missing');
}
