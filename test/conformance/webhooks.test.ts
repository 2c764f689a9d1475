import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect } from 'vitest';
import { readEvent } from '../../src/domain/events/event.ts';
import { member } from '../../src/domain/events/json.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { keyRing } from '../../src/receive/signature.ts';
import { newReference } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { payByCard, startService } from '../support/service.ts';

interface Delivered {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
const delivered: Delivered[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  delivered.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.end();
});
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
afterAll(() => receiver.close());
beforeEach(() => delivered.splice(0));

const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const { sandbox, client } = await startService({ webhookUrl, merchants: [{ balances: { USD: '500.00' } }] });
const { publicKey, secretKey } = sandbox.keys.test;
const keyPair = {
  id: 'test-1',
  environment: 'test',
  publicKey,
  secretKey: new Secret(secretKey),
  notAfter: null,
} as const;
const events = () => delivered.map(({ body }) => readEvent(body, 'test'));
const statusIn = (index: number) => member(events()[index]?.data ?? {}, 'status');
const payout = (accountNumber: string) => ({
  currency: 'NGN',
  amount: parseAmount('1500.50'),
  bankCode: '990001',
  bankName: 'Sandbox Bank One',
  accountNumber,
  narration: 'Invoice 17',
  reference: newReference('payout'),
});

conforms(
  '6.1',
  ['headers', 'raw-bytes'],
  'given',
  'refund and payout webhooks verify by both signatures over the raw bytes',
  async () => {
    await client.refunds.request({ transactionReference: await payByCard(client) });
    await client.payouts.send(payout('0000000001'));
    await sandbox.idle();
    expect(delivered.length).toBeGreaterThanOrEqual(3);
    const ring = keyRing([keyPair]);
    for (const { headers, body } of delivered) {
      expect(headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/),
        timestamp: expect.any(String),
      });
      expect(ring.verify(body, headers, 0)).toMatchObject({ ok: true, merchantSignaturePresent: true });
      expect(ring.verify(Buffer.concat([body, Buffer.from(' ')]), headers, 0).ok).toBe(false);
    }
  },
);

conforms(
  '6.2',
  ['events', 'confirm'],
  'given',
  'each status of a refund is an event, and the status endpoint confirms it',
  async () => {
    const { refund } = await client.refunds.request({ transactionReference: await payByCard(client) });
    const statuses = ['pending', 'processing', 'failed', 'processing', 'success'] as const;
    for (const status of statuses.slice(1)) sandbox.moveRefund(refund.refundReference, status as 'success');
    await sandbox.idle();
    const refundEvents = events().filter(({ kind }) => kind === 'refund');
    expect(refundEvents.map(({ event }) => event)).toEqual(statuses.map((status) => `refund.${status}`));
    expect(refundEvents.every(({ reference }) => reference === refund.refundReference)).toBe(true);
    expect((await client.refunds.status(refund.refundReference)).status).toBe('success');
  },
);

conforms('6.2', ['events'], 'given', 'waiting for settlement and rejection are events too', async () => {
  const transactionReference = await payByCard(client);
  sandbox.setBalance({ currency: 'USD', available: '0.00', pending: '100.00' });
  const { refund } = await client.refunds.request({ transactionReference });
  sandbox.moveRefund(refund.refundReference, 'rejected');
  await sandbox.idle();
  sandbox.setBalance({ currency: 'USD', available: '500.00' });
  const names = events().map(({ event }) => event);
  expect(names.filter((name) => name.startsWith('refund.'))).toEqual(['refund.awaiting_settlement', 'refund.rejected']);
});

conforms('6.2', ['repeat'], 'given', 'the same event delivered twice has one key', async () => {
  sandbox.addChaos({ id: 'twice', do: 'duplicate', events: ['refund.*'] });
  await client.refunds.request({ transactionReference: await payByCard(client) });
  await sandbox.idle();
  sandbox.clearChaos('twice');
  const keys = events()
    .filter(({ kind }) => kind === 'refund')
    .map(({ event, reference, updatedAt }) => `${event} ${reference} ${updatedAt}`);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

conforms(
  '6.3',
  ['body', 'only-success'],
  'given',
  'a payout webhook comes with success, and none while it is pending',
  async () => {
    const [sent, waiting] = [payout('0000000001'), payout('0000000002')];
    await client.payouts.send(waiting);
    await client.payouts.send(sent);
    await sandbox.idle();
    expect(events()).toMatchObject([{ kind: 'payout', event: 'payout.successful', reference: sent.reference }]);
    expect(statusIn(0)).toBe('success');
    expect((await client.payouts.status(waiting.reference)).status).toBe('pending');
  },
);

conforms(
  '6.4',
  ['success', 'failed'],
  'observed',
  'a collection webhook reports success and failure, and verification agrees',
  async () => {
    for (const status of ['success', 'failed'] as const) {
      delivered.splice(0);
      const reference = newReference('order');
      const order = { email: 'ada@example.com', amount: parseAmount('5'), currency: 'NGN', reference, status };
      await client.collections.bankTransfer(order);
      await sandbox.idle();
      expect(events()).toMatchObject([{ kind: 'collection', reference }]);
      expect(statusIn(0)).toBe((await client.collections.verify(reference)).status);
    }
  },
);

conforms('4.1', ['7'], 'given', 'sandbox webhooks go to the test configuration', async () => {
  await client.collections.bankTransfer({
    email: 'ada@example.com',
    amount: parseAmount('5'),
    currency: 'NGN',
    reference: newReference('order'),
    status: 'success',
  });
  await sandbox.idle();
  expect(member(events()[0]?.data ?? {}, 'domain')).toBe('test');
});
