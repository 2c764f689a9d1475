import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SIMULATOR_CARDS } from '../../src/sandbox/business/cards.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { APPROVED, callerOf } from '../support/sandbox-caller.ts';
import { orderStatus, sendForm, startSession } from '../support/sandbox-checkout.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ seed: 7, clock: 'manual', startAt: new Date('2026-03-31T23:59:59Z') });
});
afterEach(() => sandbox.close());

const accessCode = async (change: Record<string, unknown> = {}) =>
  (await startSession(sandbox, change)).body.data.access_code as string;

describe('the form of the hosted page', () => {
  it.each([
    [{ card_number: '12' }, 'card_number', '12'],
    [{ card_number: '' }, 'card_number', ''],
    [{ card_number: '4000 0000 0000 000x' }, 'card_number', '4000 0000 0000 000x'],
    [{ card_number: '4000 0000 0000 0003' }, 'card_number', '4000 0000 0000 0003'],
    [{ card_number: '4242424242424241' }, 'card_number', '4242 4242 4242 4241'],
    [{ card_number: '5100000000000080' }, 'card_number', '5100 0000 0000 0080'],
    [{ expiry: '' }, 'expiry', ''],
    [{ expiry: '13/30' }, 'expiry', '13/30'],
    [{ expiry: '12/3' }, 'expiry', '12/3'],
    [{ expiry: 'soon' }, 'expiry', 'soon'],
    [{ expiry: '02/26' }, 'expiry', '02/26'],
    [{ cvv: '' }, 'cvv', ''],
    [{ cvv: 'x' }, 'cvv', 'x'],
    [{ cvv: '12345' }, 'cvv', '12345'],
    [{ option: 'momo', phone: '' }, 'phone', ''],
    [{ option: 'momo', phone: 'mine' }, 'phone', 'mine'],
  ])('refuses %j beside the field, and keeps what was typed', async (change, field, typed) => {
    const answer = await sendForm(sandbox, await accessCode({ currency: 'KES' }), change as Record<string, string>);
    expect([answer.status, await orderStatus(sandbox)]).toEqual([422, 'pending']);
    const page = await answer.text();
    const input = new RegExp(`<input id="${field}"[^>]*>`).exec(page)?.[0] ?? '';
    expect(input).toContain(`value="${typed}"`);
    expect(input).toContain(`aria-invalid="true" aria-describedby="${field}-problem"`);
    expect(page).toMatch(new RegExp(`id="${field}-problem">[^<]{10,}<`));
    expect(page.match(/aria-invalid/g)).toHaveLength(1);
  });

  it('names every wrong field at once', async () => {
    const answer = await sendForm(sandbox, await accessCode(), { card_number: '1', expiry: '1', cvv: '1' });
    const page = await answer.text();
    expect([...page.matchAll(/id="(\w+)-problem"/g)].map(([, field]) => field)).toEqual([
      'card_number',
      'expiry',
      'cvv',
    ]);
  });

  it.each(['12/30', '12 / 30', '1230', '12-30', '12/2030', '03/26'])('takes the expiry %j', async (expiry) => {
    expect((await sendForm(sandbox, await accessCode(), { expiry })).status).toBe(303);
    expect(await orderStatus(sandbox)).toBe('success');
  });

  it('takes a card until its month ends', async () => {
    const code = await accessCode();
    await sandbox.advance('1s');
    const answer = await sendForm(sandbox, code, { expiry: '03/26' });
    expect([answer.status, await orderStatus(sandbox)]).toEqual([422, 'pending']);
    expect(await answer.text()).toContain('This card expired at the end of 03/26.');
  });

  it.each(SIMULATOR_CARDS)('takes the card $number of the table', async ({ number, outcome }) => {
    const answer = await sendForm(sandbox, await accessCode(), { card_number: number });
    const paid = outcome === 'declined' ? 'failed' : 'success';
    expect([answer.status, await orderStatus(sandbox)]).toEqual([303, paid]);
  });

  it('takes a number of the settings whose check digit is wrong', async () => {
    sandbox.changeSettings({ cards: [{ number: '4242424242424241', outcome: 'approved' }] });
    expect((await sendForm(sandbox, await accessCode(), { card_number: '4242424242424241' })).status).toBe(303);
    expect(await orderStatus(sandbox)).toBe('success');
  });

  it('groups the digits of a card that it shows again', async () => {
    const code = await accessCode();
    const page = await (await sendForm(sandbox, code, { card_number: APPROVED, cvv: '' })).text();
    expect(page).toContain('value="4000 0000 0000 0002"');
  });

  it.each(['fail', 'cancel'])('checks nothing before it lets a payment %s', async (action) => {
    const answer = await sendForm(sandbox, await accessCode(), { action, card_number: '12', expiry: '', cvv: '' });
    expect(answer.status).toBe(303);
    const { body } = await callerOf(sandbox)('/api/v1/transaction/verify/ORDER-1');
    expect(body.card).toBe(null);
  });

  it('keeps the phone that pays without its spaces', async () => {
    await sendForm(sandbox, await accessCode({ currency: 'KES' }), { option: 'momo', phone: ' 0700 000-001 ' });
    const { body } = await callerOf(sandbox)('/api/v1/transaction/verify/ORDER-1');
    expect([body.data.status, body.customer.phone]).toEqual(['success', '0700000001']);
  });
});

describe('the payment options of a session', () => {
  it.each([
    ['USD', ['card', 'bank_transfer', 'momo'], ['card']],
    ['NGN', ['momo', 'bank_transfer', 'card'], ['bank_transfer', 'card']],
    ['KES', ['bank_transfer', 'momo'], ['momo']],
    ['GHS', undefined, ['card', 'momo']],
    ['NGN', undefined, ['card', 'bank_transfer']],
  ])('in %s of %j are %j: each as its S2S channel', async (currency, asked, offered) => {
    const { body } = await startSession(sandbox, { currency, payment_options: asked });
    expect(body.data.payment_options).toEqual(offered);
    const page = await (await fetch(body.data.authorization_url)).text();
    expect([...page.matchAll(/type="radio" name="option" value="(\w+)"/g)].map(([, option]) => option)).toEqual(
      offered,
    );
  });

  it.each([
    ['USD', ['bank_transfer', 'momo']],
    ['NGN', ['momo']],
    ['KES', ['bank_transfer']],
  ])('in %s cannot be %j alone', async (currency, payment_options) => {
    const { status, body } = await startSession(sandbox, { currency, payment_options });
    expect([status, body.message, Object.keys(body.error)]).toEqual([422, 'Incomplete request', ['payment_options']]);
    expect(sandbox.collections()).toEqual([]);
  });
});

describe('the card helper checks as the page does', () => {
  it.each([
    ['02', '26', 400],
    ['03', '26', 200],
  ])('an expiry of %s/%s: %d', async (expiryMonth, expiryYear, status) => {
    const data = { number: APPROVED, expiryMonth, expiryYear, cvv: '123' };
    const answer = await callerOf(sandbox)('/api/s2s/v1/test/encryption', { body: { data, reference: 'R-1' } });
    expect(answer.status).toBe(status);
    if (status === 400) expect(Object.keys(answer.body.error)).toEqual(['data.expiryYear']);
  });
});
