import { expect } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { aesCbcCodec, createClient, newReference } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { order } from '../support/sample-requests.ts';
import { collected, errorOf, payByCard, startService } from '../support/service.ts';

const encryption = { keyHex: '00112233445566778899aabbccddeeff'.repeat(2), ivHex: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' };
const { sandbox, client, clientWith } = await startService({
  merchants: [{}, { name: 'Encrypted Store', encryption }],
});
const [, encryptedMerchant] = sandbox.merchants();
const encrypted = clientWith({
  secretKey: encryptedMerchant?.keys.test.secretKey ?? '',
  codec: aesCbcCodec(encryption),
});

conforms(
  '1',
  ['environments', 'simulation'],
  'given',
  'the key selects the environment, and test simulates',
  async () => {
    const live = clientWith({ secretKey: sandbox.keys.live.secretKey });
    expect([client.environment, live.environment]).toEqual(['test', 'live']);
    const reference = await payByCard(client, { status: 'success' });
    expect((await client.collections.verify(reference)).status).toBe('success');
  },
);

conforms(
  '5',
  ['secret-key', '1', '5'],
  'given',
  'the secret key is sent as a bearer token; a wrong one is refused',
  async () => {
    expect((await client.payouts.banks()).currency).toBe('NGN');
    const stranger = clientWith({ secretKey: 'sk_test_0123456789abcdef' });
    expect(await errorOf(stranger.payouts.banks())).toMatchObject({ name: 'AuthenticationError', httpStatus: 401 });
  },
);

conforms('5', ['1', '2'], 'ours', 'a public key is no secret key, and nothing shows either', async () => {
  const make = (secretKey: string) => () => createClient({ baseUrl: sandbox.url, secretKey });
  expect(make('pk_test_0123456789abcdef')).toThrow(/is a public key/);
  expect(make('nonsense')).toThrow(/sk_test_/);
  expect(make('nonsense')).not.toThrow(/nonsense/);
});

conforms(
  '5',
  ['4'],
  'observed',
  'a merchant with payload encryption sends and receives encrypted payloads',
  async () => {
    const request = order({ status: 'success' as const });
    const { virtualAccount } = await encrypted.collections.bankTransfer(request);
    expect(virtualAccount?.accountNumber).toMatch(/^\d+$/);
    expect((await encrypted.collections.verify(request.reference)).status).toBe('success');
    const error = await errorOf(encrypted.collections.bankTransfer(order({ currency: 'KES' })));
    expect(error).toMatchObject({ name: 'InvalidFieldsError', fields: { currency: [expect.any(String)] } });
  },
);

conforms('2.5', ['encrypted'], 'given', 'the whole inner payload of a refund is sent as { data }', async () => {
  const transactionReference = await payByCard(encrypted, { amount: '5.00' });
  const { refund } = await encrypted.refunds.request({ transactionReference });
  expect(refund.transactionReference).toBe(transactionReference);
});

conforms(
  '4.4',
  ['8'],
  'given',
  'the answers of the refund GETs are decrypted too; their requests carry no body',
  async () => {
    const transactionReference = await payByCard(encrypted, { amount: '3.00' });
    const { refund } = await encrypted.refunds.request({ transactionReference });
    expect((await encrypted.refunds.status(refund.refundReference)).status).toBe(refund.status);
    const listed = await collected(encrypted.refunds.list());
    expect(listed.map(({ refundReference }) => refundReference)).toContain(refund.refundReference);
  },
);

conforms('5', ['4'], 'ours', 'payouts are not named there: they are sent unencrypted', async () => {
  const [bank] = (await encrypted.payouts.banks('NGN')).banks;
  const account = { currency: 'NGN', bankCode: bank?.bankCode ?? '', accountNumber: '0000000001' };
  expect(await encrypted.payouts.verifyAccount(account)).toEqual({ accountName: 'Ada Sandbox' });
  const payout = { ...account, bankName: bank?.bankName ?? '', amount: parseAmount('5'), narration: 'Invoice 17' };
  const reference = newReference('payout');
  expect(await encrypted.payouts.send({ ...payout, reference })).toMatchObject({ known: 'answered' });
});

conforms(
  '5',
  ['4'],
  'ours',
  'without the key, or with another one, an encrypted answer is unreadable with its reason',
  async () => {
    const other = aesCbcCodec({ keyHex: 'f'.repeat(64), ivHex: '0'.repeat(32) });
    const wrong = clientWith({ secretKey: encryptedMerchant?.keys.test.secretKey ?? '', codec: other });
    const error = await errorOf(wrong.refunds.status('any-refund'));
    expect(error).toMatchObject({ name: 'UnreadableAnswerError', reason: 'undecryptable' });
  },
);

conforms('9', ['1'], 'given', 'new payments take the v1 paths, existing integrations the legacy ones', async () => {
  expect((await client.collections.bankTransfer(order())).version).toBe('v1');
  const legacy = clientWith({ collectionVersion: 'legacy' });
  expect((await legacy.collections.bankTransfer(order())).version).toBe('legacy');
});

conforms('9', ['1'], 'ours', 'clients that share a journal share the version of a payment', async () => {
  const { memoryJournal } = await import('../../src/service/index.ts');
  const journal = memoryJournal();
  const request = order();
  await clientWith({ journal, collectionVersion: 'legacy' }).collections.bankTransfer(request);
  const error = await errorOf(clientWith({ journal }).collections.bankTransfer(request));
  expect(error).toMatchObject({ name: 'MixedVersionsError' });
});

conforms(
  '9',
  ['2', '3'],
  'given',
  'refunds and payouts are under /api/v1, checkout under /api/inline/public',
  async () => {
    const refused = await errorOf(clientWith({ secretKey: 'sk_test_0123456789abcdef' }).payouts.banks('NGN'));
    expect(refused).toMatchObject({ requestLine: { path: '/api/v1/bank_list/NGN' } });
    const unknown = await errorOf(client.refunds.status('no-such-refund'));
    expect(unknown).toMatchObject({ requestLine: { path: '/api/v1/refund/status/no-such-refund' } });
  },
);
