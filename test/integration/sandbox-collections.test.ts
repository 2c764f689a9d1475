import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { APPROVED, callerOf, DECLINED, payByCard, RECURRING } from '../support/sandbox-caller.ts';
import { catchWebhooks } from '../support/webhook-catcher.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof catchWebhooks>>;

beforeEach(async () => {
  receiver = await catchWebhooks();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', webhookUrl: receiver.url, liveWebhookUrl: receiver.url });
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

const verify = async (reference: string, environment: 'test' | 'live' = 'test') =>
  (await callerOf(sandbox)(`/api/v1/transaction/verify/${reference}`, { environment })).body.data;
const notified = async () => {
  await sandbox.idle();
  return receiver.caught.map(({ body }) => `${body.notify}.${body.notifyType} ${body.data.reference}`);
};
const bank = { email: 'ada@example.com', amount: '1500.00', currency: 'NGN' };

describe('card collections', () => {
  it('lets an approved simulator card succeed and announces it', async () => {
    const { status, body } = await payByCard(sandbox, { reference: 'C1' });
    expect([status, body.status, body.data]).toEqual([200, true, { reference: 'C1', status: 'success' }]);
    expect(await notified()).toEqual(['transaction.successful C1']);
    expect(await verify('C1')).toMatchObject({
      status: 'success',
      amount: '20.24',
      requested_amount: '20.00',
      fees: '0.24',
    });
  });

  it.each([
    [DECLINED, 'Simulated decline: insufficient funds'],
    ['5100000000000016', 'Simulated decline: do not honour'],
    ['4999999999999996', 'Simulated decline: Unrecognized simulator card'],
  ])('declines %s with %j', async (card, message) => {
    const { status, body } = await payByCard(sandbox, { reference: 'C2', card });
    expect([status, body.status]).toEqual([200, false]);
    expect(body.message).toBe(message);
    expect(await notified()).toEqual(['transaction.failed C2']);
    expect((await verify('C2')).status).toBe('failed');
  });

  it('knows the cards of the settings as well, and they replace those of the table (decision 61)', async () => {
    const pay = async (reference: string, card: string) => (await payByCard(sandbox, { reference, card })).body;
    sandbox.changeSettings({
      cards: [
        { number: '4999999999999995', outcome: 'approved' },
        { number: APPROVED, outcome: 'declined', reason: 'stolen' },
        { number: DECLINED, outcome: 'recurring' },
      ],
    });
    expect((await pay('D1', '4999999999999995')).status).toBe(true);
    expect(await pay('D2', APPROVED)).toEqual({ status: false, message: 'Simulated decline: stolen' });
    expect(Object.keys((await pay('D3', DECLINED)).error)).toEqual(['card']);
    expect((await pay('D4', '5100000000000008')).status).toBe(true);
    expect(() => sandbox.changeSettings({ cards: [{ number: '42', outcome: 'approved' }] })).toThrow(/12 to 19 digits/);
  });

  it('refuses recurring cards, which belong to the hosted checkout (4.1.6)', async () => {
    const { status, body } = await payByCard(sandbox, { reference: 'C3', card: RECURRING });
    expect(status).toBe(400);
    expect(body.error.card).toHaveLength(1);
  });

  it.each([
    ['success', true, 'success', ['transaction.successful F1']],
    ['failed', false, 'failed', ['transaction.failed F1']],
    ['pending', true, 'pending', []],
  ])('forces %s', async (forced, answered, status, events) => {
    const { body } = await payByCard(sandbox, { reference: 'F1', card: DECLINED, status: forced });
    expect(body.status).toBe(answered);
    if (forced === 'failed') expect(body.message).toBe('Simulated decline: insufficient funds');
    expect((await verify('F1')).status).toBe(status);
    expect(await notified()).toEqual(events);
  });

  it('decrypts and validates the card before it applies a forced result', async () => {
    const call = callerOf(sandbox);
    const body = { ...bank, reference: 'C4', card: 'ab12', status: 'success' };
    const answer = await call('/api/s2s/v1/transaction/initialize', { body });
    expect([answer.status, Object.keys(answer.body.error)]).toEqual([400, ['card']]);
    expect((await call('/api/v1/transaction/verify/C4')).status).toBe(404);
  });

  it('binds a payload to its reference', async () => {
    const call = callerOf(sandbox);
    const data = { number: APPROVED, expiryMonth: '12', expiryYear: '99', cvv: '123' };
    const { text } = await call('/api/s2s/v1/test/encryption', { body: { data, reference: 'ONE' } });
    const body = { ...bank, reference: 'TWO', card: text };
    expect((await call('/api/s2s/v1/transaction/initialize', { body })).status).toBe(400);
  });

  it('answers a decline with 402 and a pending card with 202 when the settings say so (decision 54)', async () => {
    sandbox.changeSettings({ declinedHttpStatus: 402, pendingHttpStatus: 202 });
    expect((await payByCard(sandbox, { reference: 'S1', status: 'failed' })).status).toBe(402);
    expect((await payByCard(sandbox, { reference: 'S2', status: 'pending' })).status).toBe(202);
  });
});

describe('the card helper', () => {
  it('returns a bare hexadecimal string, not JSON', async () => {
    const data = { number: APPROVED, expiryMonth: '12', expiryYear: '99', cvv: '123' };
    const { text, headers } = await callerOf(sandbox)('/api/s2s/v1/test/encryption', {
      body: { data, reference: 'H1' },
    });
    expect(text).toMatch(/^([0-9a-f]{2})+$/);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
  });

  it('names every field at fault', async () => {
    const { status, body } = await callerOf(sandbox)('/api/s2s/v1/test/encryption', {
      body: { data: { number: '1' } },
    });
    expect(status).toBe(400);
    expect(Object.keys(body.error).sort()).toEqual([
      'data.cvv',
      'data.expiryMonth',
      'data.expiryYear',
      'data.number',
      'reference',
    ]);
  });

  it.each([
    [{ data: 5 }, 'data'],
    [{ data: 'x' }, 'data'],
    [{ data: [] }, 'data'],
    [{ data: { number: APPROVED, expiryMonth: '12', expiryYear: '2030', cvv: '123' } }, 'data.expiryYear'],
    [{ data: { number: APPROVED, expiryMonth: '1', expiryYear: '99', cvv: '123' } }, 'data.expiryMonth'],
    [{ data: { number: '4000000000000003', expiryMonth: '12', expiryYear: '99', cvv: '123' } }, 'data.number'],
  ])(
    'refuses %j for %s: an object, a check digit that fits, month and year of two digits (interface 2.2)',
    async (change, field) => {
      const { status, body } = await callerOf(sandbox)('/api/s2s/v1/test/encryption', {
        body: { reference: 'H2', ...change },
      });
      expect([status, Object.keys(body.error)]).toEqual([400, [field]]);
    },
  );

  it('refuses a live key (decision 91)', async () => {
    const answer = await callerOf(sandbox)('/api/s2s/v1/test/encryption', { body: {}, environment: 'live' });
    expect(answer.status).toBe(403);
  });
});

describe('the queued pending job (3.1, decision 62)', () => {
  const pendBy = (reference: string) =>
    callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body: { ...bank, reference, status: 'pending' } });

  it('moves pending to success after the delay, once, with its webhook', async () => {
    await pendBy('P1');
    await sandbox.advance('19s');
    expect((await verify('P1')).status).toBe('pending');
    await sandbox.advance('1s');
    expect((await verify('P1')).status).toBe('success');
    await sandbox.advance('1h');
    expect(await notified()).toEqual(['transaction.successful P1']);
  });

  it('leaves alone what changed in the meantime', async () => {
    await pendBy('P2');
    sandbox.moveCollection('P2', 'cancelled');
    await sandbox.advance('1h');
    expect((await verify('P2')).status).toBe('cancelled');
    expect(await notified()).toEqual([]);
  });
});

describe('status', () => {
  const start = (status: unknown, environment: 'test' | 'live' = 'test') =>
    callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', {
      body: { ...bank, reference: 'S1', status },
      environment,
    });

  it.each(['SUCCESS', 'done', 1, true, {}])('refuses %j with 400 and error.status', async (status) => {
    const { status: http, body } = await start(status);
    expect([http, body.status, body.error]).toEqual([400, false, { status: ['The selected status is invalid.'] }]);
  });

  it.each(['', null, undefined])('takes %j for omitted (decision 49)', async (status) => {
    expect((await start(status)).status).toBe(200);
    expect((await verify('S1')).status).toBe('success');
  });

  it('stands beside the errors of other fields', async () => {
    const body = { amount: 5, currency: 'EUR', status: 'x' };
    const answer = await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body });
    expect(Object.keys(answer.body.error).sort()).toEqual(['amount', 'currency', 'email', 'reference', 'status']);
  });

  it.each([
    ['ab12', ['card', 'status']],
    [5, ['card', 'status']],
  ])('stands beside the errors of the card %j', async (card, fields) => {
    const body = { ...bank, reference: 'S3', card, status: 'x' };
    const answer = await callerOf(sandbox)('/api/s2s/v1/transaction/initialize', { body });
    expect([answer.status, Object.keys(answer.body.error).sort()]).toEqual([400, fields]);
  });

  it('has no effect with a live key, yet an invalid one is refused (decision 50)', async () => {
    expect((await start('nope', 'live')).status).toBe(400);
    expect((await start('failed', 'live')).status).toBe(200);
    expect((await verify('S1', 'live')).status).toBe('success');
    expect((await callerOf(sandbox)('/api/v1/transaction/verify/S1')).status).toBe(404);
  });

  it('is ignored with a live key when the settings say so', async () => {
    sandbox.changeSettings({ invalidLiveStatus: 'ignore' });
    expect((await start('nope', 'live')).status).toBe(200);
  });
});

describe('channels and paths', () => {
  const bodies = {
    'banktransfer/initialize': bank,
    'banktransfer/initialize/wallet': bank,
    'ussd/initialize': { ...bank, bankCode: '990001' },
    'ussd/initialize/wallet': { ...bank, bankCode: '990001' },
    'momo/payment_request': {
      amount: '50.00',
      currency: 'KES',
      phone: '0700000001',
      bankName: 'Operator',
      description: 'Tea',
    },
  };

  it.each(['/api/s2s/v1', '/api/s2s', '/s2s/v1', '/s2s'])('serves every channel under %s', async (prefix) => {
    for (const [path, body] of Object.entries(bodies)) {
      const reference = `${prefix}${path}`.replaceAll('/', '-');
      const answer = await callerOf(sandbox)(`${prefix}/${path}`, { body: { ...body, reference } });
      expect([path, answer.status]).toEqual([path, 200]);
      expect((await verify(reference)).status).toBe('success');
    }
  });

  it('answers a bank transfer the same for every forced status', async () => {
    const start = (reference: string, status: string) =>
      callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body: { ...bank, reference, status } });
    const answers = [await start('A', 'success'), await start('B', 'failed'), await start('C', 'pending')];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it.each(['KES', 'GHS', 'USD'])('refuses bank transfers in %s (decision 56)', async (currency) => {
    const { status, body } = await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', {
      body: { ...bank, reference: 'K1', currency },
    });
    expect([status, Object.keys(body.error)]).toEqual([400, ['currency']]);
  });

  it.each([
    ['1500.91', 'failed'],
    ['1500.92', 'pending'],
    ['1500.93', 'pending'],
    ['1500.00', 'success'],
  ])('lets the simulator decide %s → %s (decision 55)', async (amount, status) => {
    await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body: { ...bank, amount, reference: 'M1' } });
    expect((await verify('M1')).status).toBe(status);
    await sandbox.advance('1h');
    expect((await verify('M1')).status).toBe(amount === '1500.93' ? 'success' : status);
  });

  it('requires every field its channel requires (decision 51)', async () => {
    const required = {
      'transaction/initialize': ['amount', 'card', 'currency', 'email', 'reference'],
      'banktransfer/initialize': ['amount', 'currency', 'email', 'reference'],
      'ussd/initialize': ['amount', 'bankCode', 'currency', 'email', 'reference'],
      'momo/payment_request': ['amount', 'bankName', 'currency', 'phone', 'reference'],
    };
    for (const [path, fields] of Object.entries(required)) {
      const { status, body } = await callerOf(sandbox)(`/api/s2s/v1/${path}`, { body: {} });
      expect([status, Object.keys(body.error).sort()]).toEqual([400, fields]);
    }
  });

  it.each(['0', '0.00', '-1.00', '1.001', '1e3', ' 5.00', '', '1,000.00'])('refuses the amount %j', async (amount) => {
    const { status, body } = await callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', {
      body: { ...bank, reference: 'Z1', amount },
    });
    expect([status, Object.keys(body.error)]).toEqual([400, ['amount']]);
  });

  describe('with a wallet in the currency (decision 57, as payouts)', () => {
    const started: Record<string, Record<string, unknown>> = {
      'banktransfer/initialize': bank,
      'ussd/initialize': { ...bank, bankCode: '990001' },
    };
    const start = (path: string, change: Record<string, unknown>) =>
      callerOf(sandbox)(`/api/s2s/v1/${path}`, {
        body: { ...started[path.replace('/wallet', '')], reference: 'W-1', ...change },
      });
    const ngn = () => {
      const [first] = sandbox.balances();
      return { wallets: first?.wallets, pending: first?.pending };
    };
    beforeEach(() => sandbox.setBalance({ currency: 'NGN', available: '0.00', pending: '0.00', wallet: 'W1' }));

    it.each(Object.keys(started))('%s/wallet credits the wallet that is named, at once', async (path) => {
      expect((await start(`${path}/wallet`, { wallet_code: 'W1' })).status).toBe(200);
      expect(ngn()).toEqual({ wallets: { W1: '1500.00' }, pending: '0.00' });
    });

    it.each(Object.keys(started))('%s/wallet refuses a missing or an unknown code and keeps nothing', async (path) => {
      for (const change of [{}, { wallet_code: null }, { wallet_code: 'nope' }]) {
        const { status, body } = await start(`${path}/wallet`, change);
        expect([status, Object.keys(body.error)]).toEqual([400, ['wallet_code']]);
      }
      expect(sandbox.collections()).toEqual([]);
    });

    it.each(Object.keys(started))('%s credits the balance, whatever code it carries', async (path) => {
      expect((await start(path, { wallet_code: 'W1' })).status).toBe(200);
      expect((await start(path, { wallet_code: 'nope', reference: 'W-2' })).status).toBe(200);
      expect(ngn()).toEqual({ wallets: { W1: '0.00' }, pending: '3000.00' });
    });

    it('no card or mobile money payment reaches a wallet: they have no wallet variant', async () => {
      sandbox.setBalance({ currency: 'KES', wallet: 'W2' });
      const { body } = await callerOf(sandbox)('/api/s2s/v1/momo/payment_request', {
        body: { ...bodies['momo/payment_request'], reference: 'M-1', wallet_code: 'W2' },
      });
      expect(body.success).toBe(true);
      expect(sandbox.balances().find(({ currency }) => currency === 'KES')).toMatchObject({
        wallets: { W2: '0.00' },
        pending: '50.00',
      });
    });
  });
});

describe('references', () => {
  const start = (prefix: string, reference = 'R1') =>
    callerOf(sandbox)(`${prefix}/banktransfer/initialize`, { body: { ...bank, reference } });

  it('are used once (decision 58)', async () => {
    await start('/api/s2s/v1');
    const { status, body } = await start('/api/s2s/v1');
    expect([status, body.message]).toEqual([400, 'Transaction reference already exists']);
  });

  it('must not mix legacy and v1 (decision 59)', async () => {
    await start('/api/s2s');
    const { status, body } = await start('/s2s/v1');
    expect(status).toBe(400);
    expect(body.message).toMatch(/must not be mixed/);
    const data = { number: APPROVED, expiryMonth: '12', expiryYear: '99', cvv: '123' };
    const { text } = await callerOf(sandbox)('/api/s2s/v1/test/encryption', { body: { data, reference: 'R2' } });
    const mixed = { ...bank, reference: 'R2', card: text };
    const answer = await callerOf(sandbox)('/api/s2s/transaction/initialize', { body: mixed });
    expect(answer.body.message).toMatch(/must not be mixed/);
    sandbox.changeSettings({ versionMixing: 'allow' });
    expect((await callerOf(sandbox)('/api/s2s/transaction/initialize', { body: mixed })).status).toBe(200);
  });

  it('belong to one merchant and environment', async () => {
    const other = sandbox.addMerchant();
    const key = other.keys.test.secretKey;
    await start('/api/s2s/v1');
    const call = callerOf(sandbox);
    expect((await call('/api/v1/transaction/verify/R1', { key })).status).toBe(404);
    expect(
      (await call('/api/s2s/v1/banktransfer/initialize', { key, body: { ...bank, reference: 'R1' } })).status,
    ).toBe(200);
  });

  it('may hold anything printable, and are found by id as well', async () => {
    const reference = 'a/b c?d#é%';
    await start('/api/s2s/v1', reference);
    const found = await verify(encodeURIComponent(reference));
    expect(found.reference).toBe(reference);
    const byId = await callerOf(sandbox)(`/api/v1/transaction/${found.id}`);
    expect(byId.body.data).toEqual(found);
  });
});

it('takes whole amounts unless it is told to be strict (decision 52)', async () => {
  const start = (reference: string) =>
    callerOf(sandbox)('/api/s2s/v1/banktransfer/initialize', { body: { ...bank, amount: '100', reference } });
  expect((await start('A1')).status).toBe(200);
  sandbox.changeSettings({ strictAmounts: true });
  expect(Object.keys((await start('A2')).body.error)).toEqual(['amount']);
});

it('answers every kind of request with 503 when it is full', async () => {
  await payByCard(sandbox, { reference: 'A1' });
  sandbox.changeSettings({ recordLimit: 1 });
  const checkout = { ...bank, reference: 'A2', name: 'Ada', callback_url: 'https://a.example' };
  const payout = { currency: 'NGN', amount: 5, bank_code: '990001', bank_name: 'One', account_number: '0000000001' };
  for (const [path, body] of [
    ['/api/s2s/v1/banktransfer/initialize', { ...bank, reference: 'A2' }],
    ['/api/inline/public/transaction/initialize', { ...checkout, public_key: sandbox.keys.test.publicKey }],
    ['/api/v1/refund', { reference: 'A1', amount: '1.00' }],
    ['/api/v1/bank_transfer', { ...payout, reference: 'A2' }],
  ] as const) {
    const answer = await callerOf(sandbox)(path, { body });
    expect([path, answer.status, answer.body.message]).toEqual([path, 503, expect.stringContaining('full')]);
  }
  expect([sandbox.collections().length, sandbox.refunds(), sandbox.payouts()]).toEqual([1, [], []]);
});

it('takes the fee from the merchant when the settings say so (decision 48)', async () => {
  sandbox.changeSettings({ feeBearer: 'merchant' });
  await payByCard(sandbox, { reference: 'M1', amount: '20.10' });
  expect(await verify('M1')).toMatchObject({ amount: '20.10', requested_amount: '20.10', fees: '0.2412' });
  expect(sandbox.balances()[3]?.pending).toBe('19.8588');
});

describe('authentication (section 5)', () => {
  it.each([null, 'sk_test_unknown', 'nonsense'])('answers 401 to the key %j', async (key) => {
    const answer = await callerOf(sandbox)('/api/v1/refund', { key });
    expect([answer.status, answer.body]).toEqual([401, { success: false, message: 'Invalid API key' }]);
  });

  it('answers 403 to a public key', async () => {
    expect((await callerOf(sandbox)('/api/v1/refund', { key: sandbox.keys.test.publicKey })).status).toBe(403);
  });

  it('no longer knows a rotated key', async () => {
    const old = sandbox.keys.test.secretKey;
    sandbox.rotateKeys();
    expect((await callerOf(sandbox)('/api/v1/refund', { key: old })).status).toBe(401);
    expect((await callerOf(sandbox)('/api/v1/refund')).status).toBe(200);
  });
});

it('never logs a key, known or not', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  const logged = await startSandbox({ seed: 7, logger });
  const call = callerOf(logged);
  await call('/api/v1/refund');
  await call('/api/v1/refund', { key: 'sk_live_canary' });
  await call('/api/v1/refund', { key: 'sk_live_canary', body: '{' });
  await fetch(`${logged.url}/sk_live_canary?key=sk_live_canary`);
  await logged.close();
  expect(lines.join('')).not.toMatch(/sk_/);
});

it('refuses broken JSON with 400 and survives hostile bodies', async () => {
  const post = (body: string, type = 'application/json') =>
    callerOf(sandbox)('/api/v1/refund', { body, headers: { 'Content-Type': type } });
  expect((await post('{')).status).toBe(400);
  expect((await post('['.repeat(100_000))).status).toBe(400);
  expect((await post('null')).status).toBe(422);
  expect((await post('{"__proto__":{"reference":"x"},"constructor":1}')).status).toBe(422);
  expect((await post('{"reference":"nope"}', 'json')).status).toBe(404);
});

it.each([
  ['/api/s2s/v1/banktransfer/initialize', 'error'],
  ['/api/v1/refund', 'errors'],
  ['/api/v1/bank_transfer', 'errors'],
])('%s says how long an amount may be', async (path, errors) => {
  const body = { ...bank, amount: '9999999999999999.00', reference: 'L1' };
  const answer = await callerOf(sandbox)(path, { body });
  expect(answer.body[errors].amount).toEqual([expect.stringMatching(/at most 15 digits and two decimals/)]);
});

it('refuses what is too large, compressed or no address, and the document says so', async () => {
  const call = callerOf(sandbox);
  for (const path of ['/api/s2s/v1/banktransfer/initialize', '/api/v1/refund', '/api/v1/bank_transfer']) {
    expect((await call(path, { body: 'x'.repeat(1_048_577) })).status).toBe(413);
    const packed = await call(path, { body: '{}', headers: { 'Content-Encoding': 'gzip' } });
    expect([packed.status, packed.body.message]).toEqual([415, expect.stringContaining('Content-Encoding gzip')]);
    const unknown = await call(path, { body: '{}', key: null, headers: { 'Content-Encoding': 'gzip' } });
    expect(unknown.status).toBe(401);
    expect((await call(path, { body: '{}', headers: { 'Content-Encoding': 'identity' } })).status).not.toBe(415);
  }
  expect((await call('/api/v1/transaction/verify/%')).status).toBe(400);
  expect((await call(`/api/v1/payout/${'x'.repeat(5000)}`)).status).toBe(414);
});
