import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { callerOf, DECLINED, payByCard } from '../support/sandbox-caller.ts';
import { catchWebhooks } from '../support/webhook-catcher.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof catchWebhooks>>;

beforeEach(async () => {
  receiver = await catchWebhooks();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', webhookUrl: receiver.url });
  await payByCard(sandbox, { reference: 'TX', amount: '20.00' });
});
afterEach(async () => {
  expect(sandbox.books().problems).toEqual([]);
  await sandbox.close();
  await receiver.close();
});

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  callerOf(sandbox)('/api/v1/refund', { body, headers });
const usd = () => {
  const { available, pending, reserved_available, reserved_pending } = sandbox.balances()[3] ?? {};
  return [available, pending, reserved_available, reserved_pending];
};
const refundEvents = async () => {
  await sandbox.idle();
  return receiver.caught.filter(({ body }) => body.event?.startsWith('refund.')).map(({ body }) => body);
};

describe('a refund that available money covers', () => {
  it('is accepted with 202 as pending and funded (rule 4.4.3)', async () => {
    const { status, body } = await ask({ transaction_reference: 'TX', amount: '5.00' });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      transaction_reference: 'TX',
      amount: '5.00',
      fee: '0.50',
      total_reserved: '5.50',
      status: 'pending',
      funding: { status: 'funded', available_reserved: '5.50', pending_reserved: '0.00', pending_remaining: '0.00' },
      external_reference: null,
      completed_at: null,
    });
    expect(body.data).not.toHaveProperty('updated_at');
    expect(usd()).toEqual(['4.50', '20.00', '5.50', '0.00']);
  });

  it('is requested, then funded, then updated: in this order', async () => {
    const { data } = (await ask({ transaction_reference: 'TX', amount: '5.00' })).body;
    const [event] = await refundEvents();
    const { requested_at, funding, updated_at } = event.data;
    expect([requested_at, funding.funded_at]).toEqual([data.requested_at, data.funding.funded_at]);
    const instants = [requested_at, funding.funded_at, updated_at];
    expect([...instants].sort()).toEqual(instants);
  });

  it('runs through its lifecycle, one webhook per status', async () => {
    const { data } = (await ask({ reference: 'TX', amount: 5 })).body;
    sandbox.moveRefund(data.refund_reference, 'failed');
    sandbox.moveRefund(data.refund_reference, 'success');
    const events = await refundEvents();
    expect(events.map(({ event }) => event)).toEqual(
      ['pending', 'processing', 'failed', 'processing', 'success'].map((status) => `refund.${status}`),
    );
    const stamps = events.map(({ data: record }) => record.updated_at);
    expect([...new Set(stamps)].sort()).toEqual(stamps);
    expect(usd()).toEqual(['4.50', '20.00', '0.00', '0.00']);
    const told = await callerOf(sandbox)(`/api/v1/refund/status/${data.refund_reference}`);
    expect(told.body.data.status).toBe('success');
    expect(told.body.data.completed_at).toBe(told.body.data.updated_at);
  });
});

describe('a refund that needs pending money', () => {
  it('waits for settlement, fills up as lots settle, and goes on by itself (3.2, 3.3)', async () => {
    await payByCard(sandbox, { reference: 'TX2', amount: '7.00' });
    const { status, body } = await ask({ transaction_reference: 'TX', amount: '20.00' });
    const reference = body.data.refund_reference;
    expect([status, body.data.status, body.data.funding]).toEqual([
      202,
      'awaiting_settlement',
      {
        status: 'awaiting_settlement',
        available_reserved: '10.00',
        pending_reserved: '10.50',
        pending_funded_amount: '0.00',
        pending_remaining: '10.50',
        funded_at: null,
      },
    ]);
    expect(usd()).toEqual(['0.00', '16.50', '10.00', '10.50']);
    sandbox.settle({ currency: 'USD', amount: '4.00' });
    const partly = sandbox.refunds()[0];
    expect(partly).toMatchObject({
      status: 'awaiting_settlement',
      funding: { pending_funded_amount: '4.00', funded_at: null },
    });
    await sandbox.advance('1d');
    expect(sandbox.refunds()[0]).toMatchObject({
      status: 'pending',
      funding: { status: 'funded', pending_remaining: '0.00' },
    });
    expect(usd()).toEqual(['16.50', '0.00', '20.50', '0.00']);
    expect((await refundEvents()).map(({ event, data }) => [event, data.refund_reference])).toEqual([
      ['refund.awaiting_settlement', reference],
      ['refund.pending', reference],
    ]);
  });

  it('cannot be moved to pending by hand, but can be rejected, which releases everything', async () => {
    const { data } = (await ask({ transaction_reference: 'TX' })).body;
    expect(() => sandbox.moveRefund(data.refund_reference, 'processing')).toThrow(/cannot go from awaiting_settlement/);
    sandbox.moveRefund(data.refund_reference, 'rejected');
    expect(usd()).toEqual(['10.00', '20.00', '0.00', '0.00']);
    expect(sandbox.refunds()[0]).toMatchObject({ status: 'rejected', funding: { status: 'released' } });
    expect((await ask({ transaction_reference: 'TX' })).status).toBe(202);
  });
});

describe('idempotency (rule 4.4.4)', () => {
  const body = { transaction_reference: 'TX', amount: '5.00' };

  it.each([
    ['header then header', { ...body }, { 'Idempotency-Key': 'k' }, { ...body }, { 'Idempotency-Key': 'k' }],
    ['header then body', { ...body }, { 'Idempotency-Key': 'k' }, { ...body, idempotency_key: 'k' }, {}],
    [
      'body then both',
      { ...body, idempotency_key: 'k' },
      {},
      { ...body, idempotency_key: 'k' },
      { 'Idempotency-Key': 'k' },
    ],
    [
      'the same amount as a number',
      { ...body },
      { 'Idempotency-Key': 'k' },
      { ...body, amount: 5 },
      { 'Idempotency-Key': 'k' },
    ],
  ])('%s: the original with 200, reserved once', async (_name, first, firstHeaders, second, secondHeaders) => {
    const original = await ask(first, firstHeaders as Record<string, string>);
    const repeated = await ask(second, secondHeaders as Record<string, string>);
    expect([original.status, repeated.status]).toEqual([202, 200]);
    expect(repeated.body.data).toEqual(original.body.data);
    expect(repeated.body.message).toMatch(/already received/);
    expect(usd()[2]).toBe('5.50');
    expect(await refundEvents()).toHaveLength(1);
  });

  it('makes one refund of many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(body, { 'Idempotency-Key': 'k' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 202]);
    expect(sandbox.refunds()).toHaveLength(1);
  });

  it('answers 409 to another request under the key, or the original when the settings say so (decision 32)', async () => {
    const original = await ask(body, { 'Idempotency-Key': 'k' });
    const other = { ...body, amount: '6.00' };
    expect((await ask(other, { 'Idempotency-Key': 'k' })).status).toBe(409);
    sandbox.changeSettings({ idempotencyMismatch: 'original' });
    const repeated = await ask(other, { 'Idempotency-Key': 'k' });
    expect([repeated.status, repeated.body.data]).toEqual([200, original.body.data]);
  });

  it('knows a key for ever, or as long as the settings say (decision 33)', async () => {
    const send = (amount: string) => ask({ ...body, amount }, { 'Idempotency-Key': 'k' });
    expect((await send('1.00')).status).toBe(202);
    await sandbox.advance('300d');
    expect((await send('1.00')).status).toBe(200);
    sandbox.changeSettings({ idempotencyLifetimeMs: 86_400_000 });
    expect((await send('1.50')).status).toBe(202);
    await sandbox.advance('23h');
    expect((await send('1.50')).status).toBe(200);
    expect((await send('1.00')).status).toBe(409);
    await sandbox.advance('1h');
    expect((await send('1.50')).status).toBe(202);
    expect(sandbox.refunds()).toHaveLength(3);
  });

  it('refuses a key in the header that differs from the one in the body (decision 31)', async () => {
    const { status, body: answer } = await ask({ ...body, idempotency_key: 'a' }, { 'Idempotency-Key': 'b' });
    expect([status, Object.keys(answer.errors)]).toEqual([422, ['idempotency_key']]);
  });

  it('takes every POST without a key for a new refund (decision 35), and keys belong to one environment', async () => {
    await ask({ ...body, amount: '1.00' });
    await ask({ ...body, amount: '1.00' });
    expect(sandbox.refunds()).toHaveLength(2);
    await ask(body, { 'Idempotency-Key': 'k' });
    const live = await callerOf(sandbox)('/api/v1/refund', {
      body,
      environment: 'live',
      headers: { 'Idempotency-Key': 'k' },
    });
    expect(live.status).toBe(404);
  });

  it('does not keep the key of a refused request', async () => {
    await ask({ transaction_reference: 'nope' }, { 'Idempotency-Key': 'k' });
    expect((await ask(body, { 'Idempotency-Key': 'k' })).status).toBe(202);
  });
});

describe('fields (interface 2.5, 7.2)', () => {
  it.each([
    [{}, ['transaction_reference']],
    [{ transaction_reference: '' }, ['transaction_reference']],
    [{ transaction_reference: 'TX', reference: 'TY' }, ['transaction_reference', 'reference']],
    [{ transaction_reference: 7 }, ['transaction_reference']],
    [{ reference: 'TX', amount: '0' }, ['amount']],
    [{ reference: 'TX', amount: 0.001 }, ['amount']],
    [{ reference: 'TX', amount: '-5.00' }, ['amount']],
    [{ reference: 'TX', amount: '1e1' }, ['amount']],
    [{ reference: 'TX', amount: '' }, ['amount']],
    [{ reference: 'TX', amount: '1.005' }, ['amount']],
    [{ reference: 'TX', amount: true }, ['amount']],
    [{ reference: 'TX', merchant_note: 'x'.repeat(2001) }, ['merchant_note']],
    [{ reference: 'TX', idempotency_key: 'x'.repeat(191) }, ['idempotency_key']],
    [{ reference: 'TX', callbackUrl: 'https://example.com' }, ['callbackUrl']],
    [{ reference: 'TX', card: 'ab', cvv: '123' }, ['card', 'cvv']],
    [{ reference: 'TX', amount: '1.500' }, ['amount']],
    [{ reference: 'TX', number: '4000000000000002' }, ['number']],
    [{ reference: 'TX', data: { number: '4000000000000002', cvv: '123' } }, ['data']],
    [{ amount: 'x', merchant_note: 5 }, ['amount', 'merchant_note', 'transaction_reference']],
    [{ reference: 'TX', transaction_reference: 'TY', amount: 'x' }, ['amount', 'reference', 'transaction_reference']],
    [{ reference: 5, amount: 'x' }, ['amount', 'reference']],
  ])('%j is refused for %j', async (body, fields) => {
    const { status, body: answer } = await ask(body);
    expect(status).toBe(422);
    expect(Object.keys(answer.errors).sort()).toEqual([...fields].sort());
  });

  it('takes a number as long as its value has two decimals', async () => {
    const { status, body } = await ask('{"reference":"TX","amount":1.500}');
    expect([status, body.data.amount]).toEqual([202, '1.50']);
  });

  it('names a key that differs from the header beside every other field', async () => {
    const { body } = await ask({ amount: 'x', idempotency_key: 'a' }, { 'Idempotency-Key': 'b' });
    expect(Object.keys(body.errors).sort()).toEqual(['amount', 'idempotency_key', 'transaction_reference']);
  });

  it('counts the note in code points and takes both references when they agree', async () => {
    const merchant_note = '😀'.repeat(2000);
    expect((await ask({ reference: 'TX', transaction_reference: 'TX', amount: '1.00', merchant_note })).status).toBe(
      202,
    );
  });

  it('refuses a header key of 191 characters', async () => {
    expect((await ask({ reference: 'TX' }, { 'Idempotency-Key': 'x'.repeat(191) })).status).toBe(422);
  });
});

describe('errors, in the order of decision 39', () => {
  it('404 for an unknown transaction, and for one of the other environment or merchant', async () => {
    const { status, body } = await ask({ reference: 'nope' });
    expect([status, body]).toEqual([404, { success: false, message: 'Transaction not found' }]);
    const live = await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'TX' }, environment: 'live' });
    expect(live.status).toBe(404);
    const key = sandbox.addMerchant().keys.test.secretKey;
    expect((await callerOf(sandbox)('/api/v1/refund', { body: { reference: 'TX' }, key })).status).toBe(404);
  });

  it('422 for a transaction that is not successful, is not a card, is not USD', async () => {
    const bank = { email: 'a@b.co', amount: '9.00', currency: 'NGN' };
    await payByCard(sandbox, { reference: 'NO', card: DECLINED, currency: 'NGN' });
    await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body: { ...bank, reference: 'BANK' } });
    await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', {
      body: { ...bank, reference: 'FAIL', status: 'failed' },
    });
    await payByCard(sandbox, { reference: 'NAIRA', currency: 'NGN' });
    await payByCard(sandbox, { reference: 'KES', currency: 'KES' });
    const messages = [];
    for (const reference of ['NO', 'FAIL', 'BANK', 'NAIRA', 'KES']) {
      const { status, body } = await ask({ reference, amount: '999999.00' });
      messages.push([status, body.message]);
    }
    expect(messages).toEqual([
      [422, 'Transaction is not successful'],
      [422, 'Transaction is not successful'],
      [422, 'Transaction is not a card transaction'],
      [422, 'Refunds are not supported for NGN transactions'],
      [422, 'Refunds are not supported for KES transactions'],
    ]);
  });

  it('422 beyond the remaining amount, 409 when nothing remains', async () => {
    sandbox.setBalance({ currency: 'USD', available: '100.00' });
    expect((await ask({ reference: 'TX', amount: '20.01' })).body.message).toMatch(
      /exceeds the remaining refundable amount/,
    );
    const { data } = (await ask({ reference: 'TX', amount: '15.00' })).body;
    expect((await ask({ reference: 'TX', amount: '5.01' })).status).toBe(422);
    expect((await ask({ reference: 'TX' })).body.data.amount).toBe('5.00');
    expect((await ask({ reference: 'TX', amount: '99.00' })).status).toBe(409);
    sandbox.moveRefund(data.refund_reference, 'failed');
    expect((await ask({ reference: 'TX' })).status).toBe(409);
    sandbox.moveRefund(data.refund_reference, 'rejected');
    expect((await ask({ reference: 'TX' })).body.data.amount).toBe('15.00');
  });

  it('422 with the figures when funds are short, and nothing is reserved (rule 4.4.5)', async () => {
    sandbox.setBalance({ currency: 'USD', available: '3.00', pending: '1.25' });
    const before = usd();
    const { status, body } = await ask({ reference: 'TX', amount: '20.00' });
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        message: expect.stringContaining('nsufficient'),
        required: '20.50',
        available_balance: '3.00',
        pending_balance: '1.25',
        shortfall: '16.25',
        currency: 'USD',
      },
    ]);
    expect(usd()).toEqual(before);
    await ask({ reference: 'TX', amount: '3.00' });
    const after = (await ask({ reference: 'TX', amount: '10.00' })).body;
    expect([after.available_balance, after.pending_balance]).toEqual(['0.00', '0.75']);
  });

  it('checks the body before the key, and the key before the transaction', async () => {
    await ask({ reference: 'TX', amount: '5.00' }, { 'Idempotency-Key': 'k' });
    expect((await ask({}, { 'Idempotency-Key': 'k' })).status).toBe(422);
    expect((await ask({ reference: 'nope' }, { 'Idempotency-Key': 'k' })).status).toBe(409);
    expect((await callerOf(sandbox)('/api/v1/refund', { body: {}, key: 'x' })).status).toBe(401);
  });
});

describe('list and status', () => {
  it('page by page, newest first, in three styles (decision 43)', async () => {
    for (let i = 0; i < 5; i++) await ask({ reference: 'TX', amount: '1.00' });
    sandbox.changeSettings({ pageSize: 2 });
    const page = async (number: number) => (await callerOf(sandbox)(`/api/v1/refund?page=${number}`)).body;
    const references = sandbox.refunds().map(({ refund_reference }) => refund_reference);
    const seen = [];
    for (let number = 1; number <= 4; number++) {
      const { data, meta } = await page(number);
      expect(meta.total).toBe(5);
      seen.push(...data.map((refund: { refund_reference: string }) => refund.refund_reference));
    }
    expect(seen).toEqual(references.toReversed());
    sandbox.changeSettings({ listStyle: 'bare' });
    expect(await page(3)).not.toHaveProperty('meta');
    sandbox.changeSettings({ listStyle: 'paginator' });
    expect((await page(2)).data).toMatchObject({
      current_page: 2,
      last_page: 3,
      per_page: 2,
      total: 5,
      next_page_url: '/api/v1/refund?page=3',
    });
    expect((await page(3)).data.next_page_url).toBeNull();
    expect((await callerOf(sandbox)('/api/v1/refund?page=0')).status).toBe(422);
  });

  it('show one environment only (rule 4.4.7); an unknown reference is 404', async () => {
    const { data } = (await ask({ reference: 'TX', amount: '1.00' })).body;
    const path = `/api/v1/refund/status/${data.refund_reference}`;
    expect((await callerOf(sandbox)(path)).status).toBe(200);
    expect((await callerOf(sandbox)(path, { environment: 'live' })).status).toBe(404);
    expect((await callerOf(sandbox)('/api/v1/refund', { environment: 'live' })).body.data).toEqual([]);
    expect((await callerOf(sandbox)('/api/v1/refund/status/RFD_NO')).status).toBe(404);
  });
});

it('takes the fee from the merchant agreement, exactly, below a cent as well', async () => {
  const agreement = { refundFee: { percent: '1.9836', flat: '0.00' } };
  await sandbox.close();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', merchants: [{ agreement }] });
  await payByCard(sandbox, { reference: 'TX', amount: '20.00' });
  const { data } = (await ask({ reference: 'TX', amount: '10.00' })).body;
  expect([data.fee, data.total_reserved, data.funding.pending_reserved]).toEqual(['0.19836', '10.19836', '0.19836']);
});

it('encrypts for a merchant with payload encryption (rule 4.4.8)', async () => {
  const { createCipheriv, createDecipheriv } = await import('node:crypto');
  const encryption = { keyHex: 'ab'.repeat(32), ivHex: 'cd'.repeat(16) };
  const [key, iv] = [Buffer.from(encryption.keyHex, 'hex'), Buffer.from(encryption.ivHex, 'hex')];
  const seal = (content: unknown) => {
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    return { data: Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]).toString('hex') };
  };
  const open = ({ data }: { data: string }) => {
    const decipher = createDecipheriv('aes-256-cbc', key, iv);
    return JSON.parse(Buffer.concat([decipher.update(Buffer.from(data, 'hex')), decipher.final()]).toString());
  };
  await sandbox.close();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', merchants: [{ encryption }] });
  const post = (path: string, body?: unknown) => callerOf(sandbox)(path, { body });
  expect(open((await post('/api/v1/refund', seal({ reference: 'no' }))).body)).toEqual({
    success: false,
    message: 'Transaction not found',
  });
  expect(open((await post('/api/v1/refund')).body)).toMatchObject({ success: true, data: [] });
  expect(Object.keys(open((await post('/api/v1/refund', { reference: 'no' })).body).errors)).toEqual(['data']);

  const collect = '/api/s2s/v1/banktransfer/initialize';
  const naira = { email: 'ada@example.com', amount: '10.00', currency: 'NGN', reference: 'B1' };
  expect(open((await post(collect, seal(naira))).body)).toMatchObject({ status: true });
  const plain = await post(collect, naira);
  expect([plain.status, open(plain.body)]).toMatchObject([
    400,
    { status: false, error: { data: [expect.any(String)] } },
  ]);
  expect(open((await post('/api/v1/transaction/verify/B1')).body).data.reference).toBe('B1');
});
