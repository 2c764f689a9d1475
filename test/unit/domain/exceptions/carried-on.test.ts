import { describe, expect, test } from 'vitest';
import type { FollowScope } from '../../../../src/domain/exceptions/follow-scope.ts';
import { isCarriedInto, isTouched, type Sighted } from '../../../../src/domain/exceptions/touched.ts';
import { FOLLOWS_OCTOBER } from '../../../support/exceptions.ts';

const OPENING = {
  environment: 'live',
  account: 'settled',
  currency: 'NGN',
  since: '2026-10-01',
  isRead: true,
} as const;
const NOVEMBER: FollowScope = {
  ...FOLLOWS_OCTOBER,
  ...{ from: '2026-11-01', to: '2026-11-30', judgedDay: '2026-11-30', first: '2026-09-01', openings: [OPENING] },
};
/** Found by a run of October, and carried out of it. */
const ONE: Sighted = {
  ...{ environment: 'live', account: 'settled', currency: 'NGN', leg: 'records-wallet', kind: 'collection' },
  ...{ date: '2026-10-05', firstSeen: '2026-10-06', seenFrom: '2026-10-01', seenTo: '2026-10-31' },
  ...{ carriedUntil: '2026-10-31', carried: 0 },
};

describe('a run of the next days closes what it lists from before and does not find', () => {
  test.each<[string, Partial<Sighted>, Partial<typeof OPENING> | { readonly isRead: false }, boolean]>([
    ['of its account', {}, {}, true],
    ['of a file, where it reads files of the account', { leg: null, kind: null }, {}, true],
    ['of a file, where it reads none', { leg: null, kind: null }, { isRead: false }, false],
    ['of a record, where it reads no file', {}, { isRead: false }, true],
    ['from before the first closed period', { date: '2026-09-30' }, {}, false],
    ['of another account', { account: 'books' }, {}, false],
    ['of the other environment', { environment: 'test' }, {}, false],
  ])('%s', (_, over, opening, is) => {
    const openings = [{ ...OPENING, ...opening }];
    expect(isTouched({ ...ONE, ...over }, { ...NOVEMBER, openings })).toBe(is);
  });
});

test('only what stands in no account opens again without being found', () => {
  const finding = { ...ONE, leg: null, account: null };
  expect(isCarriedInto(finding, NOVEMBER)).toBe(true);
  expect(isCarriedInto({ ...finding, account: 'settled' }, NOVEMBER)).toBe(false);
  expect(isCarriedInto(ONE, NOVEMBER)).toBe(false);
});
