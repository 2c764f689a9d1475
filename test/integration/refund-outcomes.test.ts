import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { keysOf, oneAfterTheOther, type Reaction, scriptedService } from '../support/scripted-service.ts';
import { errorOf } from '../support/service.ts';

const REFUND = { refund_reference: 'R-1', transaction_reference: 'TX_81', amount: '5.00', status: 'pending' };
const ACCEPTED: Reaction = [202, { success: true, message: 'ok', data: REFUND }];
const FUNDS: Reaction = [422, { success: false, message: 'Insufficient eligible funds', shortfall: '1.00' }];
const EMPTY_LIST: Reaction = [200, { success: true, data: [] }];
const request = { transactionReference: 'TX_81', amount: parseAmount('5.00') };

describe('an accepting response about another refund is no acceptance', () => {
  test.each<[string, object, string?]>([
    ['another transaction', { ...REFUND, transaction_reference: 'TX_82' }],
    ['another amount', { ...REFUND, amount: '50.00' }],
    ['another amount as a number', { ...REFUND, amount: 5.01 }],
    ['another currency', { ...REFUND, currency: 'NGN' }, 'other_currency'],
    [
      'another currency, of a full refund without an amount',
      { ...REFUND, amount: undefined, currency: 'KES' },
      'other_currency',
    ],
    ['no transaction', { ...REFUND, transaction_reference: undefined }],
    ['neither transaction nor amount', { ...REFUND, transaction_reference: null, amount: undefined }],
    ['an amount that cannot be read', { ...REFUND, amount: '5,00' }],
    ['a currency in a list', { ...REFUND, currency: ['USD'] }, 'other_currency'],
    ['another transaction, in data.refund', { refund: { ...REFUND, transaction_reference: 'TX_82' } }],
  ])('%s', async (_what, data, reason = 'contradiction') => {
    const react = oneAfterTheOther([202, { success: true, data }], ACCEPTED);
    const { client, arrived } = await scriptedService(react);
    expect(await errorOf(client.refunds.request(request))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'UnreadableAnswerError', reason },
    });
    // The key stays open: the same request is sent again under it.
    expect(await client.refunds.request(request)).toMatchObject({ refund: { refundReference: 'R-1' } });
    const keys = keysOf(arrived('POST'));
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('another transaction beside `data`', async () => {
    const body = { success: true, transaction_reference: 'TX_82', data: REFUND };
    const { client } = await scriptedService(oneAfterTheOther([202, body], ACCEPTED));
    expect(await errorOf(client.refunds.request(request))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { reason: 'contradiction', detail: 'it is about another transaction' },
    });
  });

  test('a missing amount contradicts nothing, and a full refund may have any', async () => {
    const { amount: _amount, ...bare } = REFUND;
    for (const [data, requested] of [
      [bare, request],
      [{ ...REFUND, amount: '19.99' }, { transactionReference: 'TX_81' }],
      [{ ...REFUND, amount: '5' }, request],
    ] as const) {
      const { client } = await scriptedService(() => [202, { success: true, data }]);
      expect(await client.refunds.request(requested)).toMatchObject({ refund: { refundReference: 'R-1' } });
    }
  });
});

test('an acceptance that names an error is none, and the same key is sent again', async () => {
  const odd: Reaction = [202, { success: true, error: { message: 'Insufficient eligible funds' }, data: REFUND }];
  const { client, arrived } = await scriptedService(oneAfterTheOther(odd, ACCEPTED));
  expect(await errorOf(client.refunds.request(request))).toMatchObject({
    name: 'AmbiguousOutcomeError',
    cause: { name: 'UnreadableAnswerError', reason: 'contradiction' },
  });
  expect(await client.refunds.request(request)).toMatchObject({ refund: { refundReference: 'R-1' } });
  expect(new Set(keysOf(arrived('POST'))).size).toBe(1);
});

test('an accepted refund whose status names another currency is refused when it is requested again', async () => {
  const checked: Reaction = [200, { success: true, data: { ...REFUND, currency: 'NGN' } }];
  const { client } = await scriptedService((text) => (text.startsWith('POST') ? ACCEPTED : checked));
  await client.refunds.request(request);
  expect(await errorOf(client.refunds.request(request))).toMatchObject({
    name: 'UnreadableAnswerError',
    reason: 'other_currency',
  });
});

describe('a refusal after an attempt that went unanswered proves nothing', () => {
  const REFUSALS: readonly (readonly [string, Reaction, string])[] = [
    ['404', [404, { success: false, message: 'Transaction not found' }], 'TransactionNotFoundError'],
    ['422 exceeds', [422, { success: false, message: 'Amount exceeds what remains' }], 'RefundExceedsRemainingError'],
    ['422 funds', FUNDS, 'InsufficientFundsError'],
    ['422 fields', [422, { success: false, errors: { amount: ['no'] } }], 'InvalidFieldsError'],
    ['409 refunded', [409, { success: false, message: 'Transaction already fully refunded' }], 'AlreadyRefundedError'],
    ['200 and no', [200, { success: false, message: 'No' }], 'RefusedError'],
  ];

  test.each(REFUSALS)('%s on a retry of the same call', async (_refusal, refusal, name) => {
    const { clientWith, arrived } = await scriptedService(oneAfterTheOther('cut', refusal, ACCEPTED));
    const client = clientWith({ retries: 1 });
    const error = await errorOf(client.refunds.request(request));
    expect(error).toMatchObject({ name: 'AmbiguousOutcomeError', operation: 'refund', cause: { name } });
    expect(error).toMatchObject({ hint: /does not prove that it did nothing.*refunds list --remote/ });
    expect(await client.refunds.request(request)).toMatchObject({ refund: { refundReference: 'R-1' } });
    expect(new Set(keysOf(arrived('POST'))).size).toBe(1);
  });

  test.each(REFUSALS)('%s on the same request made again', async (_refusal, refusal, name) => {
    const { client, arrived } = await scriptedService(oneAfterTheOther('cut', refusal, refusal, ACCEPTED));
    expect(await errorOf(client.refunds.request(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    for (let round = 0; round < 2; round++) {
      expect(await errorOf(client.refunds.request(request))).toMatchObject({
        name: 'AmbiguousOutcomeError',
        cause: { name },
      });
    }
    expect(await client.refunds.request(request)).toMatchObject({ refund: { refundReference: 'R-1' } });
    expect(new Set(keysOf(arrived('POST'))).size).toBe(1);
  });

  test('a first attempt that was refused or never sent did nothing: the next refusal stays a refusal', async () => {
    const refusals: readonly Reaction[] = [FUNDS, [401, {}], [403, {}], [429, {}]];
    for (const first of refusals) {
      const { client, arrived } = await scriptedService(oneAfterTheOther(first, FUNDS, ACCEPTED));
      await errorOf(client.refunds.request(request));
      expect(await errorOf(client.refunds.request(request))).toMatchObject({ name: 'InsufficientFundsError' });
      await client.refunds.request(request);
      expect(arrived('POST')).toHaveLength(3);
    }
    const { client, clientWith } = await scriptedService(() => FUNDS);
    const unreachable = clientWith({ baseUrl: 'http://127.0.0.1:9' });
    expect(await errorOf(unreachable.refunds.request(request))).toMatchObject({ name: 'ServiceUnreachableError' });
    expect(await errorOf(client.refunds.request(request))).toMatchObject({ name: 'InsufficientFundsError' });
  });

  test('equal requests at the same time are one: its refusal stays a refusal, and so does the next', async () => {
    const { client, arrived } = await scriptedService(() => FUNDS);
    for (const requested of [request, { ...request, idempotencyKey: 'refund-of-order-3' }]) {
      for (let round = 0; round < 2; round++) {
        const errors = await Promise.all([1, 2, 3].map(() => errorOf(client.refunds.request(requested))));
        expect(new Set(errors.map((error) => (error as Error).name))).toEqual(new Set(['InsufficientFundsError']));
      }
    }
    expect(arrived('POST')).toHaveLength(4);
  });

  test('a request with its own key ends the same way', async () => {
    const own = { ...request, idempotencyKey: 'refund-of-order-1' };
    const { client } = await scriptedService(oneAfterTheOther(FUNDS, 'cut', FUNDS));
    const names = [];
    for (let round = 0; round < 3; round++) names.push(((await errorOf(client.refunds.request(own))) as Error).name);
    expect(names).toEqual(['InsufficientFundsError', 'AmbiguousOutcomeError', 'AmbiguousOutcomeError']);
  });

  test('an accepted request stays accepted after a later refusal', async () => {
    const own = { ...request, idempotencyKey: 'refund-of-order-2' };
    const { client, journal } = await scriptedService(oneAfterTheOther(ACCEPTED, FUNDS, ACCEPTED));
    await client.refunds.request(own);
    expect(await errorOf(client.refunds.request(own))).toMatchObject({ name: 'InsufficientFundsError' });
    expect(await journal.knowsRefund('test', 'R-1')).toBe(true);
    expect(await client.refunds.request(own)).toMatchObject({ refund: { refundReference: 'R-1' } });
  });
});

describe('after a day, the list is searched before a refund is requested again', () => {
  const BEGAN_MS = Date.parse('2026-11-20T10:00:00Z');
  const DAY_MS = 24 * 3_600_000;

  /** Loses the first response, waits a day, and requests the refund again from a service with this list. */
  async function afterADay(list: Reaction, options: object = {}) {
    let nowMs = BEGAN_MS;
    const posts = oneAfterTheOther('cut', ACCEPTED);
    const { clientWith, arrived } = await scriptedService((sent) => (sent.startsWith('POST') ? posts() : list));
    const client = clientWith({ nowMs: () => nowMs, ...options });
    await errorOf(client.refunds.request(request));
    nowMs += DAY_MS;
    const outcome = await client.refunds.request(request).catch((error: unknown) => error);
    return { outcome, posts: arrived('POST').length };
  }
  const listed = (requestedAt: string): Reaction => [
    200,
    { success: true, data: [{ ...REFUND, refund_reference: 'R-LISTED', requested_at: requestedAt }] },
  ];

  test.each([
    ['an offset', '2026-11-20T10:00:05Z', 1],
    ['no zone: Africa/Lagos, one hour ahead of UTC', '2026-11-20 11:00:05', 1],
    ['no zone, with microseconds', '2026-11-20T11:00:05.123456', 1],
    ['no zone, and an hour too early for Lagos', '2026-11-20 10:50:00', 2],
    ['an offset, and too early', '2026-11-20T09:50:00Z', 2],
    ['nothing that can be read as a time', 'yesterday', 1],
  ])('%s', async (_form, requestedAt, posts) => {
    expect(await afterADay(listed(requestedAt))).toMatchObject({
      posts,
      outcome: { refund: { refundReference: posts === 1 ? 'R-LISTED' : 'R-1' } },
    });
  });

  test('in the configured zone', async () => {
    const utc = { timeZone: 'UTC' };
    expect(await afterADay(listed('2026-11-20 10:00:05'), utc)).toMatchObject({ posts: 1 });
    expect(await afterADay(listed('2026-11-20 09:50:00'), utc)).toMatchObject({ posts: 2 });
  });

  test.each<[string, Reaction]>([
    ['is refused', [404, { success: false }]],
    ['is not complete', [200, { success: true, data: [], meta: { total: 3 } }]],
    ['cannot be read', [200, { success: true, data: [{ odd: true }] }]],
    ['never comes', 'cut'],
    ['has it in an environment of another name', [200, { success: true, data: [{ ...REFUND, domain: 'PROD' }] }]],
    ['has it with an amount that cannot be read', [200, { success: true, data: [{ ...REFUND, amount: '5,00' }] }]],
    ['has it with a currency in a list', [200, { success: true, data: [{ ...REFUND, currency: ['USD'] }] }]],
  ])('the refund is not requested again when the list %s', async (_fault, list) => {
    expect(await afterADay(list)).toMatchObject({ posts: 1, outcome: { name: 'AmbiguousOutcomeError' } });
  });

  test('a refund of the live environment in the list is another one', async () => {
    const list: Reaction = [200, { success: true, data: [{ ...REFUND, domain: 'live' }] }];
    expect(await afterADay(list)).toMatchObject({ posts: 2 });
  });

  test('an empty list means that it must be requested again', async () => {
    expect(await afterADay(EMPTY_LIST)).toMatchObject({ posts: 2, outcome: { refund: { refundReference: 'R-1' } } });
  });

  test('of two equal refunds, the one that was answered is not taken for the one that was not', async () => {
    let nowMs = BEGAN_MS;
    const second: Reaction = [202, { success: true, data: { ...REFUND, refund_reference: 'R-2' } }];
    const posts = oneAfterTheOther(ACCEPTED, 'cut', second);
    const list: Reaction = [200, { success: true, data: [{ ...REFUND, requested_at: '2026-11-20T10:00:01Z' }] }];
    const { clientWith, arrived } = await scriptedService((sent) => (sent.startsWith('POST') ? posts() : list));
    const client = clientWith({ nowMs: () => nowMs });
    const refundOf = (item: string) => client.refunds.request({ ...request, idempotencyKey: `item-${item}` });
    expect(await refundOf('one')).toMatchObject({ refund: { refundReference: 'R-1' } });
    expect(await errorOf(refundOf('two'))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    nowMs += DAY_MS;
    expect(await refundOf('two')).toMatchObject({ repeated: false, refund: { refundReference: 'R-2' } });
    expect(keysOf(arrived('POST'))).toEqual(['item-one', 'item-two', 'item-two']);
  });
});
