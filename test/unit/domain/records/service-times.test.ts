import { expect, test } from 'vitest';
import { isObject, parseBody } from '../../../../src/domain/events/json.ts';
import { text } from '../../../../src/domain/records/fields.ts';
import { readTimes } from '../../../../src/domain/records/service-times.ts';

const SPECS = { paidAt: text('paid_at'), updatedAt: text('updated_at') };

function times(json: string, updated: string | null = null) {
  const parsed = parseBody(Buffer.from(json));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('not an object');
  return readTimes(parsed.value, SPECS, { zone: 'Africa/Lagos', updated });
}

test.each<[string, string, { text: string; utc: string | null } | null]>([
  ['an instant', '"2026-07-01T10:00:00+01:00"', { text: '2026-07-01T10:00:00+01:00', utc: '2026-07-01T09:00:00Z' }],
  ['a time without a zone', '"2026-07-01 10:00:00"', { text: '2026-07-01 10:00:00', utc: '2026-07-01T09:00:00Z' }],
  ['a text that is no time', '"soon"', { text: 'soon', utc: null }],
  ['an empty text', '""', null],
  ['null', 'null', null],
  ['a list', '[]', null],
])('%s is kept as the service wrote it, with its instant', (_case, json, expected) => {
  expect(times(`{"paid_at":${json}}`)).toEqual({ paidAt: expected, updatedAt: null });
});

test.each([
  ['2026-07-01T10:00:00.000+01:00', '2026-07-01T09:00:00Z'],
  ['2026-07-01T09:00:00Z', '2026-07-01T09:00:00Z'],
  ['2026-07-01 10:00:00', '2026-07-01 10:00:00'],
])('an `updated_at` of %s has the text %s: the spelling of an instant decides nothing', (sent, text) => {
  expect(times(`{"updated_at":"${sent}"}`, '2026-07-01T09:00:00Z').updatedAt?.text).toBe(text);
});

test('the instant of `updated_at` is the one that is read already', () => {
  expect(times('{"updated_at":"u","paid_at":"2026-07-01T10:00:00Z"}', '2026-07-01T00:00:00Z')).toEqual({
    paidAt: { text: '2026-07-01T10:00:00Z', utc: '2026-07-01T10:00:00Z' },
    updatedAt: { text: 'u', utc: '2026-07-01T00:00:00Z' },
  });
});
