import { expect, test } from 'vitest';
import {
  compareEntries,
  entryKey,
  entryName,
  type JournalEntry,
  sumsByAccount,
} from '../../../../src/domain/journal/entry.ts';

const entry = (over: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ date: '2026-10-02', source: 'movement', account: 'bank', currency: 'NGN', lines: [], ...over },
});
const line = (account: string, minor: bigint) => ({
  ...{ account, minor, role: 'bank' as const, text: 'Payouts', reference: null, subject: null },
});

test('an entry is named by its period and a number of five digits', () => {
  expect([entryName('2026-10', 1), entryName('2026-10', 123_456)]).toEqual(['2026-10-00001', '2026-10-123456']);
});

test('entries are in the order of date, source, account and currency', () => {
  const ordered = [
    entry({ date: '2026-10-01', source: 'reversal', account: 'wallet', currency: 'USD' }),
    entry({ source: 'books', account: 'wallet', currency: 'USD' }),
    entry({ account: 'bank', currency: 'USD' }),
    entry({ account: 'wallet', currency: 'KES' }),
    entry({ account: 'wallet', currency: 'NGN' }),
  ];
  for (const [at, one] of ordered.entries()) {
    for (const [place, other] of ordered.entries()) {
      expect(Math.sign(compareEntries(one, other))).toBe(Math.sign(at - place));
    }
  }
});

test('the key of an entry is another one for each of the four, and the same for other lines', () => {
  const changes = [
    {},
    { date: '2026-10-03' },
    { source: 'books' },
    { account: 'wallet' },
    { currency: 'KES' },
  ] as const;
  expect(new Set(changes.map((change) => entryKey(entry(change)))).size).toBe(changes.length);
  expect(entryKey(entry({ lines: [line('assets', 1n)] }))).toBe(entryKey(entry()));
});

test('lines are added up by account and currency, in their order', () => {
  const entries = [
    entry({ lines: [line('b', 5n), line('a', -5n)] }),
    entry({ lines: [line('b', 3n), line('a', -3n)] }),
    entry({ currency: 'KES', lines: [line('b', 1n), line('a', -1n)] }),
  ];
  expect(sumsByAccount(entries)).toEqual([
    { account: 'a', currency: 'KES', minor: -1n },
    { account: 'a', currency: 'NGN', minor: -8n },
    { account: 'b', currency: 'KES', minor: 1n },
    { account: 'b', currency: 'NGN', minor: 8n },
  ]);
});
