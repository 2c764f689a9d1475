import { expect } from 'vitest';
import { formatAmount, parseAmount } from '../../src/domain/money/amount.ts';
import { BANKS } from '../../src/sandbox/index.ts';
import { memoryJournal } from '../../src/service/journal/memory.ts';
import { conforms } from '../support/conformance.ts';
import { payout } from '../support/sample-requests.ts';
import { errorOf, startService } from '../support/service.ts';

const { sandbox, client, clientWith } = await startService();
/** A client without earlier requests, so that only the service can recognise a reference. */
const forgetful = () => clientWith({ journal: memoryJournal() });

const available = (currency: string) => sandbox.balances().find((balance) => balance.currency === currency)?.available;

conforms('2.7', ['bank-list'], 'given', 'a bank list names bank, code and logo, and its currency', async () => {
  const list = await client.payouts.banks('KES');
  expect(list.currency).toBe('KES');
  expect(list.banks).toEqual(
    BANKS.KES.map(({ bankName, bankCode }) => ({ bankName, bankCode, logo: expect.stringMatching(/^https?:/) })),
  );
});

conforms('2.7', ['account-name'], 'given', 'account name verification answers with the name', async () => {
  const { currency, bankCode, accountNumber } = payout();
  expect(await client.payouts.verifyAccount({ currency, bankCode, accountNumber })).toEqual({
    accountName: 'Ada Sandbox',
  });
});

conforms('2.7', ['account-name'], 'ours', 'an account without a name is not verified', async () => {
  const error = await errorOf(
    client.payouts.verifyAccount({ currency: 'NGN', bankCode: '990001', accountNumber: '1234567890' }),
  );
  expect(error).toMatchObject({ name: 'AccountNotVerifiedError', kind: 'not_found' });
  expect(String(error)).not.toContain('1234567890');
});

conforms('2.7', ['request'], 'given', 'every field arrives, the amount as an exact number', async () => {
  const request = payout({ amount: parseAmount('500000.01') });
  await client.payouts.send(request);
  const sent = sandbox.payouts().find(({ reference }) => reference === request.reference);
  expect(sent).toMatchObject({
    amount: '500000.01',
    currency: 'NGN',
    bank_code: '990001',
    account_number: '0000000001',
    narration: 'Invoice 17',
  });
});

conforms('2.7', ['request'], 'ours', 'the amount is sent as text where the configuration says so', async () => {
  const request = payout();
  await clientWith({ payoutAmount: 'string' }).payouts.send(request);
  const { amount } = await client.payouts.status(request.reference);
  expect(amount && formatAmount(amount)).toBe('1500.50');
});

conforms('2.7', ['wallet_code'], 'given', 'a payout from a wallet carries its code', async () => {
  sandbox.setBalance({ currency: 'NGN', wallet: 'W-1', available: '5000.00' });
  const { payout: sent } = await client.payouts.sendFromWallet({ ...payout(), walletCode: 'W-1' });
  expect(sent.reference).toMatch(/^payout-/);
});

conforms(
  '2.7',
  ['phone-notations'],
  'given',
  'a mobile money account takes a phone number in three notations',
  async () => {
    for (const accountNumber of ['+254700000001', '254700000001', '0700000001']) {
      const mobile = { currency: 'KES', bankCode: 'MMKE', accountNumber };
      expect(await client.payouts.verifyAccount(mobile)).toEqual({ accountName: 'Ada Sandbox' });
      const { known } = await client.payouts.send(
        payout({ ...mobile, bankName: 'Sandbox Mobile Money Kenya', amount: parseAmount('10') }),
      );
      expect(known).toBe('answered');
    }
  },
);

conforms('2.7', ['response'], 'observed', 'initiation answers with the payout, pending', async () => {
  const { payout: sent } = await client.payouts.send(payout());
  expect(sent).toMatchObject({ status: 'pending', currency: 'NGN' });
  expect(sent.fee && formatAmount(sent.fee)).toBe('10.00');
});

conforms(
  '3.4',
  ['seen', 'further'],
  'given',
  'success and pending are read, and statuses that the service adds are kept unchanged',
  async () => {
    for (const [accountNumber, status] of [
      ['0000000001', 'success'],
      ['0000000002', 'pending'],
    ] as const) {
      const request = payout({ accountNumber, amount: parseAmount('10') });
      await client.payouts.send(request);
      await sandbox.idle();
      expect((await client.payouts.status(request.reference)).status).toBe(status);
    }
    const request = payout({ accountNumber: '0000000002', amount: parseAmount('10') });
    await client.payouts.send(request);
    sandbox.movePayout(request.reference, 'failed');
    expect((await client.payouts.status(request.reference)).status).toBe('failed');
  },
);

conforms('3.4', ['further'], 'observed', '202 without data is still pending', async () => {
  sandbox.changeSettings({ pendingPayoutAnswer: 'empty_202' });
  const request = payout({ accountNumber: '0000000002', amount: parseAmount('10') });
  await client.payouts.send(request);
  expect(await client.payouts.status(request.reference)).toMatchObject({ status: 'pending', amount: null });
  sandbox.changeSettings({ pendingPayoutAnswer: 'data' });
});

conforms('4.5', ['bank_list'], 'given', 'the bank list takes a currency, or none', async () => {
  expect((await client.payouts.banks()).currency).toBe('NGN');
  expect((await client.payouts.banks('GHS')).banks).toHaveLength(BANKS.GHS.length);
});

conforms(
  '4.5',
  ['account_name_verify', 'bank_transfer', 'wallet'],
  'given',
  'all endpoints serve all sandbox currencies',
  async () => {
    for (const currency of ['NGN', 'KES', 'GHS'] as const) {
      const [bank] = BANKS[currency];
      sandbox.setBalance({ currency, wallet: `W-${currency}`, available: '5000.00' });
      const bankOf = { currency, bankCode: bank?.bankCode ?? '', accountNumber: '0000000001' };
      await client.payouts.verifyAccount(bankOf);
      await client.payouts.send(payout({ ...bankOf, amount: parseAmount('5') }));
      await client.payouts.sendFromWallet({
        ...payout({ ...bankOf, amount: parseAmount('5') }),
        walletCode: `W-${currency}`,
      });
    }
  },
);

conforms('4.5', ['sandbox'], 'given', 'the test wallet is debited, and must hold enough', async () => {
  sandbox.setBalance({ currency: 'GHS', available: '100.00' });
  const ghana = { currency: 'GHS', bankCode: '990101', bankName: 'Sandbox Bank Ghana' };
  await client.payouts.send(payout({ ...ghana, amount: parseAmount('50.00') }));
  expect(available('GHS')).toBe('49.00');
  const error = await errorOf(client.payouts.send(payout({ ...ghana, amount: parseAmount('50.00') })));
  expect(error).toMatchObject({ httpStatus: 422 });
  expect(available('GHS')).toBe('49.00');
});

conforms(
  '4.5',
  ['bank_transfer'],
  'ours',
  'a reference that exists is compared: the same payout is known, another one is refused',
  async () => {
    const request = payout({ amount: parseAmount('100') });
    await forgetful().payouts.send(request);
    const count = sandbox.payouts().length;
    expect(await forgetful().payouts.send(request)).toMatchObject({
      known: 'existing',
      payout: { reference: request.reference },
    });
    const error = await errorOf(forgetful().payouts.send({ ...request, amount: parseAmount('200') }));
    expect(error).toMatchObject({ name: 'DuplicateReferenceError', existing: { amount: parseAmount('100') } });
    expect(sandbox.payouts()).toHaveLength(count);
  },
);

conforms(
  '4.5',
  ['bank_transfer'],
  'ours',
  'after a lost response the status is checked, and nothing is sent again',
  async () => {
    sandbox.addChaos({ id: 'lost', do: 'cut', paths: ['/api/v1/bank_transfer'], limit: 1 });
    const request = payout({ amount: parseAmount('100') });
    const count = sandbox.payouts().length;
    expect(await client.payouts.send(request)).toMatchObject({
      known: 'checked',
      payout: { reference: request.reference },
    });
    expect(sandbox.payouts()).toHaveLength(count + 1);
    sandbox.addChaos({ id: 'never', do: 'cut', paths: ['/api/v1/bank_transfer'], limit: 1, processed: false });
    const error = await errorOf(client.payouts.send(payout()));
    expect(error).toMatchObject({
      name: 'AmbiguousOutcomeError',
      operation: 'payout',
      cause: { name: 'NoAnswerError' },
    });
    expect(sandbox.payouts()).toHaveLength(count + 1);
    const again = payout({ amount: parseAmount('100') });
    await client.payouts.send(again);
    expect(await client.payouts.send(again)).toMatchObject({ known: 'checked' });
    const other = await errorOf(client.payouts.send({ ...again, amount: parseAmount('200') }));
    expect(other).toMatchObject({ name: 'IdempotencyKeyReusedError', field: 'reference' });
    expect(sandbox.payouts()).toHaveLength(count + 2);
  },
);

conforms('7.4', ['payouts'], 'ours', 'payout errors carry the fields, in the shape of refund errors', async () => {
  const error = await errorOf(client.payouts.send(payout({ bankCode: '000000' })));
  expect(error).toMatchObject({
    name: 'InvalidFieldsError',
    httpStatus: 422,
    fields: { bank_code: [expect.any(String)] },
  });
});

conforms('7.4', ['authentication'], 'ours', '401 is an AuthenticationError and is not retried', async () => {
  const wrong = clientWith({ secretKey: 'sk_test_that_is_unknown' });
  expect(await errorOf(wrong.payouts.banks())).toMatchObject({
    name: 'AuthenticationError',
    httpStatus: 401,
    kind: 'unauthorized',
  });
});

conforms('8', ['payout-currencies'], 'given', 'sandbox payouts are in NGN, KES and GHS', async () => {
  const error = await errorOf(client.payouts.send(payout({ currency: 'USD' })));
  expect(error).toMatchObject({ name: 'InvalidFieldsError', fields: { currency: [expect.any(String)] } });
});

conforms(
  '8',
  ['rate'],
  'ours',
  '429 is a RateLimitedError with the time to wait; a GET waits and is sent again',
  async () => {
    sandbox.addChaos({ id: 'limited', do: 'rate_limit', retry_after: 120, paths: ['/api/v1/bank_transfer'], limit: 1 });
    expect(await errorOf(client.payouts.send(payout()))).toMatchObject({
      name: 'RateLimitedError',
      retryAfterMs: 120_000,
    });
    sandbox.addChaos({ id: 'once', do: 'rate_limit', retry_after: 0, paths: ['/api/v1/bank_list*'], limit: 1 });
    expect((await client.payouts.banks()).banks.length).toBeGreaterThan(0);
  },
);
