import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { createCheckout, memoryJournal, parseAmount, RefusedError } from '../../src/service/index.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/folder.ts';
import { order as anOrder, checkoutSession, payout } from '../support/sample-requests.ts';
import { oneAfterTheOther, type Reaction, scriptedService } from '../support/scripted-service.ts';
import { errorOf } from '../support/service.ts';

const order = () => anOrder({ card: 'abcdef' });
const nothingFound: Reaction = [404, { success: false, message: 'No such reference' }];
/** A service that reacts to POSTs in the given order, and to every GET with `checks`. */
const service = (checks: Reaction, ...posts: Reaction[]) => {
  const post = oneAfterTheOther(...posts);
  return scriptedService((request) => (request.startsWith('POST') ? post() : checks));
};

describe('a payout response without any field of the service is no acceptance', () => {
  const BODIES: readonly (readonly [string, number, object | string])[] = [
    ['nothing', 200, ''],
    ['nothing, as 202', 202, ''],
    ['nothing, as 204', 204, ''],
    ['an empty object', 200, {}],
    ['an empty list', 200, []],
    ['a list of something', 200, [{ reference: 'x' }]],
    ['null', 200, 'null'],
    ['a text', 200, '"ok"'],
    ['data that is null', 200, { data: null }],
    ['data that is text', 200, { data: 'done' }],
    ['other fields', 200, { foo: 1, bar: [] }],
  ];

  test.each(BODIES)('%s', async (_what, status, body) => {
    const { client, arrived } = await service(nothingFound, [status, body]);
    const request = payout();
    expect(await errorOf(client.payouts.send(request))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      operation: 'payout',
      reference: request.reference,
      cause: { name: 'UnreadableAnswerError' },
    });
    expect(arrived('POST')).toHaveLength(1);
    expect(arrived('GET')).toEqual([expect.stringContaining(`/api/v1/payout/${request.reference} `)]);
  });

  test('a status check decides the outcome', async () => {
    const request = payout();
    const { reference } = request;
    const data = { reference, status: 'success', amount: '1500.5', account_number: '0000000001', currency: 'NGN' };
    for (const [, status, body] of BODIES) {
      const { client } = await service([200, { success: true, data }], [status, body]);
      expect(await client.payouts.send(request)).toMatchObject({ known: 'checked', payout: { status: 'success' } });
    }
  });
});

describe('a payout response that names errors and states no failure is neither accepted nor refused', () => {
  test.each([
    ['an error that is true', { error: true, message: 'Insufficient balance' }],
    ['messages per field', { message: 'Invalid', error: { amount: ['too much'] } }],
    ['messages per field, as errors', { message: 'Invalid', errors: { amount: ['too much'] } }],
    ['a list of errors', { message: 'Invalid', errors: ['too much'] }],
    ['success beside an error', { success: true, error: { code: 51, message: null } }],
    ['success beside a list of errors', { success: true, errors: [{ amount: 'too much' }] }],
    ['success beside a text', { success: true, error: 'Insufficient balance', data: { status: 'pending' } }],
  ])('%s', async (_what, body) => {
    const { client } = await service(nothingFound, [200, body]);
    expect(await errorOf(client.payouts.send(payout()))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'UnreadableAnswerError', reason: 'contradiction' },
    });
  });

  test.each(['declined', 'rejected', 'failed'])('the status %s is a refusal', async (status) => {
    const { client } = await service(nothingFound, [200, { status, message: 'Insufficient balance' }]);
    expect(await errorOf(client.payouts.send(payout()))).toBeInstanceOf(RefusedError);
  });

  test('a start of a collection that succeeds beside an error is neither', async () => {
    const { client } = await service(nothingFound, [200, { success: true, error: { message: 'Declined' } }]);
    expect(await errorOf(client.collections.card(order()))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'UnreadableAnswerError', reason: 'contradiction' },
    });
  });

  test.each([
    { error: null },
    { error: false },
    { errors: {} },
    { errors: [] },
    { success: true, error: { code: null, message: '' } },
    { success: true, errors: { amount: [] } },
    { success: true, error: { code: 0 } },
  ])('%j is no error', async (none) => {
    const { client } = await service(nothingFound, [200, { message: 'ok', ...none }]);
    expect(await client.payouts.send(payout())).toMatchObject({ known: 'answered' });
  });
});

describe('a payout that the balance does not cover', () => {
  test('keeps the figures of the refusal', async () => {
    const figures = { required: '110.00', available_balance: 109.99, shortfall: '0.01', currency: 'NGN' };
    for (const body of [figures, { data: figures }]) {
      const { client } = await service(nothingFound, [
        422,
        { success: false, message: 'Insufficient balance', ...body },
      ]);
      const error = await errorOf(client.payouts.send(payout()));
      expect(error).toMatchObject({
        name: 'InsufficientFundsError',
        required: parseAmount('110.00'),
        availableBalance: parseAmount('109.99'),
        pendingBalance: null,
        shortfall: parseAmount('0.01'),
        currency: 'NGN',
        message: 'POST /api/v1/bank_transfer (422): needs 110.00, has 109.99 available, lacks 0.01 NGN.',
      });
    }
  });

  test('without figures it is the same error with the message of the service', async () => {
    const { client } = await service(nothingFound, [422, { success: false, message: 'Insufficient funds' }]);
    expect(await errorOf(client.payouts.send(payout()))).toMatchObject({
      name: 'InsufficientFundsError',
      shortfall: null,
      message: 'POST /api/v1/bank_transfer (422): refused: "Insufficient funds".',
    });
  });
});

describe('a duplicate reference is recognised in each wording, and its payout is compared', () => {
  test.each([
    [409, { success: false, message: 'Conflict' }],
    [400, { success: false, message: 'The reference has been used' }],
    [422, { success: false, message: 'Reference must be unique' }],
    [422, { success: false, errors: { reference: ['must be unique'] } }],
    [422, { success: false, message: 'A payout with this reference exists' }],
  ])('%i %j', async (status, body) => {
    const request = payout();
    const same = { reference: request.reference, status: 'success', amount: 1500.5, account_number: '0000000001' };
    const known = await service([200, { success: true, data: same }], [status, body]);
    expect(await known.client.payouts.send(request)).toMatchObject({ known: 'existing' });
    for (const other of [{ account_number: '0000000009' }, { amount: 1 }, { currency: 'KES' }]) {
      const data = { reference: request.reference, status: 'success', ...other };
      const { client } = await service([200, { success: true, data }], [status, body]);
      expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'DuplicateReferenceError' });
    }
  });

  test('a reference that does not exist is no duplicate', async () => {
    const { client } = await service(nothingFound, [422, { success: false, message: 'The reference does not exist' }]);
    expect(await errorOf(client.payouts.send(payout()))).toMatchObject({ name: 'RefusedError' });
  });
});

describe('a payout response with another amount, currency or reference is no acceptance', () => {
  test.each([
    ['another amount', { amount: '150050' }, 'contradiction'],
    ['another currency', { currency: 'KES' }, 'other_currency'],
    ['another reference', { reference: 'another-payout' }, 'other_reference'],
  ])('%s', async (_what, named, reason) => {
    const { client } = await service(nothingFound, [200, { success: true, data: { status: 'pending', ...named } }]);
    expect(await errorOf(client.payouts.send(payout()))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'UnreadableAnswerError', reason },
    });
  });
});

describe('a refusal that contradicts itself does not prove that nothing was done', () => {
  test.each([
    ['shows the payout as paid', 200, { success: false, message: 'no', data: { status: 'success' } }],
    ['shows the payout as pending', 200, { success: false, message: 'no', data: { status: 'pending' } }],
    ['shows the payout as paid, HTTP 400', 400, { success: false, message: 'no', data: { status: 'success' } }],
    ['shows the payout in data.payout', 200, { success: false, data: { payout: { status: 'success' } } }],
    ['says "false"', 200, { success: 'false', message: 'no' }],
    ['is about another payout', 200, { success: false, message: 'no', data: { reference: 'of-another' } }],
    ['is of the other environment', 200, { success: false, message: 'no', data: { domain: 'live' } }],
  ])('one that %s', async (_what, status, body) => {
    const [request, started] = [payout(), order()];
    for (const [kind, reference] of [
      ['payout', request.reference],
      ['collection', started.reference],
    ] as const) {
      if (kind === 'collection' && JSON.stringify(body).includes('"payout"')) continue;
      const { client } = await service(nothingFound, [status, naming(body, reference)]);
      const asked = kind === 'payout' ? client.payouts.send(request) : client.collections.card(started);
      expect(await errorOf(asked)).toMatchObject({
        name: 'AmbiguousOutcomeError',
        cause: { name: 'UnreadableAnswerError' },
      });
    }
  });

  test.each([
    ['shows the payout as failed', 200, { success: false, message: 'no', data: { status: 'failed' } }],
    ['shows no record', 200, { success: false, message: 'no' }],
    ['says "false", HTTP 400', 400, { success: 'false', message: 'no' }],
  ])('one that %s is a refusal', async (_what, status, body) => {
    const request = payout();
    const { client } = await service(nothingFound, [status, naming(body, request.reference)]);
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'RefusedError' });
  });

  /** Names the reference in the record of an answer, unless it names another one or there is none. */
  function naming(body: { data?: object; success?: unknown }, reference: string): object {
    if (body.data === undefined || 'reference' in body.data) return body;
    if ('payout' in body.data) return { ...body, data: { payout: { reference, ...(body.data.payout as object) } } };
    return { ...body, data: { reference, ...body.data } };
  }
});

describe('a payout that an operator sends again', () => {
  test('stays open when the service refuses the repetition', async () => {
    const refused: Reaction = [422, { success: false, message: 'Insufficient balance' }];
    const { client, arrived } = await service(nothingFound, 'cut', refused, [200, { success: true, message: 'ok' }]);
    const request = payout();
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(await errorOf(client.payouts.send(request, { resend: true }))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'InsufficientFundsError', serviceMessage: 'Insufficient balance' },
      hint: /does not prove/,
    });
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(arrived('POST')).toHaveLength(2);
    expect(await client.payouts.send(request, { resend: true })).toMatchObject({ known: 'answered' });
  });

  test('is the existing payout when the service calls its reference a duplicate', async () => {
    const request = payout();
    const destination = { bank_code: request.bankCode, account_number: request.accountNumber };
    const money = { status: 'pending', amount: '1500.50', currency: 'NGN' };
    const existing = { reference: request.reference, ...money, ...destination };
    const post = oneAfterTheOther('cut', [409, { success: false, message: 'Duplicate reference' }]);
    const { client, arrived } = await scriptedService((arriving) => {
      if (arriving.startsWith('POST')) return post();
      // The payout shows only once the repetition is refused.
      return arrived('POST').length < 2 ? nothingFound : [200, { success: true, data: existing }];
    });
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(await client.payouts.send(request, { resend: true })).toMatchObject({ known: 'existing' });
    expect(arrived('POST')).toHaveLength(2);
  });

  test('stays unknown when the service calls it a duplicate and states another amount', async () => {
    const request = payout();
    const other = { reference: request.reference, status: 'success', amount: '9.00', currency: 'NGN' };
    const post = oneAfterTheOther('cut', [409, { success: false, message: 'Duplicate reference' }]);
    const { client, arrived } = await scriptedService((arriving) => {
      if (arriving.startsWith('POST')) return post();
      return arrived('POST').length < 2 ? nothingFound : [200, { success: true, data: other }];
    });
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(await errorOf(client.payouts.send(request, { resend: true }))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'DuplicateReferenceError' },
    });
  });

  test.each([
    ['another currency', { currency: 'KES' }],
    ['no currency', { currency: '' }],
    ['another amount', { amount: '9.00' }],
  ])('is not sent while the service knows its reference with %s', async (_what, differs) => {
    const [request, started] = [payout(), order()];
    const paid = { status: 'success', amount: '1500.50', requested_amount: '1000.50', currency: 'NGN', ...differs };
    const changed = { ...paid, ...('amount' in differs && { requested_amount: '9.00' }) };
    const { client, arrived } = await scriptedService((arriving) => {
      if (arriving.startsWith('POST')) return [502, {}];
      const { reference } = arriving.includes(request.reference) ? request : started;
      return [200, { success: true, data: { reference, ...changed } }];
    });
    for (const resend of [false, false, true, true]) {
      expect(await errorOf(client.payouts.send(request, { resend }))).toMatchObject({
        name: 'AmbiguousOutcomeError',
        message: expect.not.stringContaining('Nothing was sent'),
        hint: /not send it again, nor under another reference/,
      });
      expect(await errorOf(client.collections.card(started, { resend }))).toMatchObject({
        name: 'AmbiguousOutcomeError',
      });
    }
    expect(arrived('POST')).toHaveLength(2);
  });

  test('is checked and not sent when it was accepted before', async () => {
    const { client, arrived } = await service(nothingFound, [200, { success: true, message: 'ok' }]);
    const [request, started] = [payout(), order()];
    await client.payouts.send(request);
    await client.collections.card(started);
    for (const again of [
      client.payouts.send(request, { resend: true }),
      client.collections.card(started, { resend: true }),
    ]) {
      expect(await errorOf(again)).toMatchObject({ name: 'AlreadyStartedError' });
    }
    expect(arrived('POST')).toHaveLength(2);
  });

  test('is not sent when a status check finds it', async () => {
    const [request, started] = [payout(), order()];
    const paid = { reference: request.reference, status: 'success', amount: '1500.50', currency: 'NGN' };
    const collected = { reference: started.reference, status: 'success', requested_amount: '1000.50' };
    const { client, arrived } = await scriptedService((arriving) => {
      if (arriving.startsWith('POST')) return 'cut';
      if (arrived('GET').length === 1) return nothingFound; // the first check of the payout, after its lost response
      return [200, { success: true, data: arriving.includes(request.reference) ? paid : collected }];
    });
    expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(await errorOf(client.collections.card(started))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect(await client.payouts.send(request, { resend: true })).toMatchObject({ known: 'checked' });
    expect(await client.collections.card(started, { resend: true })).toMatchObject({ known: 'checked' });
    expect(arrived('POST')).toHaveLength(2);
  });
});

describe('a payout in a journal of its process', () => {
  test('is checked by the same client, and not sent again', async () => {
    const { clientWith, arrived } = await service(nothingFound, 'cut');
    const client = clientWith({ journal: memoryJournal() });
    const request = payout();
    for (let round = 0; round < 3; round++) {
      expect(await errorOf(client.payouts.send(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    }
    expect(await errorOf(client.payouts.send({ ...request, narration: 'Another' }))).toMatchObject({
      name: 'IdempotencyKeyReusedError',
    });
    expect(arrived('POST')).toHaveLength(1);
  });
});

describe('a payment whose response was lost is not started again', () => {
  test('its status is checked; while the service does not know it, the outcome stays unknown', async () => {
    const { client, arrived } = await service(nothingFound, 'cut');
    const request = order();
    for (let round = 0; round < 3; round++) {
      expect(await errorOf(client.collections.card(request))).toMatchObject({
        name: 'AmbiguousOutcomeError',
        operation: 'collection',
        reference: request.reference,
      });
    }
    expect([arrived('POST').length, arrived('GET').length]).toEqual([1, 2]);
  });

  test.each([
    ['with a journal', memoryJournal()],
    ['without one', null],
  ])('once the service knows it, the start is known, %s', async (_how, journal) => {
    const request = order();
    const found = { reference: request.reference, status: 'success', requested_amount: '1000.50', currency: 'NGN' };
    const { clientWith, arrived } = await service([200, { success: true, data: found }], 'cut');
    const client = clientWith({ journal });
    expect(await errorOf(client.collections.card(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
    const again = await client.collections.card({ ...request, card: 'fedcba' });
    expect(again).toMatchObject({ known: 'checked', status: 'success', reference: request.reference });
    expect(arrived('POST')).toHaveLength(1);
  });

  test('another amount under the reference leaves the outcome unknown', async () => {
    const request = order();
    const found = { reference: request.reference, status: 'success', requested_amount: '2000.00' };
    const { client } = await service([200, { success: true, data: found }], 'cut');
    await errorOf(client.collections.card(request));
    expect(await errorOf(client.collections.card(request))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { reason: 'contradiction' },
    });
  });

  test('only an explicit decision sends it again, and a refusal of that proves nothing', async () => {
    const refused: Reaction = [400, { status: false, message: 'No' }];
    const { client, arrived } = await service(nothingFound, 'cut', refused, [200, { status: true, message: 'ok' }]);
    const request = order();
    await errorOf(client.collections.card(request));
    expect(await errorOf(client.collections.card(request, { resend: true }))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { name: 'RefusedError' },
    });
    expect(await client.collections.card(request, { resend: true })).toMatchObject({ known: 'answered' });
    expect(arrived('POST')).toHaveLength(3);
  });

  test('an accepted payment is an AlreadyStartedError when its check fails', async () => {
    const { client, arrived } = await service('cut', [200, { status: true, message: 'ok' }]);
    const request = order();
    await client.collections.card(request);
    expect(await errorOf(client.collections.card(request))).toMatchObject({
      name: 'AlreadyStartedError',
      reference: request.reference,
      cause: { name: 'NoAnswerError' },
    });
    expect(arrived('POST')).toHaveLength(1);
  });

  test('a refusal frees the reference', async () => {
    const refused: Reaction = [400, { status: false, error: { email: ['no address'] } }];
    const { client, arrived } = await service(nothingFound, refused, [200, { status: true, message: 'ok' }]);
    const request = order();
    expect(await errorOf(client.collections.card({ ...request, email: 'ada' }))).toMatchObject({
      name: 'InvalidFieldsError',
    });
    expect(await client.collections.card(request)).toMatchObject({ known: 'answered' });
    expect(arrived('POST')).toHaveLength(2);
  });

  test('a response about another reference is no start', async () => {
    const started = { status: true, message: 'ok', data: { reference: 'another-payment', status: 'success' } };
    const { client } = await service(nothingFound, [200, started]);
    expect(await errorOf(client.collections.card(order()))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      cause: { reason: 'other_reference' },
    });
  });
});

describe('a request is tracked before it is sent', () => {
  const publicKey = 'pk_test_0123456789abcdef';
  /** Sends one request with a journal on disk; lists the due records when the request has arrived, and after its outcome. */
  async function recordsAround(
    reaction: Reaction,
    kind: 'payout' | 'collection',
    sent: 'payout' | 'card' | 'checkout',
  ) {
    const path = join(temporaryFolder(), 'journal.db');
    const journal = await openStore(path).requestJournal();
    const references = () => {
      const database = new SQLite(path, { readonly: true });
      const rows = database.prepare<[], { reference: string }>(`SELECT reference FROM ${kind}s WHERE due_at > 0`).all();
      database.close();
      return rows.map(({ reference }) => reference);
    };
    let during: unknown[] = [];
    const { server, clientWith } = await scriptedService((request) => {
      if (request.startsWith('POST')) during = references();
      return request.startsWith('POST') ? reaction : nothingFound;
    });
    const client = clientWith({ journal });
    const checkout = createCheckout({ baseUrl: server.url, publicKey, journal, timeoutMs: 1_000 });
    const started = { payout: payout(), card: order(), checkout: checkoutSession() };
    const { reference } = started[sent];
    const run = { payout: client.payouts.send, card: client.collections.card, checkout: checkout.start }[sent];
    const outcome = await (run as (request: object) => Promise<unknown>)(started[sent]).catch(
      (error: unknown) => error,
    );
    await journal.close();
    return { during, after: references(), tracked: [reference], outcome };
  }

  const REQUESTS = [
    ['a payout', 'payout', 'payout'],
    ['a card payment', 'collection', 'card'],
    ['a checkout session', 'collection', 'checkout'],
  ] as const;

  test.each(REQUESTS)('%s that goes unanswered stays', async (_what, kind, sent) => {
    const { during, after, tracked, outcome } = await recordsAround('cut', kind, sent);
    expect(outcome).toMatchObject({ name: 'AmbiguousOutcomeError' });
    expect([during, after]).toEqual([tracked, tracked]);
  });

  test.each(REQUESTS)('%s that is refused goes', async (_what, kind, sent) => {
    const refused: Reaction = [422, { success: false, error: { amount: ['too much'] } }];
    const { during, after, tracked, outcome } = await recordsAround(refused, kind, sent);
    expect(outcome).toMatchObject({ name: 'InvalidFieldsError' });
    expect([during, after]).toEqual([tracked, []]);
  });

  test('a declined card leaves a failed payment, and so a record', async () => {
    const { after, tracked, outcome } = await recordsAround(
      [200, { status: false, message: 'Declined' }],
      'collection',
      'card',
    );
    expect(outcome).toMatchObject({ name: 'CardDeclinedError' });
    expect(after).toEqual(tracked);
  });
});

test.each([
  ['in `data`', {}, { reference: 'other' }, 'other_reference'],
  ['beside `data`', { reference: 'other' }, {}, 'other_reference'],
  ['in no place', {}, { reference: null }, 'no_reference'],
])('a checkout response about another reference is no session: named %s', async (_where, root, named, reason) => {
  const session = checkoutSession();
  const data = { authorization_url: 'https://pay.example/pay/other', reference: session.reference, ...named };
  const { server } = await scriptedService(() => [200, { success: true, message: 'ok', ...root, data }]);
  const checkout = createCheckout({ baseUrl: server.url, publicKey: 'pk_test_0123456789abcdef' });
  expect(await errorOf(checkout.start(session))).toMatchObject({ name: 'AmbiguousOutcomeError', cause: { reason } });
});

test('the outcome of a start in an envelope with another reference says so', async () => {
  const request = order();
  const body = {
    status: true,
    reference: 'req-18377',
    data: { account_number: '0123456789', reference: request.reference },
  };
  const { client } = await service(nothingFound, [200, body]);
  expect(await errorOf(client.collections.bankTransfer(request))).toMatchObject({
    name: 'AmbiguousOutcomeError',
    message: expect.stringContaining('the envelope names another reference: "req-18377" (other_reference).'),
  });
});

test('equal requests at the same time are one, and a refusal of it frees the reference', async () => {
  const refused: Reaction = [422, { success: false, message: 'Insufficient balance' }];
  const { client, arrived } = await service(nothingFound, refused);
  const [sent, started] = [payout(), order()];
  const errors = await Promise.all([
    ...[1, 2, 3].map(() => errorOf(client.payouts.send(sent))),
    ...[1, 2, 3].map((index) => errorOf(client.collections.card({ ...started, card: `abcde${index}` }))),
  ]);
  const each = (name: string) => Array.from({ length: 3 }, () => name);
  expect(errors.map((error) => (error as Error).name)).toEqual([
    ...each('InsufficientFundsError'),
    ...each('RefusedError'),
  ]);
  expect(arrived('POST')).toHaveLength(2);
  expect(await errorOf(client.payouts.send({ ...sent, narration: 'Invoice 18' }))).toMatchObject({
    name: 'InsufficientFundsError',
  });
});
