import { expect } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { newReference, type RefusedError } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { mobileMoney, order } from '../support/sample-requests.ts';
import { APPROVED_CARD, collectionsOf, errorOf, payByCard, startService } from '../support/service.ts';

const { sandbox, client, clientWith } = await startService();
const { cardFor, statusOf } = collectionsOf(client);

conforms(
  '4.2',
  ['card', 'bank-transfer', 'bank-transfer-wallet', 'ussd', 'ussd-wallet', 'momo', 'encryption', 'headers'],
  'given',
  'every channel starts a payment at its path',
  async () => {
    const references = Array.from({ length: 6 }, () => newReference('order'));
    const [card, transfer, transferWallet, ussd, ussdWallet, phone] = references as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await client.collections.card({ ...order({ reference: card }), card: await cardFor(card) });
    await client.collections.bankTransfer(order({ reference: transfer }));
    await client.collections.bankTransferToWallet(order({ reference: transferWallet }));
    await client.collections.ussd({ ...order({ reference: ussd }), bankCode: '990001' });
    await client.collections.ussdToWallet({ ...order({ reference: ussdWallet }), bankCode: '990001' });
    await client.collections.mobileMoney(mobileMoney({ reference: phone }));
    for (const reference of references) expect((await client.collections.verify(reference)).reference).toBe(reference);
  },
);

conforms(
  '4.2',
  ['legacy'],
  'given',
  'legacy paths work by option, and are never mixed with v1 within one payment',
  async () => {
    const request = order();
    await client.collections.bankTransfer({ ...request, version: 'legacy' });
    expect((await client.collections.verify(request.reference)).reference).toBe(request.reference);
    const reference = newReference('card');
    const card = await client.collections.encryptTestCard({ card: APPROVED_CARD, reference, version: 'legacy' });
    expect(await errorOf(client.collections.card({ ...order({ reference }), card }))).toMatchObject({
      name: 'MixedVersionsError',
    });
    expect(await errorOf(client.collections.bankTransfer(request))).toMatchObject({ name: 'MixedVersionsError' });
    const legacy = clientWith({ collectionVersion: 'legacy' });
    expect((await legacy.collections.card({ ...order({ reference }), card })).version).toBe('legacy');
  },
);

conforms(
  '4.2',
  ['same-reference'],
  'given',
  'the payload is decrypted and checked before a forced result',
  async () => {
    const reference = newReference('card');
    const error = await errorOf(
      client.collections.card({ ...order({ reference }), card: 'abcdef', status: 'success' }),
    );
    expect(error).toMatchObject({ name: 'InvalidFieldsError', fields: { card: [expect.any(String)] } });
  },
);

conforms('4.2', ['ngn-only'], 'given', 'sandbox bank transfer is for NGN only', async () => {
  const error = await errorOf(client.collections.bankTransfer(order({ currency: 'KES' })));
  expect(error).toMatchObject({
    name: 'InvalidFieldsError',
    httpStatus: 400,
    fields: { currency: [expect.any(String)] },
  });
});

conforms(
  '7.1',
  ['status', 'several'],
  'given',
  '400 carries the messages of every field, status among them',
  async () => {
    const { sent } = await postAsIs({ ...order(), amount: '1000.50', status: 'done', currency: 'XXX' });
    expect(sent).toMatchObject({ name: 'InvalidFieldsError', httpStatus: 400 });
    expect(Object.keys((sent as RefusedError).fields).sort()).toEqual(['currency', 'status']);
  },
);

conforms('7.1', ['decline'], 'given', 'the body names a decline, under any HTTP status', async () => {
  for (const declinedHttpStatus of [200, 402] as const) {
    sandbox.changeSettings({ declinedHttpStatus });
    const error = await errorOf(payByCard(client, { status: 'failed' }));
    expect(error).toMatchObject({ name: 'CardDeclinedError', httpStatus: declinedHttpStatus });
  }
});

conforms('7.1', ['several'], 'ours', 'a reference that was used before is a duplicate', async () => {
  const request = order();
  await client.collections.bankTransfer(request);
  const elsewhere = clientWith({});
  expect(await errorOf(elsewhere.collections.bankTransfer(request))).toMatchObject({
    name: 'DuplicateReferenceError',
    reference: request.reference,
  });
});

conforms('7.1', ['several'], 'ours', 'a payment that was begun before is checked, and not started again', async () => {
  const request = order({ status: 'success' as const });
  expect(await client.collections.bankTransfer(request)).toMatchObject({ known: 'answered' });
  const count = sandbox.collections().length;
  expect(await client.collections.bankTransfer(request)).toMatchObject({ known: 'checked', status: 'success' });
  expect(await client.collections.bankTransfer(request, { resend: true })).toMatchObject({ known: 'checked' });
  const error = await errorOf(client.collections.bankTransfer({ ...request, amount: parseAmount('7') }));
  expect(error).toMatchObject({ name: 'IdempotencyKeyReusedError', field: 'reference' });
  expect(sandbox.collections()).toHaveLength(count);
});

conforms(
  '8',
  ['pending-delay', 'bank-transfer-currency'],
  'given',
  'a forced pending payment waits about 20 seconds',
  async () => {
    const request = order({ status: 'pending' as const });
    await client.collections.bankTransfer(request);
    await sandbox.advance('19s');
    expect(await statusOf(request.reference)).toBe('pending');
    await sandbox.advance('1s');
    expect(await statusOf(request.reference)).toBe('success');
  },
);

/** The client itself refuses such a request, so the test calls its transport and readers directly. */
async function postAsIs(body: object) {
  const { createCaller } = await import('../../src/service/calls/caller.ts');
  const { InvalidFieldsError } = await import('../../src/service/errors/field-errors.ts');
  const { STANDARD_LIMITS } = await import('../../src/service/options.ts');
  const { createTransport } = await import('../../src/service/calls/transport.ts');
  const { Secret } = await import('../../src/domain/secrets/secret.ts');
  const secretKey = new Secret(sandbox.keys.test.secretKey);
  const transport = createTransport({
    ...STANDARD_LIMITS,
    baseUrl: sandbox.url,
    secretKey,
    random: () => 0,
    nowMs: () => 0,
  });
  const caller = createCaller({ transport, codec: null, secretKey });
  const request = {
    method: 'POST',
    path: '/api/s2s/v1/banktransfer/initialize',
    body: body as never,
    repeat: 'never',
  } as const;
  return { sent: await errorOf(caller.call({ ...request, refusal: (facts) => new InvalidFieldsError(facts) })) };
}
