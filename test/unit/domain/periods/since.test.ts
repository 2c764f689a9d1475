import { expect, test } from 'vitest';
import { booksMs } from '../../../../src/domain/periods/books-time.ts';
import { type ClosingActs, sinceOf } from '../../../../src/domain/periods/since.ts';

const CLOSED: ClosingActs = {
  ...{ preparer: 'ada', closedAtMs: 1, approver: null, approvedAtMs: null },
  ...{ lockedBy: null, lockedAtMs: null, reopenedBy: null, reopenedAtMs: null },
};
const ALL: ClosingActs = {
  ...{ preparer: 'ada', closedAtMs: 1, approver: 'ben', approvedAtMs: 2 },
  ...{ lockedBy: 'cem', lockedAtMs: 3, reopenedBy: 'dan', reopenedAtMs: 4 },
};

test.each([
  ['closed', ALL, { who: 'ada', atMs: 1 }],
  ['approved', ALL, { who: 'ben', atMs: 2 }],
  ['locked', ALL, { who: 'cem', atMs: 3 }],
  ['open', ALL, { who: 'dan', atMs: 4 }],
  ['open', CLOSED, null],
] as const)('a period that is %s is so since the act that made it so', (state, acts, since) => {
  expect(sinceOf(state, acts)).toEqual(since);
});

test('what the books learn is dated by the clock, and after every run where the clock is behind', () => {
  expect([booksMs(500, null), booksMs(500, 400), booksMs(500, 500), booksMs(500, 900)]).toEqual([500, 500, 501, 901]);
});
