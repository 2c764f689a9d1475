import { expect, test } from 'vitest';
import { effectiveTime, wholeSeconds } from '../../../../src/domain/records/effective-time.ts';
import type { RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import type { Times } from '../../../../src/domain/records/service-times.ts';

const LEARNT_MS = Date.parse('2026-11-20T12:00:00.500Z');
const times = (utc: Readonly<Record<string, string | null>>): Times =>
  Object.fromEntries(Object.entries(utc).map(([name, at]) => [name, { text: at ?? 'soon', utc: at }]));

test.each<[string, RecordKind, Readonly<Record<string, string | null>>, string]>([
  [
    'a refund counts when it was completed',
    'refund',
    { completedAt: '2026-11-18T08:00:00Z', updatedAt: '2026-11-19T08:00:00Z' },
    '2026-11-18T08:00:00Z',
  ],
  [
    'a payout counts when it was paid',
    'payout',
    { paidAt: '2026-11-18T08:00:00Z', completedAt: '2026-11-17T08:00:00Z' },
    '2026-11-18T08:00:00Z',
  ],
  [
    'a collection counts when it was paid',
    'collection',
    { paidAt: '2026-11-18T08:00:00Z', completedAt: '2026-11-17T08:00:00Z' },
    '2026-11-18T08:00:00Z',
  ],
  [
    'without that, at the time of its observation',
    'refund',
    { paidAt: '2026-11-17T08:00:00Z', updatedAt: '2026-11-19T08:00:00Z' },
    '2026-11-19T08:00:00Z',
  ],
  [
    'a time that cannot be read is none',
    'refund',
    { completedAt: null, updatedAt: '2026-11-19T08:00:00Z' },
    '2026-11-19T08:00:00Z',
  ],
  [
    'without any time of the service, when we learnt its status',
    'refund',
    { updatedAt: null },
    '2026-11-20T12:00:00.500Z',
  ],
  ['without any time at all, then too', 'payout', {}, '2026-11-20T12:00:00.500Z'],
  [
    'a fraction of a second does not move it into the next day',
    'payout',
    { paidAt: '2026-11-18T23:59:59.999999999Z' },
    '2026-11-18T23:59:59Z',
  ],
])('%s', (_case, kind, stated, expected) => {
  expect(effectiveTime(kind, times(stated), LEARNT_MS)).toBe(Date.parse(expected));
});

test('whole seconds cut off the fraction', () => {
  expect(wholeSeconds('2026-11-18T23:59:59.999Z')).toBe(Date.parse('2026-11-18T23:59:59Z'));
});
