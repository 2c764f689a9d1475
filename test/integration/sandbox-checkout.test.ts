import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { callerOf, DECLINED, payByCard, RECURRING } from '../support/sandbox-caller.ts';
import { orderStatus, sendForm, startSession } from '../support/sandbox-checkout.ts';
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

const start = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  startSession(sandbox, change, headers);
const finish = (code: string, change: Record<string, string>) => sendForm(sandbox, code, change);
const statusOf = () => orderStatus(sandbox);

describe('starting a checkout (2.6)', () => {
  it('answers with the page address and the options, and the payment is pending', async () => {
    const { status, body } = await start({ currency: 'KES', payment_options: ['card', 'momo'] });
    expect([status, body.data.authorization_url]).toEqual([200, `${sandbox.url}/pay/ORDER-1`]);
    expect([body.data.reference, body.data.payment_options]).toEqual(['ORDER-1', ['card', 'momo']]);
    expect(await statusOf()).toBe('pending');
  });

  it('takes the key from the header, or from both when they agree (decision 65)', async () => {
    const header = { 'x-pub-key': sandbox.keys.test.publicKey };
    expect((await start({ public_key: undefined }, header)).status).toBe(200);
    expect((await start({ reference: 'O2' }, header)).status).toBe(200);
    expect((await start({ reference: 'O3' }, { 'x-pub-key': sandbox.keys.live.publicKey })).status).toBe(401);
  });

  it('can be called by a page in a browser, and is the only route that can', async () => {
    const from = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = (path: string) => fetch(sandbox.url + path, { method: 'OPTIONS', headers: from });
    const allowed = await preflight('/api/inline/public/transaction/initialize');
    expect([allowed.status, allowed.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'content-type, x-pub-key',
    ]);
    const answers = [await start({}, from), await start({ amount: 1 }, from)];
    expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(['*', '*']);
    for (const path of ['/api/v1/refund', '/sandbox/', '/pay/ORDER-1']) {
      expect([path, (await preflight(path)).headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  it('keeps live payments apart', async () => {
    await start({ public_key: sandbox.keys.live.publicKey });
    expect((await callerOf(sandbox)('/api/v1/transaction/verify/ORDER-1')).status).toBe(404);
    const live = await callerOf(sandbox)('/api/v1/transaction/verify/ORDER-1', { environment: 'live' });
    expect(live.body.data.domain).toBe('live');
  });

  it.each([
    [{ public_key: undefined }, 422, 'Incomplete request', ['public_key']],
    [{ public_key: 'pk_test_unknown' }, 401, 'Invalid public key', undefined],
    [{ reference: undefined }, 422, 'Incomplete request', ['reference']],
    [{ amount: 25 }, 422, 'Incomplete request', ['amount']],
    [{ amount: undefined, email: undefined, name: undefined }, 422, 'Incomplete request', ['amount', 'email', 'name']],
    [
      { callback_url: undefined, callback: 'https://a.example', redirect_url: 'https://a.example' },
      422,
      'Incomplete request',
      ['callback_url'],
    ],
    [{ callback_url: 'ftp://a.example' }, 422, 'The callback URL must be a valid http or https URL', undefined],
    [{ callback_url: 'nonsense' }, 422, 'The callback URL must be a valid http or https URL', undefined],
    [{ currency: 'EUR' }, 422, 'Unsupported currency', undefined],
    [{ currency: undefined }, 422, 'Incomplete request', ['currency']],
    [{ payment_options: ['card', 'cheque'] }, 422, 'Incomplete request', ['payment_options']],
    [{ payment_options: 'card' }, 422, 'Incomplete request', ['payment_options']],
    [{ payment_options: [5] }, 422, 'Incomplete request', ['payment_options']],
    [{ payment_options: [null] }, 422, 'Incomplete request', ['payment_options']],
    [{ payment_options: [] }, 422, 'Incomplete request', ['payment_options']],
  ])('refuses %j with %d %s %j', async (change, http, message, fields) => {
    const { status, body } = await start(change);
    expect([status, body.message]).toEqual([http, message]);
    expect(body.error && Object.keys(body.error)).toEqual(fields);
    if (fields?.includes('amount') && 'amount' in change && change.amount === 25) {
      expect(body.error.amount[0]).toMatch(/must be a string/);
    }
  });

  it.each([
    'https:///a.example',
    'http:a.example',
    ' https://a.example',
    'https://a.example/a b',
    'https://',
    '//a.example',
  ])('refuses the callback_url %j, which a browser might read otherwise or not at all', async (callback_url) => {
    const { status, body } = await start({ callback_url });
    expect([status, body.message]).toEqual([422, 'The callback URL must be a valid http or https URL']);
  });

  it('refuses a reference that was used, by a checkout or by S2S', async () => {
    await start();
    expect((await start()).body).toEqual({ success: false, message: 'Transaction reference already exists' });
    await payByCard(sandbox, { reference: 'S2S' });
    expect((await start({ reference: 'S2S' })).status).toBe(409);
  });
});

it('answers at its own address with a page that says what it is, and shows no key', async () => {
  const { status, text } = await callerOf(sandbox)('/', { key: null });
  expect([status, text]).toEqual([200, expect.stringContaining('The sandbox runs')]);
  for (const link of text.matchAll(/href="(\/[^"]*)"/g))
    expect([link[1], (await fetch(sandbox.url + link[1])).status]).toEqual([link[1], 200]);
  expect(text).not.toMatch(/[sp]k_(test|live)_|sbx_/);
});

describe('the hosted page', () => {
  it.each([
    [{ card_number: '4000 0000 0000 0002' }, 'success', ['transaction.successful']],
    [{ card_number: DECLINED }, 'failed', ['transaction.failed']],
    [{ card_number: '4999999999999996' }, 'failed', ['transaction.failed']],
    [{ card_number: RECURRING }, 'success', ['transaction.successful']],
    [{ action: 'fail' }, 'failed', ['transaction.failed']],
    [{ action: 'cancel' }, 'cancelled', []],
    [{ option: 'momo', card_number: '', phone: '0700000001' }, 'success', ['transaction.successful'], 'KES'],
    [{ option: 'bank_transfer', card_number: '' }, 'success', ['transaction.successful'], 'NGN'],
  ])('%j ends %s and returns to the merchant', async (choice, status, announced, currency = 'USD') => {
    const { data } = (await start({ currency })).body;
    const answer = await finish(data.access_code, choice as Record<string, string>);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `https://shop.example/thanks?order=1&reference=ORDER-1&status=${status}`,
    );
    expect(await statusOf()).toBe(status);
    await sandbox.idle();
    expect(receiver.caught.map(({ body }) => `${body.notify}.${body.notifyType}`)).toEqual(announced);
    const again = await callerOf(sandbox)('/pay/ORDER-1', { key: null });
    expect(again.text).toContain('Return to');
  });

  it('escapes what the merchant and the customer wrote, and loads nothing from elsewhere', async () => {
    await start();
    const { text, headers } = await callerOf(sandbox)('/pay/ORDER-1', { key: null });
    expect(text).toContain('Ada &lt;b&gt;Lovelace');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/https?:\/\//);
  });

  it.each([{ action: 'cancle' }, { option: 'momo' }, { option: 'cheque' }])('asks again for %j', async (choice) => {
    const { data } = (await start({ currency: 'NGN' })).body;
    const answer = await finish(data.access_code, choice as Record<string, string>);
    expect([answer.status, await statusOf()]).toEqual([422, 'pending']);
    expect(await answer.text()).toContain('role="alert"');
  });

  it('does nothing without the access code of a page that was shown', async () => {
    await start();
    for (const code of ['guess', '']) expect((await finish(code, {})).status).toBe(404);
    expect(await statusOf()).toBe('pending');
    expect((await callerOf(sandbox)('/pay/unknown', { key: null })).status).toBe(404);
  });

  it('decides once', async () => {
    const { data } = (await start()).body;
    await finish(data.access_code, { action: 'cancel' });
    const answer = await finish(data.access_code, {});
    expect(answer.headers.get('location')).toContain('status=cancelled');
    expect(await statusOf()).toBe('cancelled');
  });

  it('tells two merchants with one reference apart by access code', async () => {
    await start();
    const other = sandbox.addMerchant({ name: 'Other Shop' });
    const { data } = (await start({ public_key: other.keys.test.publicKey })).body;
    expect(data.authorization_url).toContain('access_code=');
    expect(await (await fetch(data.authorization_url)).text()).toContain('Other Shop');
    expect((await callerOf(sandbox)('/pay/ORDER-1', { key: null })).text).toContain('Demo Store');
  });
});
