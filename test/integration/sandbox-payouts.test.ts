import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BANKS, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { callerOf } from '../support/sandbox-caller.ts';
import { catchWebhooks } from '../support/webhook-catcher.ts';

let sandbox: Sandbox;
let receiver: Awaited<ReturnType<typeof catchWebhooks>>;

beforeEach(async () => {
  receiver = await catchWebhooks();
  sandbox = await startSandbox({ seed: 7, clock: 'manual', webhookUrl: receiver.url });
});
afterEach(async () => {
  expect(sandbox.books().problems).toEqual([]);
  await sandbox.close();
  await receiver.close();
});

const naira = {
  currency: 'NGN',
  amount: 100,
  bank_code: '990001',
  bank_name: 'Sandbox Bank One',
  account_number: '0000000001',
  narration: 'Wages',
  reference: 'P1',
};
const send = (change: Record<string, unknown> = {}, path = '/api/v1/bank_transfer') =>
  callerOf(sandbox)(path, { body: { ...naira, ...change } });
const statusOf = async (reference = 'P1') => (await callerOf(sandbox)(`/api/v1/payout/${reference}`)).body.data.status;
const available = (currency = 'NGN') => sandbox.balances().find((one) => one.currency === currency)?.available;
const events = async () => {
  await sandbox.idle();
  return receiver.caught.map(({ body }) => `${body.notify}.${body.notifyType} ${body.data.status}`);
};

describe('banks and accounts', () => {
  it.each(['NGN', 'KES', 'GHS'] as const)('lists the banks of %s with logos that load', async (currency) => {
    const { body } = await callerOf(sandbox)(`/api/v1/bank_list/${currency}`);
    expect([body.currency, body.data.length]).toEqual([currency, BANKS[currency].length]);
    const logo = await fetch(body.data[0].logo);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('takes NGN when no currency is given, and refuses others (decisions 80 and 83)', async () => {
    expect((await callerOf(sandbox)('/api/v1/bank_list')).body.currency).toBe('NGN');
    const headers = { Authorization: `Bearer ${sandbox.keys.test.secretKey}` };
    expect((await fetch(`${sandbox.url}/api/v1/bank_list/`, { headers })).status).toBe(200);
    expect((await callerOf(sandbox)('/api/v1/bank_list/USD')).status).toBe(422);
  });

  it.each([
    ['NGN', '990001', '0000000001', 200],
    ['KES', 'MMKE', '+254700000001', 200],
    ['KES', 'MMKE', '254700000001', 200],
    ['KES', 'MMKE', '0700000001', 200],
    ['GHS', 'MMGH', '+233200000001', 200],
    ['GHS', 'MMGH', '233200000001', 200],
    ['GHS', 'MMGH', '0200000001', 200],
    ['NGN', '990001', '1234567890', 422],
    ['NGN', 'nope', '0000000001', 422],
    ['USD', '990001', '0000000001', 422],
  ])('verifies %s %s %s with %d', async (currency, bank_code, account_number, status) => {
    const answer = await callerOf(sandbox)('/api/v1/account_name_verify', {
      body: { currency, bank_code, account_number },
    });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.data).toBe('Ada Sandbox');
  });
});

describe('transfers', () => {
  it('debits amount and fee at once, answers pending, and announces success (6.3)', async () => {
    const { status, body } = await send({ amount: 12.5 });
    expect([status, body.data.amount, body.data.fee, body.data.stamp_duty]).toEqual([200, '12.50', 10, 0]);
    expect(available()).toBe('999977.50');
    expect(await events()).toEqual(['payout.successful success']);
    expect(await statusOf()).toBe('success');
    expect(receiver.caught[0]?.body.data).toMatchObject({
      amount: 12.5,
      domain: 'test',
      reference: 'P1',
      account_name: 'Ada Sandbox',
    });
  });

  it.each([
    ['KES', '9901', '0000000001', '0000000001'],
    ['GHS', '990101', '0000000001', '0000000001'],
    ['KES', 'MMKE', '0700000001', '254700000001'],
    ['KES', 'MMKE', '+254700000001', '254700000001'],
    ['GHS', 'MMGH', '0200000001', '233200000001'],
  ])('tells the account %s %s %s as %s: phones change their notation, bank accounts never', async (...row) => {
    const [currency, bank_code, account_number, told] = row;
    expect((await send({ currency, bank_code, account_number })).body.data.account_number).toBe(told);
    await sandbox.idle();
    expect(receiver.caught[0]?.body.data.account_number).toBe(told);
  });

  it('takes stamp duty from 10,000.00 NGN on', async () => {
    expect((await send({ amount: '10000.00' })).body.data.stamp_duty).toBe(50);
    expect(available()).toBe('989940.00');
  });

  it.each([
    ['0000000002', 'pending', [], '999890.00'],
    ['0000000003', 'failed', ['payout.failed failed'], '1000000.00'],
    ['0000000004', 'success', ['payout.successful success'], '999890.00'],
  ])('to %s ends %s', async (account_number, status, announced, left) => {
    await send({ account_number });
    expect(await events()).toEqual(announced);
    expect([await statusOf(), available()]).toEqual([status, left]);
  });

  it.each([
    ['100.91', 'failed'],
    ['100.92', 'pending'],
  ])('of %s ends %s', async (amount, status) => {
    await send({ amount });
    await sandbox.idle();
    expect(await statusOf()).toBe(status);
  });

  it('comes back a day later from an account that reverses, money and all (decision 73)', async () => {
    await send({ account_number: '0000000004' });
    await sandbox.advance('1d');
    expect([await statusOf(), available()]).toEqual(['reversed', '1000000.00']);
    expect(await events()).toEqual(['payout.successful success', 'payout.reversed reversed']);
  });

  it('moves by control along its states only', async () => {
    await send({ account_number: '0000000002' });
    await sandbox.idle();
    expect(() => sandbox.movePayout('P1', 'reversed')).toThrow(/cannot go from pending to reversed/);
    sandbox.movePayout('P1', 'success');
    sandbox.movePayout('P1', 'reversed');
    expect(() => sandbox.movePayout('P1', 'success')).toThrow(/This status is final/);
    expect(await events()).toEqual(['payout.successful success', 'payout.reversed reversed']);
  });

  it('keeps silent about failures when the settings say so', async () => {
    sandbox.changeSettings({ payoutFailureWebhooks: false });
    await send({ account_number: '0000000003' });
    expect(await events()).toEqual([]);
  });

  it('refuses what the balance does not cover, with the figures, and debits nothing', async () => {
    sandbox.setBalance({ currency: 'NGN', available: '109.99' });
    const { status, body } = await send();
    expect([status, body.required, body.available_balance, body.shortfall]).toEqual([422, '110.00', '109.99', '0.01']);
    expect(available()).toBe('109.99');
    sandbox.setBalance({ currency: 'NGN', available: '110.00' });
    expect((await send()).status).toBe(200);
    expect(available()).toBe('0.00');
  });

  it('uses a reference once', async () => {
    await send();
    expect((await send()).status).toBe(409);
    expect(available()).toBe('999890.00');
  });

  it.each([
    [{ currency: 'USD' }, ['currency']],
    [{ amount: undefined }, ['amount']],
    [{ amount: 0 }, ['amount']],
    [{ amount: -1 }, ['amount']],
    [{ amount: 1.001 }, ['amount']],
    [{ amount: 'ten' }, ['amount']],
    [{ bank_code: 'nope' }, ['bank_code']],
    [{ account_number: '1' }, ['account_number']],
    [{ reference: '' }, ['reference']],
  ])('refuses %j naming %j', async (change, fields) => {
    const { status, body } = await send(change);
    expect([status, Object.keys(body.errors)]).toEqual([422, fields]);
  });

  it('sends from a wallet: the balance without wallets, else the wallet that is named (decision 57)', async () => {
    expect((await send({}, '/api/v1/bank_transfer/wallet')).status).toBe(200);
    expect(available()).toBe('999890.00');
    sandbox.setBalance({ currency: 'NGN', available: '150.00', wallet: 'W1' });
    const wallet = (change: Record<string, unknown>) =>
      send({ reference: 'P2', ...change }, '/api/v1/bank_transfer/wallet');
    expect(Object.keys((await wallet({})).body.errors)).toEqual(['wallet_code']);
    expect(Object.keys((await wallet({ wallet_code: 'W2' })).body.errors)).toEqual(['wallet_code']);
    expect((await wallet({ wallet_code: 'W1' })).status).toBe(200);
    expect(sandbox.balances()[0]?.wallets).toEqual({ W1: '40.00' });
    await wallet({ wallet_code: 'W1', account_number: '0000000003', amount: 10, reference: 'P3' });
    await sandbox.idle();
    expect([await statusOf('P3'), sandbox.balances()[0]?.wallets]).toEqual(['failed', { W1: '40.00' }]);
    expect(available()).toBe('999890.00');
  });

  it('answers a pending payout with 202 and no data when the settings say so (decision 72)', async () => {
    sandbox.changeSettings({ pendingPayoutAnswer: 'empty_202' });
    await send({ account_number: '0000000002' });
    expect((await callerOf(sandbox)('/api/v1/payout/P1')).status).toBe(202);
    expect((await callerOf(sandbox)('/api/v1/payout/unknown')).status).toBe(404);
  });
});

it('shows its records to code as plain values, the same as over HTTP', async () => {
  await send({ amount: 12_000.5, account_number: '0000000002' });
  const { id, fee, stamp_duty, amount, status } = sandbox.payouts()[0] ?? {};
  expect({ id, fee, stamp_duty, amount, status }).toEqual({
    id: 100_000,
    fee: 10,
    stamp_duty: 50,
    amount: '12000.50',
    status: 'pending',
  });
  const headers = { Authorization: `Bearer ${sandbox.controlToken}` };
  const answer = await fetch(`${sandbox.url}/sandbox/payouts`, { headers });
  expect(await answer.json()).toEqual({ payouts: sandbox.payouts() });
});
