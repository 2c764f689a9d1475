import { expect, test } from 'vitest';
import { outboxDetailJson } from '../../../../cli/show/outbox.ts';
import type { OutboxDetail } from '../../../../src/store/outbox.ts';

const EVENT = '{"event":"payout.success","data":{"account_number":"0123498765","account_name":"Ada Obi"}}';
const NEWS = { id: 'msg_1', data: { details: { accountName: 'Ada Obi' } }, n: 2, updatedAt: '2026-11-20T09:00:00Z' };

function shownBody(reveal: boolean): string | null {
  const body = Buffer.from(JSON.stringify({ ...NEWS, body: Buffer.from(EVENT).toString('base64') }));
  const times = { createdAtMs: 0, dueAtMs: 0, leasedUntilMs: null, lastAttemptAtMs: null, deliveredAtMs: null };
  const row = { ...times, state: 'failing', obstacle: null, attemptsLog: [], body, digest: null };
  return outboxDetailJson(row as unknown as OutboxDetail, { reveal }).body;
}

test('the bytes of the event are shown with --reveal alone: base64 cannot be masked', () => {
  const text = shownBody(false) ?? '';
  expect(JSON.parse(text)).toEqual({
    ...NEWS,
    data: { details: { accountName: 'A••• O•••' } },
    body: '--reveal shows it',
  });
  const revealed = JSON.parse(shownBody(true) ?? '');
  expect(Buffer.from(revealed.body, 'base64').toString()).toBe(EVENT);
});
