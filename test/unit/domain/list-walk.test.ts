import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKFILL_OUTCOMES, covers, judgedSince, missedRefund } from '../../../src/domain/list-walk.ts';

test.each([
  ['all, without a walk that covers', null, null, 100, 0],
  ['from before the start of the last one', null, 900, 100, 800],
  ['from no time before 1970', null, 50, 100, 0],
  ['from the time that a person names', 300, 900, 100, 300],
  ['from 1970, when a person names that', 0, 900, 100, 0],
])('a walk judges %s', (_, sinceMs, lastMs, overlapMs, expected) => {
  expect(judgedSince(sinceMs, lastMs, overlapMs)).toBe(expected);
});

test.each([
  ['the first, from the start of time', 0, null, true],
  ['the first, from later', 1, null, false],
  ['up to the last one that covers', 900, 900, true],
  ['with a gap after it', 901, 900, false],
])('a complete walk covers: %s', (_, sinceMs, lastMs, expected) => {
  expect(covers('complete', sinceMs, lastMs)).toBe(expected);
});

test.each(BACKFILL_OUTCOMES.filter((outcome) => outcome !== 'complete'))(
  'a walk that ended as %s covers nothing',
  (outcome) => {
    expect(covers(outcome, 0, 900)).toBe(false);
  },
);

test('complete walks without a window leave no gap, whatever the overlap', () => {
  fc.assert(
    fc.property(fc.option(fc.nat()), fc.nat(), (lastMs, overlapMs) => {
      expect(covers('complete', judgedSince(null, lastMs, overlapMs), lastMs)).toBe(true);
    }),
  );
});

test('a refund is absent from the second complete walk in a row that misses it on', () => {
  expect(missedRefund(0, 5)).toEqual({ absences: 1, findings: [] });
  const second = missedRefund(1, Date.parse('2026-11-20T10:00:00Z'));
  const detail = '2 complete walks in a row missed it; last listed 2026-11-20T10:00:00.000Z';
  expect(second).toEqual({ absences: 2, findings: [{ code: 'absent', subject: 'list', detail }] });
  expect(missedRefund(8, null)).toMatchObject({
    absences: 9,
    findings: [{ detail: '2 complete walks in a row missed it; it was never listed' }],
  });
});
