import { describe, expect, test } from 'vitest';
import { judgeRecord, type WitnessedRecord } from '../../../../src/domain/reconciling/witnessed-record.ts';
import { ageBucket, settledBy, startedAt } from '../../../../src/domain/records/settling-age.ts';

const DAY_MS = 86_400_000;
const record = {
  kind: 'payout',
  reported: 'pending',
  confirmed: 'pending',
  facts: {},
  details: {},
  money: { reported: {}, confirmed: {} },
  expected: null,
  reportedTime: null,
  findings: [],
  startedAtMs: 0,
  answeredAtMs: null,
  reportedAtMs: null,
} as const satisfies WitnessedRecord;

test.each([
  ['refund', 'processing', 10],
  ['refund', 'awaiting_settlement', 30],
  ['payout', 'pending', 3],
  ['payout', 'awaiting_settlement', 3],
  ['collection', 'pending', 2],
] as const)('a %s that is %s has %i days', (kind, status, days) => {
  expect(settledBy(kind, status, 5)).toBe(5 + days * DAY_MS);
  const of = { ...record, kind, reported: status, confirmed: status };
  const judged = (judgedAtMs: number) => judgeRecord(of, { endpoint: 'proven', judgedAtMs });
  expect(judged(days * DAY_MS)).toMatchObject({ breaks: [], waiting: { code: 'timing', sub: 'unsettled' } });
  expect(judged(days * DAY_MS + 1)).toMatchObject({ breaks: [{ code: 'stuck', ours: status }], waiting: null });
});

describe('a record that the service settled', () => {
  const against = {
    ...record,
    reported: 'success',
    confirmed: 'failed',
    reportedTime: '2026-10-10T09:00:00Z',
  } as const;
  const at = (answered: string, reported: string) =>
    judgeRecord(
      { ...against, answeredAtMs: Date.parse(answered), reportedAtMs: Date.parse(reported) },
      { endpoint: 'proven', judgedAtMs: 0 },
    );

  test('against the webhooks is a break', () => {
    const { breaks, waiting } = at('2026-10-12T00:00:00Z', '2026-10-11T00:00:00Z');
    expect([breaks.map(({ sub, ours, theirs }) => [sub, ours, theirs]), waiting]).toEqual([
      [['webhook_vs_api', 'failed', 'success']],
      null,
    ]);
  });

  test('before the webhook came is not compared with it yet', () => {
    const { breaks, waiting } = at('2026-10-12T00:00:00Z', '2026-10-13T00:00:00Z');
    expect([breaks, waiting?.sub]).toEqual([[], 'webhook_vs_api']);
  });

  test('ahead of the webhooks is no difference', () => {
    const ahead = { ...record, reported: 'pending', confirmed: 'success' };
    expect(judgeRecord(ahead, { endpoint: 'proven', judgedAtMs: 9 * DAY_MS })).toMatchObject({
      breaks: [],
      waiting: null,
    });
  });
});

test.each([
  ['unproven', 'unproven_endpoint'],
  ['absent', 'no_endpoint'],
] as const)('without a confirmed status and with an endpoint that is %s a record is never stuck', (endpoint, sub) => {
  const { breaks, waiting } = judgeRecord({ ...record, confirmed: null }, { endpoint, judgedAtMs: 99 * DAY_MS });
  expect([breaks, waiting?.code, waiting?.sub]).toEqual([[], 'not_confirmed', sub]);
});

test('a record whose attempts are used up is stuck once, whatever its age', () => {
  const findings = [{ code: 'stuck', subject: 'status', detail: '' }] as const;
  const { breaks } = judgeRecord({ ...record, findings }, { endpoint: 'proven', judgedAtMs: 0 });
  expect(breaks.map(({ code }) => code)).toEqual(['stuck']);
});

test('a record begins by the time of the service, else by that of an observation, else when it was first seen', () => {
  const time = (utc: string) => ({ text: utc, utc });
  const begun = { kind: 'refund', times: {}, reportedTime: null, firstSeenAtMs: 7 } as const;
  expect(startedAt(begun)).toBe(7);
  expect(startedAt({ ...begun, reportedTime: '2026-10-02T00:00:00Z' })).toBe(Date.parse('2026-10-02T00:00:00Z'));
  const times = { requestedAt: time('2026-10-01T00:00:00Z'), updatedAt: time('2026-10-05T00:00:00Z') };
  expect(startedAt({ ...begun, times })).toBe(Date.parse('2026-10-01T00:00:00Z'));
});

test('ages fall into buckets', () => {
  expect([0, 0.99, 1, 2.99, 3, 7, 7.01].map((days) => ageBucket(days * DAY_MS))).toEqual([
    '<24h',
    '<24h',
    '1-3d',
    '1-3d',
    '3-7d',
    '3-7d',
    '>7d',
  ]);
});

test.each<[string, Readonly<Record<string, string>>, string | null, string]>([
  ['by its own time', { createdAt: '01', updatedAt: '02' }, '03', '01'],
  ['else by the time of the winning observation', { updatedAt: '02' }, '03', '02'],
  ['else by the time of the reported status', {}, '03', '03'],
  ['else when it was first seen', {}, null, '04'],
])('a payout began %s', (_case, days, reported, expected) => {
  const instant = (day: string) => `2026-11-${day}T00:00:00Z`;
  const times = Object.fromEntries(Object.entries(days).map(([name, day]) => [name, { text: day, utc: instant(day) }]));
  const reportedTime = reported === null ? null : instant(reported);
  const firstSeenAtMs = Date.parse(instant('04'));
  expect(startedAt({ kind: 'payout', times, reportedTime, firstSeenAtMs })).toBe(Date.parse(instant(expected)));
});
