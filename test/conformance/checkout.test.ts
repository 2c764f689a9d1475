import { expect } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { createCheckout, newReference, type PublicKey, type RefusedError } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { checkoutSession } from '../support/sample-requests.ts';
import { errorOf, startService } from '../support/service.ts';

const { sandbox, client, checkout } = await startService();
const publicKey = sandbox.keys.test.publicKey as PublicKey;

const post = async (body: object, headers: Record<string, string> = { 'x-pub-key': publicKey }) => {
  const response = await fetch(`${sandbox.url}/api/inline/public/transaction/initialize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { success: boolean; message: string; error?: Record<string, string[]> };
};
const asIs = () => ({
  reference: newReference('order'),
  amount: '250.00',
  currency: 'NGN',
  email: 'a@example.com',
  name: 'A',
  callback_url: 'https://shop.example',
});

conforms(
  '2.6',
  ['public_key'],
  'given',
  'the public key goes in the header or in the body, never in both',
  async () => {
    await checkout.start(checkoutSession());
    const inBody = createCheckout({ baseUrl: sandbox.url, publicKey, sendKeyIn: 'body' });
    await inBody.start(checkoutSession());
  },
);

conforms(
  '2.6',
  ['reference', 'amount', 'currency', 'email-name', 'callback_url', 'phone', 'payment_options', 'response'],
  'given',
  'a session carries every field and answers with address, access code, reference and options',
  async () => {
    const request = checkoutSession({ phone: '+2348000000001', paymentOptions: ['card', 'bank_transfer'] });
    const started = await checkout.start(request);
    expect(started).toMatchObject({ reference: request.reference, paymentOptions: ['card', 'bank_transfer'] });
    expect(started.accessCode).toEqual(expect.any(String));
    expect((await client.collections.verify(request.reference)).requestedAmount).toEqual(parseAmount('250'));
  },
);

conforms('2.6', ['address'], 'given', 'the address is the hosted page of this reference', async () => {
  const { authorizationUrl, reference } = await checkout.start(checkoutSession());
  expect(authorizationUrl).toBe(`${sandbox.checkoutUrl}/pay/${reference}`);
});

conforms('2.6', ['amount'], 'given', 'the amount is text, always', async () => {
  const refused = await post({ ...asIs(), amount: 250 });
  expect(refused.error?.amount?.[0]).toMatch(/string/);
  await checkout.start(checkoutSession({ amount: parseAmount('250.5') }));
});

conforms(
  '2.6',
  ['payment_options'],
  'ours',
  'an option that the document does not name causes a warning, and is sent',
  async () => {
    const warnings: string[] = [];
    const warned = createCheckout({ baseUrl: sandbox.url, publicKey, onWarning: (text) => warnings.push(text) });
    await errorOf(warned.start(checkoutSession({ paymentOptions: ['card', 'barter'] })));
    expect(warnings).toEqual([expect.stringContaining('barter')]);
  },
);

conforms('4.3', ['endpoint'], 'given', 'a session starts at its endpoint with the public key alone', async () => {
  expect((await checkout.start(checkoutSession())).message).not.toBe('');
});

conforms('5', ['public-key', '2'], 'given', 'checkout takes no secret key', async () => {
  // @ts-expect-error a secret key does not compile
  expect(() => createCheckout({ baseUrl: sandbox.url, publicKey: 'sk_test_0123456789abcdef' })).toThrow(
    /is a secret key/,
  );
});

conforms('6.5', ['verify'], 'given', 'after the callback the transaction is verified by its reference', async () => {
  const { reference } = await checkout.start(checkoutSession());
  expect((await client.collections.verify(reference)).status).toBe('pending');
});

conforms('7.3', ['missing', 'amount-number'], 'given', 'an incomplete request names the fields', async () => {
  const { name, ...incomplete } = asIs();
  expect((await post({ ...incomplete, amount: 250 })).error).toMatchObject({
    name: [name && expect.any(String)],
    amount: [expect.any(String)],
  });
  sandbox.addChaos({ id: 'note', do: 'slow', by: 0, paths: ['/api/inline/*'], limit: 1 });
  const error = await errorOf(checkout.start(checkoutSession({ email: 'no address' })));
  expect(error).toMatchObject({ name: 'InvalidFieldsError', serviceMessage: 'Incomplete request' });
  expect((error as RefusedError).fields.email).toEqual([expect.any(String)]);
  expect(await errorOf(checkout.start(checkoutSession({ name: '' })))).toMatchObject({
    name: 'RequestRefusedError',
    field: 'name',
  });
});

conforms('7.3', ['public-key'], 'given', 'an unknown public key', async () => {
  const stranger = createCheckout({ baseUrl: sandbox.url, publicKey: 'pk_test_that_is_unknown' });
  expect(await errorOf(stranger.start(checkoutSession()))).toMatchObject({
    name: 'UnknownPublicKeyError',
    serviceMessage: 'Invalid public key',
  });
});

conforms('7.3', ['duplicate'], 'given', 'a reference that was used already', async () => {
  const request = checkoutSession();
  await checkout.start(request);
  expect(await errorOf(checkout.start(request))).toMatchObject({
    name: 'DuplicateReferenceError',
    reference: request.reference,
  });
});

conforms('7.3', ['currency'], 'given', 'an unsupported currency', async () => {
  expect(await errorOf(checkout.start(checkoutSession({ currency: 'XYZ' })))).toMatchObject({
    name: 'UnsupportedCurrencyError',
  });
});

conforms('7.3', ['callback_url'], 'given', 'a callback address that is no http or https URL', async () => {
  expect((await post({ ...asIs(), callback_url: 'ftp://shop.example' })).message).toMatch(/callback/i);
  expect(await errorOf(checkout.start(checkoutSession({ callbackUrl: 'javascript:alert(1)' })))).toMatchObject({
    name: 'RequestRefusedError',
    field: 'callbackUrl',
  });
});
