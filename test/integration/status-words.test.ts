import { describe, expect, test } from 'vitest';
import { check } from '../../src/confirm/check.ts';
import { newReference } from '../../src/service/index.ts';
import { order, payout } from '../support/sample-requests.ts';
import { type Reaction, scriptedService } from '../support/scripted-service.ts';
import { errorOf } from '../support/service.ts';

const WITHOUT_A_RECORD: readonly (readonly [string, object])[] = [
  ['no data', { status: 'success', message: 'Transaction not found' }],
  ['data that is null', { status: 'success', message: 'Request successful', data: null }],
  ['an empty list for data', { status: 'success', message: 'Request successful', data: [] }],
  ['a text for data', { status: 'success', data: 'see the dashboard' }],
];

describe('`status: "success"` of an envelope is no status of a payment', () => {
  test.each(WITHOUT_A_RECORD)('a collection is not confirmed by it, with %s', async (_what, body) => {
    const { client } = await scriptedService(() => [200, body]);
    expect(await errorOf(client.collections.verify(newReference()))).toMatchObject({
      name: 'EndpointUnprovenError',
      cause: { name: 'UnreadableAnswerError', reason: 'shape' },
    });
    expect(client.endpointState('collection')).toBe('unproven');
  });

  test.each(WITHOUT_A_RECORD)('a payout is not confirmed by it, with %s', async (_what, body) => {
    const { client } = await scriptedService(() => [200, body]);
    expect(await errorOf(client.payouts.status(newReference()))).toMatchObject({
      name: 'EndpointUnprovenError',
      cause: { name: 'UnreadableAnswerError', reason: 'shape' },
    });
  });

  test.each(WITHOUT_A_RECORD)('202 stays pending, for the client and for a check, with %s', async (_what, body) => {
    const { client } = await scriptedService(() => [202, body]);
    const reference = newReference();
    expect(await client.payouts.status(reference)).toMatchObject({ status: 'pending', wire: {} });
    const record = { kind: 'payout', environment: 'test', reference, currency: null } as const;
    expect(await check(client, record, 'Africa/Lagos')).toMatchObject({ outcome: 'pending', answer: null });
  });

  test.each(WITHOUT_A_RECORD)(
    'a payout with such an answer was accepted, and is pending, with %s',
    async (_what, body) => {
      const { client } = await scriptedService(() => [200, body]);
      expect(await client.payouts.send(payout())).toMatchObject({ known: 'answered', payout: { status: 'pending' } });
      expect(await client.collections.bankTransfer(order())).toMatchObject({ known: 'answered', status: null });
    },
  );

  test('a record without an envelope is one by its reference', async () => {
    const reference = newReference();
    const { client } = await scriptedService((): Reaction => [200, { reference, status: 'success', amount: '5.00' }]);
    expect(await client.payouts.status(reference)).toMatchObject({ status: 'success' });
    expect(await client.collections.verify(reference)).toMatchObject({ status: 'success' });
  });
});
