import { expect } from 'vitest';
import { formatAmount, parseAmount } from '../../src/domain/money/amount.ts';
import { EncryptedCard, newReference, type RefusedError } from '../../src/service/index.ts';
import { conforms } from '../support/conformance.ts';
import { mobileMoney, order } from '../support/sample-requests.ts';
import {
  APPROVED_CARD,
  collectionsOf,
  DECLINED_CARD,
  errorOf,
  payByCard,
  startService,
  UNKNOWN_CARD,
} from '../support/service.ts';

const { sandbox, client, clientWith } = await startService();
const { cardFor, statusOf } = collectionsOf(client);

conforms(
  '2.1',
  ['email', 'amount', 'currency', 'reference', 'status'],
  'given',
  'the fields arrive as they were given, the amount with two decimals',
  async () => {
    const request = order({ amount: parseAmount('1000'), status: 'success' as const });
    await client.collections.bankTransfer(request);
    const verified = await client.collections.verify(request.reference);
    expect(verified).toMatchObject({
      reference: request.reference,
      currency: 'NGN',
      status: 'success',
      customerEmail: request.email,
    });
    expect(verified.requestedAmount && formatAmount(verified.requestedAmount)).toBe('1000.00');
    sandbox.changeSettings({ strictAmounts: true });
    await client.collections.bankTransfer(order({ amount: parseAmount('7') }));
    sandbox.changeSettings({ strictAmounts: false });
  },
);

conforms(
  '2.1',
  ['bankName', 'phone', 'description'],
  'given',
  'mobile money takes operator, phone and description',
  async () => {
    const request = mobileMoney({ description: 'Two tickets', status: 'success' as const });
    const started = await client.collections.mobileMoney(request);
    expect(started.message).not.toBe('');
    expect(await statusOf(request.reference)).toBe('success');
  },
);

conforms('2.1', ['card'], 'given', 'client and service refuse a card payload of another reference', async () => {
  const [one, other] = [newReference('card'), newReference('card')];
  const card = await cardFor(one);
  expect(await errorOf(client.collections.card(order({ reference: other, card }) as never))).toMatchObject({
    name: 'CardReferenceError',
  });
  const forged = new EncryptedCard(other, 'v1', card.payloadFor(one, 'v1'));
  const error = await errorOf(client.collections.card({ ...order({ reference: other }), card: forged }));
  expect((error as RefusedError).fields.card).toEqual([expect.any(String)]);
});

conforms(
  '2.2',
  ['request', 'response'],
  'given',
  'the helper turns card details into a hexadecimal payload for one reference',
  async () => {
    const reference = newReference('card');
    const card = await cardFor(reference);
    expect(card.reference).toBe(reference);
    expect(card.payloadFor(reference, 'v1')).toMatch(/^([0-9a-f]{2})+$/);
  },
);

conforms('2.2', ['request'], 'ours', 'the helper is refused with a live key, before anything is sent', async () => {
  const live = clientWith({ secretKey: sandbox.keys.live.secretKey });
  const error = await errorOf(
    live.collections.encryptTestCard({ card: APPROVED_CARD, reference: newReference('card') }),
  );
  expect(error).toMatchObject({ name: 'RequestRefusedError', field: 'card' });
});

conforms(
  '2.3',
  ['card-failure', 'card-pending', 'not-shown'],
  'given',
  'a card answers with status and message',
  async () => {
    const failed = newReference('card');
    const decline = client.collections.card({
      ...order({ reference: failed }),
      card: await cardFor(failed),
      status: 'failed',
    });
    expect(await errorOf(decline)).toMatchObject({ name: 'CardDeclinedError', serviceMessage: /decline/i });
    for (const status of ['pending', 'success'] as const) {
      const reference = newReference('card');
      const started = await client.collections.card({
        ...order({ reference }),
        card: await cardFor(reference),
        status,
      });
      expect(started.message).not.toBe('');
      expect(await statusOf(reference)).toBe(status);
    }
  },
);

conforms('2.3', ['bank-transfer'], 'given', 'a bank transfer answers with a virtual account', async () => {
  const { virtualAccount } = await client.collections.bankTransfer(order());
  expect(virtualAccount).toEqual({
    accountName: expect.any(String),
    accountNumber: expect.stringMatching(/^\d+$/),
    bankName: expect.any(String),
  });
});

conforms(
  '2.3',
  ['not-shown'],
  'observed',
  'USSD answers with a code to dial, mobile money with detail alone',
  async () => {
    const ussd = await client.collections.ussd(order({ bankCode: '990001' }) as never);
    expect(ussd).toMatchObject({ ussdCode: expect.stringMatching(/^\*/), paymentId: expect.any(String) });
    expect((await client.collections.mobileMoney(mobileMoney())).message).toMatch(/phone/i);
  },
);

conforms(
  '3.1',
  ['success', 'failed', 'pending', 'job'],
  'given',
  'a forced status decides; pending becomes success after the delay',
  async () => {
    const references: Record<string, string> = {};
    for (const status of ['success', 'failed', 'pending'] as const) {
      const request = order({ status });
      references[status] = request.reference;
      await client.collections.bankTransfer(request as never);
      expect(await statusOf(request.reference)).toBe(status);
    }
    await sandbox.advance('20s');
    expect(await statusOf(references.pending ?? '')).toBe('success');
    expect(await statusOf(references.failed ?? '')).toBe('failed');
  },
);

conforms(
  '3.1',
  ['simulator'],
  'given',
  'without a status an approved card succeeds, an unrecognised one is declined',
  async () => {
    expect(await statusOf(await payByCard(client))).toBe('success');
    for (const card of [DECLINED_CARD, UNKNOWN_CARD]) {
      expect(await errorOf(payByCard(client, { card }))).toMatchObject({ name: 'CardDeclinedError' });
    }
  },
);

conforms('4.1', ['1', '2', '3'], 'given', 'a test key simulates, forced or not', async () => {
  expect(client.environment).toBe('test');
  expect(await statusOf(await payByCard(client, { status: 'pending' }))).toBe('pending');
  expect(await statusOf(await payByCard(client))).toBe('success');
});

conforms('4.1', ['4'], 'given', 'an invalid status is refused', async () => {
  const error = await errorOf(client.collections.bankTransfer(order({ status: 'SUCCESS' }) as never));
  expect(error).toMatchObject({ name: 'RequestRefusedError', field: 'status' });
});

conforms('4.1', ['5'], 'given', 'a valid status is ignored with a live key', async () => {
  const live = clientWith({ secretKey: sandbox.keys.live.secretKey });
  const request = order({ status: 'failed' as const });
  await live.collections.bankTransfer(request);
  expect((await live.collections.verify(request.reference)).status).not.toBe('failed');
});

conforms('4.1', ['6'], 'given', 'a recurring-payment card is refused by S2S', async () => {
  const recurring = { ...APPROVED_CARD, number: '4000000000000028' };
  expect(await errorOf(payByCard(client, { card: recurring }))).toMatchObject({
    name: 'InvalidFieldsError',
    fields: { card: [/hosted checkout/i] },
  });
});

conforms(
  '4.1',
  ['8'],
  'observed',
  'the final status is at the verification endpoint, which is unproven until it answers',
  async () => {
    const fresh = clientWith({});
    expect(fresh.endpointState('collection')).toBe('unproven');
    expect(await errorOf(fresh.collections.verify('an-unknown-one'))).toMatchObject({
      name: 'EndpointUnprovenError',
    });
    await fresh.collections.verify(await payByCard(client));
    expect(fresh.endpointState('collection')).toBe('proven');
    expect(await errorOf(fresh.collections.verify('an-unknown-one'))).toMatchObject({ name: 'RecordNotFoundError' });
    const without = clientWith({ paths: { collection: null } });
    expect(await errorOf(without.collections.verify('an-unknown-one'))).toMatchObject({
      name: 'NotVerifiableError',
    });
  },
);

conforms('4.1', ['8'], 'ours', 'a reference that would change the path is never sent', async () => {
  for (const reference of ['.', '..', '', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(256)]) {
    expect(await errorOf(client.collections.verify(reference))).toMatchObject({ name: 'UnaskableReferenceError' });
  }
  await client.collections.verify(await payByCard(client));
  expect(await errorOf(client.collections.verify('../refund?x=%2e'))).toMatchObject({ name: 'RecordNotFoundError' });
});
