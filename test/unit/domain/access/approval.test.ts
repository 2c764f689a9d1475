import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  approveRefusal,
  GUARDED_ACTS,
  type GuardedAct,
  NO_APPROVALS,
  needsApproval,
  noApproverRefusal,
  type RequestFacts,
  ROWS_WITHIN_MS,
  rowsDigest,
} from '../../../../src/domain/access/approval.ts';

const NOW = Date.UTC(2026, 9, 1);
const acts = Object.keys(GUARDED_ACTS) as GuardedAct[];
const ALL = {
  ...{ replayRows: 10, dropRows: 10, revealRows: 10, validMs: 1 },
  ...{ statementRemove: true, periodReopen: true, targetEnable: true, users: true },
};

test.each(acts)('%s needs no second person while nothing is configured, and one when all is', (act) => {
  expect(needsApproval(act, NO_APPROVALS, { rows: 1_000, lately: 1_000 })).toBe(false);
  expect(needsApproval(act, ALL, { rows: 11, lately: 0 })).toBe(true);
  expect(needsApproval(act, ALL, { rows: 0, lately: 1_000 })).toBe(false);
});

test.each([
  [10, 0, false],
  [11, 0, true],
  [1, 10, true], // many small ones count as a large one
  [5, 5, false],
])('%i rows after %i of the same day', (rows, lately, needed) => {
  for (const act of ['replay', 'outbox.drop', 'reveal'] as const)
    expect(needsApproval(act, ALL, { rows, lately })).toBe(needed);
});

const request: RequestFacts = {
  ...{ id: 7, act: 'statement.remove', askedBy: 'Ada', state: 'asked', expiresAtMs: NOW + 1, decidedBy: null },
};
const grace = { by: 'Grace', roles: ['approver'], mayBeAsker: false, isChanged: false, nowMs: NOW } as const;

test.each([
  ['another person', request, grace, null],
  ['the one who asked', request, { ...grace, by: 'Ada' }, 'own'],
  ['the one who asked, spelt otherwise', request, { ...grace, by: ' ADA' }, 'own'],
  ['who may be the one who asked', request, { ...grace, mayBeAsker: true }, 'own'],
  ['without the role', request, { ...grace, roles: ['finance', 'admin'] as const }, 'role'],
  ['an admin, for users', { ...request, act: 'user.add' }, { ...grace, roles: ['admin'] as const }, null],
  ['after it was approved', { ...request, state: 'approved', decidedBy: 'Bob' }, grace, 'decided'],
  ['after it was refused', { ...request, state: 'refused', decidedBy: 'Bob' }, grace, 'decided'],
  ['after it was carried out', { ...request, state: 'used', decidedBy: 'Bob' }, grace, 'decided'],
  ['at its end', { ...request, expiresAtMs: NOW }, grace, 'expired'],
  ['after its rows changed', request, { ...grace, isChanged: true }, 'changed'],
] as const)('approving, %s', (_who, facts, by, reason) => {
  expect(approveRefusal(facts, by)?.reason ?? null).toBe(reason);
});

test.each([
  [[], /there are no users/],
  [[{ name: 'Ada', roles: ['admin', 'approver'] }], /no user but Ada/],
  [
    [
      { name: 'Ada', roles: ['approver'] },
      { name: 'Bob', roles: ['finance'] },
    ],
    /no user but Ada/,
  ],
  [
    [
      { name: 'Ada', roles: ['finance'] },
      { name: 'Bob', roles: ['approver'] },
    ],
    null,
  ],
] as const)('with these users: %j', (users, message) => {
  const refusal = noApproverRefusal('replay', users, 'Ada');
  if (message === null) expect(refusal).toBeNull();
  else expect(refusal?.message).toMatch(message);
});

test('rows have one digest in every order, and another when one of them differs', () => {
  const row = fc.record({ key: fc.string(), digest: fc.string() });
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ({ key }) => key, minLength: 1 }), fc.nat(), (rows, at) => {
      expect(rowsDigest(rows.toReversed())).toBe(rowsDigest(rows));
      const changed = rows.map((one, index) =>
        index === at % rows.length ? { ...one, digest: `${one.digest}x` } : one,
      );
      expect(rowsDigest(changed)).not.toBe(rowsDigest(rows));
      expect(rowsDigest(rows.slice(1))).not.toBe(rowsDigest(rows));
    }),
  );
});

test('the digest of rows is that of their keys and digests, by key', () => {
  const rows = ['b', 'c', 'a'].map((key) => ({ key, digest: `of ${key}` }));
  const text = '[["a","of a"],["b","of b"],["c","of c"]]';
  expect(rowsDigest(rows)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('rows of one act count together for the 24 hours that docs/configuration.md says', () => {
  expect(ROWS_WITHIN_MS).toBe(86_400_000);
});
