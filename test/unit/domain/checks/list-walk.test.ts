import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BACKFILL_OUTCOMES,
  beginsAt,
  covers,
  type EarlierWalk,
  judgedSince,
  missedRefund,
  outcomeAtEnd,
} from '../../../../src/domain/checks/list-walk.ts';

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

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const cut: EarlierWalk = {
  outcome: 'failed',
  firstPage: 'page=1',
  lastPage: 'page=6',
  lastPageAtMs: NOW_MS - MINUTE_MS,
};

test.each<[string, EarlierWalk | null, string]>([
  ['at the first page, when it is the first', null, 'page=1'],
  ['where one failed', cut, 'page=6'],
  ['where one met a limit', { ...cut, outcome: 'limited' }, 'page=6'],
  ['where one was stopped', { ...cut, outcome: 'stopped' }, 'page=6'],
  ['where one that had gone on was cut short again', { ...cut, firstPage: 'page=3' }, 'page=6'],
  ['at the first page after a complete one', { ...cut, outcome: 'complete' }, 'page=1'],
  ['at the first page after one that read the rest', { ...cut, outcome: 'resumed', firstPage: 'page=3' }, 'page=1'],
  ['at the first page after one with unreadable rows', { ...cut, outcome: 'unreadable' }, 'page=1'],
  ['at the first page, when one did not get beyond its own first', { ...cut, firstPage: 'page=6' }, 'page=1'],
  ['at the first page, when one read none', { ...cut, lastPage: null, lastPageAtMs: null }, 'page=1'],
  ['at the first page, when only the time of a page was kept', { ...cut, lastPage: null }, 'page=1'],
  ['at the first page, when only its name was', { ...cut, lastPageAtMs: null }, 'page=1'],
  ['at the first page beside one that runs', { ...cut, outcome: null }, 'page=1'],
  [
    'at the first page beside one that kept a page within ten minutes',
    { ...cut, outcome: null, lastPageAtMs: NOW_MS - 10 * MINUTE_MS + 1 },
    'page=1',
  ],
  ['where one died', { ...cut, outcome: null, lastPageAtMs: NOW_MS - 10 * MINUTE_MS }, 'page=6'],
  ['where one failed a day ago', { ...cut, lastPageAtMs: NOW_MS - 1_440 * MINUTE_MS }, 'page=6'],
  ['at the first page, when it is longer ago', { ...cut, lastPageAtMs: NOW_MS - 1_440 * MINUTE_MS - 1 }, 'page=1'],
])('a walk begins %s', (_, earlier, expected) => {
  expect(beginsAt(earlier, NOW_MS)).toBe(expected);
});

test('only a walk that began at the first page, and could read every row, is complete at the end of the list', () => {
  expect([outcomeAtEnd('page=1', 0), outcomeAtEnd('page=2', 0)]).toEqual(['complete', 'resumed']);
  expect([outcomeAtEnd('page=1', 1), outcomeAtEnd('page=2', 1)]).toEqual(['unreadable', 'unreadable']);
});
