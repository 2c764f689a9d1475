import { expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../src/domain/money/amount.ts';
import {
  createClient,
  type InsufficientFundsError,
  memoryJournal,
  newReference,
  type RequestJournal,
} from '../../src/service/index.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { collected, errorOf } from '../support/service.ts';

/** Returns a client of a service that responds to every request with this body. */
async function respondingWith(status: number, body: object | string, over: object = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const server = await hostileServer((socket) => socket.write(answer(status, text)));
  const options = { journal: memoryJournal(), timeoutMs: 1_000, retries: 0, onWarning: () => {} };
  return {
    server,
    client: createClient({ baseUrl: server.url, secretKey: 'sk_test_0123456789abcdef', ...options, ...over }),
  };
}

const REFUND = { refund_reference: 'R-1', transaction_reference: 'TX_81', amount: '5.00', status: 'pending' };
const request = { transactionReference: 'TX_81', amount: parseAmount('5.00') };

test.each([
  ['success and data', { success: true, message: 'ok', data: REFUND }],
  ['status and data.refund', { status: true, message: 'ok', data: { refund: REFUND } }],
  ['success as text', { success: 'true', data: REFUND }],
  ['success as a number', { success: 1, detail: 'ok', data: REFUND }],
  ['status as a word', { status: 'success', data: REFUND }],
  ['status as the HTTP status', { status: 202, data: REFUND }],
  ['no envelope at all', REFUND],
  [
    'numbers for amounts and references',
    '{"success":true,"data":{"refund_reference":17,"transaction_reference":"TX_81","status":"pending","amount":5.0,"fee":0.19836}}',
  ],
])('a refund is read from %s', async (_dialect, body) => {
  const { client } = await respondingWith(202, body);
  const { refund } = await client.refunds.request(request);
  expect([refund.status, refund.amount && formatAmount(refund.amount)]).toEqual(['pending', '5.00']);
});

const WORDINGS: readonly (readonly [string, number, object])[] = [
  ['TransactionNotFoundError', 404, { success: false, message: 'No query results' }],
  ['TransactionNotSuccessfulError', 422, { success: false, message: 'Transaction is not successful' }],
  ['TransactionNotSuccessfulError', 422, { status: false, detail: 'The transaction was unsuccessful' }],
  ['NotCardTransactionError', 422, { success: false, message: 'Only card transactions can be refunded' }],
  ['UnsupportedRefundCurrencyError', 422, { success: false, message: 'NGN refunds are not supported' }],
  ['UnsupportedRefundCurrencyError', 422, { success: false, message: 'KES card payments cannot be refunded' }],
  [
    'UnsupportedRefundCurrencyError',
    422,
    { success: false, message: 'Currency not eligible: only USD card payments are' },
  ],
  ['NotCardTransactionError', 422, { success: false, message: 'Only USD card transactions are eligible' }],
  ['RefundExceedsRemainingError', 422, { success: false, message: 'Amount exceeds the remaining refundable amount' }],
  ['RefundExceedsRemainingError', 422, { success: false, errors: { amount: ['May not be greater than 3.00.'] } }],
  ['InsufficientFundsError', 422, { success: false, message: 'Insufficient eligible funds' }],
  ['AlreadyRefundedError', 409, { success: false, message: 'Transaction already fully refunded' }],
  ['InvalidFieldsError', 422, { success: false, message: 'Invalid', errors: { transaction_reference: 'is required' } }],
  ['AuthenticationError', 401, { success: false, message: 'Invalid API key' }],
  ['RefusedError', 418, { success: false, message: 'No' }],
];
test.each(WORDINGS)('%s is recognised by %i and the message', async (name, status, body) => {
  const { client } = await respondingWith(status, body);
  expect(await errorOf(client.refunds.request(request))).toMatchObject({ name, httpStatus: status });
});

test('the messages of fields are quoted as one sentence', async () => {
  for (const [sent, quoted] of [
    ['Too much', 'amount: Too much.'],
    ['Too much.', 'amount: Too much.'],
  ]) {
    const { client } = await respondingWith(422, { success: false, message: 'Invalid', errors: { amount: [sent] } });
    expect(((await errorOf(client.refunds.request(request))) as Error).message).toMatch(
      new RegExp(`\\(422\\): invalid fields: ${quoted}$`),
    );
  }
});

test('the figures of missing funds are exact, as text or number, beside the message or in data', async () => {
  const figures =
    '"required":90071992547409.93,"available_balance":"0.10","pending_balance":"0","shortfall":"90071992547409.83","currency":"USD"';
  for (const body of [
    `{"success":false,"message":"x",${figures}}`,
    `{"success":false,"message":"x","data":{${figures}}}`,
  ]) {
    const { client } = await respondingWith(422, body);
    const { required, shortfall, currency } = (await errorOf(
      client.refunds.request(request),
    )) as InsufficientFundsError;
    expect([required, shortfall].map((each) => each && formatAmount(each))).toEqual([
      '90071992547409.93',
      '90071992547409.83',
    ]);
    expect(currency).toBe('USD');
  }
});

test('202 without data: a payout is pending, a refund is searched in the list, else its outcome is open', async () => {
  const { client } = await respondingWith(202, { success: true, message: 'accepted' });
  const payout = {
    currency: 'NGN',
    amount: parseAmount('5'),
    bankCode: '1',
    bankName: 'B',
    accountNumber: '2',
    narration: 'n',
  };
  const { payout: sent } = await client.payouts.send({ ...payout, reference: newReference('payout') });
  expect(sent.status).toBe('pending');
  expect(await errorOf(client.refunds.request(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
});

test('the list is searched before a refund is requested again whose key the service may have dropped', async () => {
  let nowMs = Date.parse('2026-11-20T10:00:00Z');
  const listed = { ...REFUND, requested_at: '2026-11-20T10:00:05Z' };
  const server = await hostileServer((socket, sent) => {
    if (sent.startsWith('POST')) socket.resetAndDestroy();
    else socket.write(answer(200, JSON.stringify({ success: true, data: [listed] })));
  });
  const options = { journal: memoryJournal(), timeoutMs: 1_000, retries: 0, nowMs: () => nowMs };
  const client = createClient({ baseUrl: server.url, secretKey: 'sk_test_0123456789abcdef', ...options });
  expect(await errorOf(client.refunds.request(request))).toMatchObject({ name: 'AmbiguousOutcomeError' });
  nowMs += 25 * 3_600_000;
  expect(await client.refunds.request(request)).toMatchObject({ repeated: true, refund: { refundReference: 'R-1' } });
  expect(server.requests.filter((sent) => sent.startsWith('POST'))).toHaveLength(1);
});

test('a cursor list is walked on its own path', async () => {
  const row = (id: string) => ({ refund_reference: id, status: 'success' });
  const server = await hostileServer((socket, sent) => {
    const next = sent.includes('cursor=b') ? null : 'b';
    socket.write(
      answer(
        200,
        JSON.stringify({ success: true, data: [row(next === null ? 'R-2' : 'R-1')], meta: { next_cursor: next } }),
      ),
    );
  });
  const client = createClient({ baseUrl: server.url, secretKey: 'sk_test_0123456789abcdef' });
  expect((await collected(client.refunds.list())).map(({ refundReference }) => refundReference)).toEqual([
    'R-1',
    'R-2',
  ]);
});

test.each([
  ['202 without data, and a list that is refused', 202, { success: true }, 'AmbiguousOutcomeError'],
  ['409 for a key under way', 409, { message: 'Idempotency key is in use' }, 'IdempotencyConflictError'],
  ['409 for a request under way', 409, { message: 'This request is being processed' }, 'IdempotencyConflictError'],
])('after %s the refund keeps its key', async (_dialect, status, body, name) => {
  const server = await hostileServer((socket, sent) =>
    socket.write(sent.startsWith('POST') ? answer(status, JSON.stringify(body)) : answer(404, '{"success":false}')),
  );
  const options = { journal: memoryJournal(), timeoutMs: 1_000, retries: 0 };
  const client = createClient({ baseUrl: server.url, secretKey: 'sk_test_0123456789abcdef', ...options });
  for (let round = 0; round < 2; round++) {
    expect(await errorOf(client.refunds.request(request))).toMatchObject({ name });
  }
  const posts = server.requests.filter((sent) => sent.startsWith('POST'));
  expect(posts).toHaveLength(2);
  expect(new Set(posts.map((sent) => /idempotency-key: (\S+)/i.exec(sent)?.[1])).size).toBe(1);
});

test('a payout whose outcome could not be kept is checked, and not sent again', async () => {
  const kept = memoryJournal();
  let full = true;
  const journal: RequestJournal = {
    ...kept,
    async settle(settled) {
      if (full && settled.record !== null) throw new Error('disk full');
      await kept.settle(settled);
    },
  };
  const reference = newReference('payout');
  const data = { reference, status: 'pending' };
  const { client, server } = await respondingWith(200, { success: true, data }, { journal });
  const to = { currency: 'NGN', bankCode: '1', bankName: 'B', accountNumber: '2', narration: 'n' };
  const payout = { ...to, amount: parseAmount('5'), reference };
  expect(await errorOf(client.payouts.send(payout))).toMatchObject({ message: 'disk full' });
  full = false;
  expect(await client.payouts.send(payout)).toMatchObject({ known: 'checked' });
  expect(server.requests.filter((sent) => sent.startsWith('POST'))).toHaveLength(1);
});

test.each(['{"error":"Internal error"}', '[]', '{"foo":1}'])('%s under 200 is no acceptance', async (body) => {
  const { client } = await respondingWith(200, body);
  const order = {
    email: 'ada@example.com',
    amount: parseAmount('5'),
    currency: 'NGN',
    reference: newReference('order'),
  };
  expect(await errorOf(client.collections.bankTransfer(order))).toMatchObject({ name: 'AmbiguousOutcomeError' });
});
