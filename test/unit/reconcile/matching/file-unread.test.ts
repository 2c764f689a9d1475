import { expect, test } from 'vitest';
import { likelyOf } from '../../../../src/reconcile/matching/file-unread.ts';

test.each([
  ['it explains itself without its rows', { earlier: 0n, all: -40n, told: [] }, 0n],
  ['another file reads them like its lines before its end', { earlier: 50n, all: 10n, told: [50n] }, 50n],
  ['another file says that the lines came before its end', { earlier: 0n, all: -40n, told: [-40n] }, -40n],
  ['its own balance ends before its rows', { earlier: 0n, all: -40n, told: [50n] }, 50n],
  ['nothing tells: every line of its last day is in its balance', { earlier: 50n, all: 10n, told: [] }, 10n],
])('what unreadable rows moved: %s', (_, readings, expected) => {
  expect(likelyOf(readings)).toBe(expected);
});
