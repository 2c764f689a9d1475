import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDigest, readEvent } from '../../../../src/domain/events/event.ts';
import { randomRuns } from '../../../support/random-runs.ts';

// The expectations are written from interface.md 2.4 and 6: which fields are times, and which texts carry an offset.

const digest = (data: object) => contentDigest(Buffer.from(JSON.stringify({ event: 'refund.success', data })));
const UTC = '2026-11-20T10:00:00Z';
const SPELLINGS = [
  '2026-11-20T10:00:00.000Z',
  '2026-11-20T10:00:00z',
  '2026-11-20T11:00:00+01:00',
  '2026-11-20T04:30:00.0-0530',
  '2026-11-20 10:00:00+00',
];

describe.each(['requested_at', 'completed_at', 'updated_at', 'created_at', 'paid_at'])('%s', (name) => {
  test.each(SPELLINGS)('%s is the same content as the instant in UTC', (spelling) => {
    expect(digest({ refund_reference: 'R1', [name]: spelling })).toBe(digest({ refund_reference: 'R1', [name]: UTC }));
  });

  test.each([
    ['another instant', '2026-11-20T10:00:00.001Z', UTC],
    ['an instant and a time without a zone', '2026-11-20T10:00:00', UTC],
    ['two spellings without a zone', '2026-11-20T10:00:00.000', '2026-11-20T10:00:00'],
    ['a time and no time', 'soon', UTC],
  ])('%s are two contents', (_, one, other) => {
    expect(digest({ [name]: one })).not.toBe(digest({ [name]: other }));
  });
});

test('the time in the funding is one, and texts elsewhere are not', () => {
  const [spelling] = SPELLINGS;
  expect(digest({ funding: { funded_at: spelling } })).toBe(digest({ funding: { funded_at: UTC } }));
  for (const around of [
    (text: unknown) => ({ narration: text }),
    (text: unknown) => ({ funded_at: text }),
    (text: unknown) => ({ customer: { updated_at: text } }),
    (text: unknown) => ({ funding: { updated_at: text } }),
  ]) {
    expect(digest(around(spelling))).not.toBe(digest(around(UTC)));
  }
});

test('an event without updated_at has one key for every spelling of its other times', () => {
  const key = (text: string) => {
    const data = { refund_reference: 'R1', status: 'success', requested_at: text };
    return readEvent(Buffer.from(JSON.stringify({ event: 'refund.success', data })), 'test').updatedAt;
  };
  expect(new Set([UTC, ...SPELLINGS].map(key)).size).toBe(1);
});

test('any instant at any offset is one content, and any two instants are two', () => {
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), offset, (date, minutes) => {
      const wall = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      const zone = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
      expect(digest({ updated_at: `${wall}${zone}` })).toBe(digest({ updated_at: date.toISOString() }));
      const later = new Date(date.getTime() + 1).toISOString();
      expect(digest({ updated_at: `${wall}${zone}` })).not.toBe(digest({ updated_at: later }));
    }),
    { numRuns: randomRuns(300) },
  );
});

test('a time in a list stays as it was sent', () => {
  expect(digest({ updated_at: [SPELLINGS[0]] })).not.toBe(digest({ updated_at: [UTC] }));
  expect(digest({ updated_at: [UTC] })).not.toBe(digest({ updated_at: UTC }));
});
