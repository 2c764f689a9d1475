import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { checkNamed } from '../support/openapi.ts';
import { callerOf, payByCard } from '../support/sandbox-caller.ts';
import { type Caught, catchWebhooks, hmac } from '../support/webhook-catcher.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof catchWebhooks>>;

async function begin(
  options: SandboxOptions = {},
  answer?: (caught: Caught, count: number) => number | 'hang',
): Promise<void> {
  receiver = await catchWebhooks(answer);
  sandbox = await startSandbox({ seed: 7, clock: 'manual', webhookUrl: receiver.url, ...options });
}
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

const payout = {
  currency: 'KES',
  amount: 10,
  bank_code: 'MMKE',
  bank_name: 'Mobile',
  account_number: '0700000001',
  reference: 'P/1',
};
const send = (change: Record<string, unknown> = {}) =>
  callerOf(sandbox)('/api/v1/bank_transfer', { body: { ...payout, ...change } });
const stateOf = () => sandbox.webhooks().map(({ state, attempts }) => [state, attempts.length]);

describe('what is sent', () => {
  it('is signed over the exact bytes, in the dialect of the sender', async () => {
    await begin();
    await send({ narration: 'Café/₦' });
    await sandbox.idle();
    const [one] = receiver.caught as [Caught];
    const { secretKey, publicKey } = sandbox.keys.test;
    expect(one.raw.toString()).toContain('Caf\\u00e9\\/\\u20a6');
    expect(one.headers.payloadsignature).toBe(hmac(secretKey, one.raw));
    expect(one.headers.merchantsignature).toBe(hmac(secretKey, publicKey));
    expect(one.headers.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(one.headers['content-type']).toBe('application/json');
    expect(one.rawHeaders).toEqual(
      expect.arrayContaining(['payloadSignature', 'merchantSignature', 'timestamp', 'Content-Type']),
    );
  });

  it('fits the document for every event', async () => {
    await begin();
    await payByCard(sandbox, { reference: 'OK', amount: '20.00' });
    await payByCard(sandbox, { reference: 'NO', status: 'failed' });
    await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '15.00' } });
    sandbox.settle();
    const refund = String(sandbox.refunds()[0]?.refund_reference);
    for (const status of ['failed', 'rejected'] as const) sandbox.moveRefund(refund, status);
    await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '1.00' } });
    sandbox.moveRefund(String(sandbox.refunds()[1]?.refund_reference), 'success');
    for (const [reference, ending] of [
      ['A', '1'],
      ['B', '3'],
      ['C', '4'],
    ])
      await send({ reference, account_number: `070000000${ending}` });
    await sandbox.advance('1d');
    const names = receiver.caught.map(({ body }) => {
      checkNamed(body.event ? 'RefundEvent' : body.notify === 'payout' ? 'PayoutEvent' : 'CollectionEvent', body);
      return body.event ?? `${body.notify}.${body.notifyType}`;
    });
    expect([...new Set(names)].sort()).toEqual([
      'payout.failed',
      'payout.reversed',
      'payout.successful',
      'refund.awaiting_settlement',
      'refund.failed',
      'refund.pending',
      'refund.processing',
      'refund.rejected',
      'refund.success',
      'transaction.failed',
      'transaction.successful',
    ]);
  });

  it.each([
    ['A', (body: Caught['body']) => body.notify === 'transaction'],
    ['B', (body: Caught['body']) => body.event === 'transaction'],
    ['C', (body: Caught['body']) => body.type === 'payment.success'],
  ] as const)('has collections in shape %s', async (collectionShape, fits) => {
    await begin({ settings: { collectionShape } });
    await payByCard(sandbox, { reference: 'OK' });
    await sandbox.idle();
    checkNamed('CollectionEvent', receiver.caught[0]?.body);
    expect(fits(receiver.caught[0]?.body)).toBe(true);
  });

  it('has lower-case header names and epoch timestamps when the settings say so', async () => {
    await begin({ settings: { headerCase: 'lower', timestampHeader: 'epoch_s' } });
    await send();
    await sandbox.idle();
    expect(receiver.caught[0]?.rawHeaders).toContain('payloadsignature');
    expect(receiver.caught[0]?.headers.timestamp).toBe(String(Math.floor(sandbox.now().getTime() / 1000)));
  });

  it('goes to the URL of its environment, signed with that pair', async () => {
    const live = await catchWebhooks();
    await begin({ liveWebhookUrl: live.url });
    await callerOf(sandbox)('/api/v1/bank_transfer', { body: payout, environment: 'live' });
    await sandbox.idle();
    expect([receiver.caught.length, live.caught.length]).toEqual([0, 1]);
    const [one] = live.caught as [Caught];
    expect(one.body.data.domain).toBe('live');
    expect(one.headers.payloadsignature).toBe(hmac(sandbox.keys.live.secretKey, one.raw));
    await live.close();
  });
});

describe('retries, on the clock of the sandbox (decision 8)', () => {
  it('follow the schedule until they are accepted', async () => {
    await begin({}, (_caught, count) => (count < 3 ? 500 : 204));
    await send();
    await sandbox.idle();
    expect(stateOf()).toEqual([['queued', 1]]);
    await sandbox.advance('1m');
    expect(stateOf()).toEqual([['queued', 2]]);
    await sandbox.advance('4m');
    expect(stateOf()).toEqual([['queued', 2]]);
    await sandbox.advance('1m');
    expect(stateOf()).toEqual([['delivered', 3]]);
    expect(new Set(receiver.caught.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  it('end with the schedule; a redelivery is one more attempt', async () => {
    let status = 503;
    await begin({}, () => status);
    await send();
    await sandbox.advance('1d');
    expect(stateOf()).toEqual([['exhausted', 5]]);
    status = 200;
    await sandbox.redeliver(sandbox.webhooks()[0]?.id ?? '');
    expect(stateOf()).toEqual([['delivered', 6]]);
  });

  it('never happen with a schedule of one', async () => {
    await begin({ settings: { retryScheduleMs: [0] } }, () => 500);
    await send();
    await sandbox.advance('1d');
    expect(stateOf()).toEqual([['exhausted', 1]]);
  });

  it('follow a time-out, a refused connection, a redirect, and 201 where only 200 counts', async () => {
    await begin({ settings: { webhookTimeoutMs: 50, retryScheduleMs: [0] } }, () => 'hang');
    await send();
    await sandbox.idle();
    expect(sandbox.webhooks()[0]?.attempts[0]).toMatchObject({ httpStatus: null, error: 'no answer within 50 ms' });
    sandbox.changeSettings({ webhookTimeoutMs: 10_000 });
    sandbox.setWebhookUrl('http://127.0.0.1:1/');
    await send({ reference: 'P2' });
    await sandbox.idle();
    expect(sandbox.webhooks()[1]?.attempts[0]?.error).toMatch(/ECONNREFUSED/);
    for (const [status, state] of [
      [302, 'exhausted'],
      [201, 'exhausted'],
      [200, 'delivered'],
    ] as const) {
      const strict = await catchWebhooks(() => status);
      sandbox.changeSettings({ webhookAccepts: '200' });
      sandbox.setWebhookUrl(strict.url);
      await send({ reference: `S${status}` });
      await sandbox.idle();
      expect([status, sandbox.webhooks().at(-1)?.state]).toEqual([status, state]);
      await strict.close();
    }
  });

  it('need a URL; what had none is kept and can be sent later', async () => {
    await begin();
    sandbox.setWebhookUrl(null);
    await send();
    await sandbox.idle();
    expect(stateOf()).toEqual([['no_url', 0]]);
    sandbox.setWebhookUrl(receiver.url);
    await sandbox.redeliver(sandbox.webhooks()[0]?.id ?? '');
    expect(stateOf()).toEqual([['delivered', 1]]);
  });
});

it('refuses an address that is not http or https, wherever it comes from', async () => {
  await begin();
  for (const url of ['ftp://example.com/', 'example.com']) {
    expect(() => sandbox.addMerchant({ webhookUrl: url })).toThrow(/webhook URL/);
    expect(() => sandbox.addMerchant({ liveWebhookUrl: url })).toThrow(/webhook URL/);
    expect(() => sandbox.setWebhookUrl(url)).toThrow(/webhook URL/);
    await expect(startSandbox({ webhookUrl: url })).rejects.toThrow(/webhook URL/);
    const response = await fetch(`${sandbox.url}/sandbox/merchants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.controlToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ webhookUrl: url }),
    });
    expect(response.status).toBe(422);
  }
  expect(sandbox.merchants()).toHaveLength(1);
});

it('ends unseen on the wire when the sandbox is reset, and schedules nothing for its namesake', async () => {
  const answer = (_: Caught, count: number) => (count === 1 ? 'hang' : 500);
  await begin({ settings: { webhookTimeoutMs: 200 } }, answer);
  await send();
  await vi.waitFor(() => expect(receiver.caught).toHaveLength(1));
  const [before] = sandbox.webhooks();
  sandbox.reset();
  await send();
  await sandbox.idle();
  expect(sandbox.webhooks()[0]?.id).toBe(before?.id);
  await sandbox.advance('1m');
  expect(stateOf()).toEqual([['queued', 2]]);
  expect(receiver.caught).toHaveLength(3);
});

it('keeps a bounded log', async () => {
  await begin({ settings: { webhookLogLimit: 3 } });
  for (let i = 0; i < 6; i++) {
    await send({ reference: `P${i}` });
    await sandbox.idle();
  }
  expect(sandbox.webhooks().map(({ reference }) => reference)).toEqual(['P3', 'P4', 'P5']);
});

it('sends one webhook after another on a manual clock, in the order of the log, retries included', async () => {
  let open = 0;
  let most = 0;
  const arrived: string[] = [];
  const slow = createServer((request, response) => {
    most = Math.max(most, ++open);
    request.on('data', (body) => arrived.push(JSON.parse(String(body)).data.reference));
    request.on('end', async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      open--;
      response.writeHead(arrived.length % 3 === 0 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  await begin({
    webhookUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`,
    chaos: [{ do: 'delay', by: '10m' }],
    settings: { retryScheduleMs: [0, 60_000] },
  });
  for (let i = 0; i < 30; i++) await send({ reference: `P${i}` });
  await sandbox.advance('1h');
  const references = sandbox.webhooks().map(({ reference }) => reference);
  const again = references.filter((_, index) => index % 3 === 2);
  expect([most, arrived]).toEqual([1, [...references, ...again]]);
  slow.close();
});

it('sends the events of one record in order, however many others there are', async () => {
  await begin();
  sandbox.setBalance({ currency: 'USD', available: '1000.00' });
  await payByCard(sandbox, { reference: 'OK', amount: '100.00' });
  for (let i = 0; i < 20; i++) await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'OK', amount: '1.00' } });
  for (const { refund_reference } of sandbox.refunds()) sandbox.moveRefund(String(refund_reference), 'success');
  await sandbox.idle();
  for (const { refund_reference } of sandbox.refunds()) {
    const mine = receiver.caught.filter(({ body }) => body.data.refund_reference === refund_reference);
    expect(mine.map(({ body }) => body.event)).toEqual(['refund.pending', 'refund.processing', 'refund.success']);
  }
});
