import { expect, test } from 'vitest';
import type { Account } from '../../../../src/domain/statements/statement.ts';
import {
  IMPORT_LEASE_MS,
  type ImportFacts,
  importRefusal,
} from '../../../../src/domain/statements/statement-import.ts';

const account: Account = { name: 'main', kind: 'wallet', environment: 'test' };
const profile = { digest: 'd1', firstUsedAtMs: 5 };
const underWay = { sinceMs: 7, leasedUntilMs: 9 };
const FREE: ImportFacts = { account: null, profile: null, statementOfFile: null, underWay: null };
const differs = { outcome: 'account_differs', known: { ...account, kind: 'bank' } };
const changed = { outcome: 'profile_changed', digest: 'd2', firstUsedAtMs: 5 };

test.each<[string, Partial<ImportFacts>, object | null]>([
  ['free names', {}, null],
  ['the same account and profile', { account, profile }, null],
  ['the name of an account of another kind', { account: { ...account, kind: 'bank' } }, differs],
  [
    'the name of an account of another environment',
    { account: { ...account, environment: 'live' } },
    { outcome: 'account_differs', known: { ...account, environment: 'live' } },
  ],
  ['another content of the profile', { profile: { ...profile, digest: 'd2' } }, changed],
  ['a file that is known', { account, profile, statementOfFile: 3 }, { outcome: 'known', statement: 3 }],
  ['an import under way', { account, profile, underWay }, { outcome: 'busy', ...underWay }],
  ['a known file while another is imported', { statementOfFile: 3, underWay }, { outcome: 'known', statement: 3 }],
  ['a known file under another profile', { profile: { ...profile, digest: 'd2' }, statementOfFile: 3 }, changed],
  [
    'a wrong account before a wrong profile',
    { account: { ...account, kind: 'bank' }, profile: { ...profile, digest: 'd2' } },
    differs,
  ],
])('an import with %s is judged', (_, facts, expected) => {
  expect(importRefusal(account, 'd1', { ...FREE, ...facts })).toEqual(expected);
});

test('an import may be silent for a minute', () => {
  expect(IMPORT_LEASE_MS).toBe(60_000);
});
