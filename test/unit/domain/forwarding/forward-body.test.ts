import { expect, test } from 'vitest';
import { type NewsFacts, newsBytes, newsOf } from '../../../../src/domain/forwarding/forward-body.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';

test('an event that makes no record is forwarded without data and without a place in a history', () => {
  const news = newsOf({
    webhookId: 'msg_1',
    type: 'service.notice',
    environment: 'test',
    kind: 'unknown',
    reference: 'sha256:00',
    move: null,
    event: { previous: null, updatedAt: 'sha256:00' },
    record: null,
    openFindings: [],
    supersedes: [],
    missing: [],
    replayed: false,
  });
  expect(news).toEqual({
    id: 'msg_1',
    type: 'service.notice',
    environment: 'test',
    kind: 'unknown',
    reference: 'sha256:00',
    reported: null,
    confirmed: null,
    confirmedAt: null,
    previous: null,
    findings: [],
    data: null,
    supersedes: [],
    missing: [],
    replayed: false,
    n: null,
    updatedAt: 'sha256:00',
  });
});

const facts: NewsFacts = {
  webhookId: 'msg_1',
  type: 'refund.success',
  environment: 'test',
  kind: 'refund',
  reference: 'R',
  move: null,
  event: { previous: 'pending', updatedAt: '2026-07-01T10:00:00Z' },
  record: {
    kind: 'refund',
    reported: 'success',
    confirmed: 'processing',
    confirmedAtMs: 1_000,
    facts: { amount: parseAmount('5'), currency: 'USD', transactionReference: null },
    details: { externalReference: 'X-1' },
    money: { reported: { fee: parseAmount('0.1') }, confirmed: { amount: parseAmount('5'), fee: parseAmount('0.2') } },
    times: { completedAt: { text: 'soon', utc: null } },
  },
  openFindings: ['tie', 'absent', 'tie'],
  supersedes: ['msg_0'],
  missing: ['msg_9'],
  replayed: true,
};

test('a received event is forwarded with the record as it is, and the status before the event', () => {
  expect(newsOf(facts)).toEqual({
    id: 'msg_1',
    type: 'refund.success',
    environment: 'test',
    kind: 'refund',
    reference: 'R',
    reported: 'success',
    confirmed: 'processing',
    confirmedAt: '1970-01-01T00:00:01.000Z',
    previous: 'pending',
    findings: ['absent', 'tie'],
    data: {
      facts: { amount: '5.00', currency: 'USD', transactionReference: null },
      details: { externalReference: 'X-1' },
      amount: { amount: '5.00', currency: 'USD', by: 'service', disputed: false },
      money: { reported: { fee: '0.10' }, confirmed: { amount: '5.00', fee: '0.20' } },
      fee: '0.20',
      times: { completedAt: { text: 'soon', utc: null } },
    },
    supersedes: ['msg_0'],
    missing: ['msg_9'],
    replayed: true,
    n: null,
    updatedAt: '2026-07-01T10:00:00Z',
  });
});

test('a move is forwarded with its own statuses and time, not with those that came later', () => {
  const news = newsOf({ ...facts, event: null, move: { from: 'pending', to: 'failed', atMs: 2_000, n: 3 } });
  expect(news).toMatchObject({
    ...{ reported: 'success', confirmed: 'failed', confirmedAt: '1970-01-01T00:00:02.000Z' },
    ...{ previous: 'pending', n: 3 },
  });
  expect(news).not.toHaveProperty('updatedAt');
});

test('the body of the event is sent in base64 to a target that wants it; null without one', () => {
  const news = newsOf(facts);
  const sent = (body?: Uint8Array | null) => JSON.parse(Buffer.from(newsBytes(news, body)).toString());
  expect(sent()).toEqual(news);
  expect(sent(Buffer.from('{"a":1}'))).toEqual({ ...news, body: 'eyJhIjoxfQ==' });
  expect(sent(null)).toEqual({ ...news, body: null });
});
