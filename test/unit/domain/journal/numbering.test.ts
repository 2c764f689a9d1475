import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareEntries,
  entryKey,
  type JournalEntry,
  type NumberedEntry,
} from '../../../../src/domain/journal/entry.ts';
import { numberEntries } from '../../../../src/domain/journal/numbering.ts';
import { randomRuns } from '../../../support/random-runs.ts';

/** Entries of one closing: each date and account once, with one amount. */
const closing: fc.Arbitrary<JournalEntry[]> = fc
  .uniqueArray(
    fc.record({ date: fc.nat(4), account: fc.constantFrom('wallet', 'bank'), minor: fc.integer({ min: 1, max: 3 }) }),
    {
      selector: ({ date, account }) => `${date} ${account}`,
      maxLength: 8,
    },
  )
  .map((all) => all.map(({ date, account, minor }) => entry(`2026-10-0${date + 1}`, account, BigInt(minor))));

const RUNS = { numRuns: randomRuns(500) };

describe('numbers over any closings', () => {
  test('are without gaps, and an entry that was kept is never written again', () => {
    fc.assert(
      fc.property(fc.array(closing, { minLength: 1, maxLength: 4 }), (closings) => {
        const kept = closeAll(closings);
        expect(kept.map(({ number }) => number)).toEqual(kept.map((_, at) => at + 1));
        expect(kept.filter(({ reverses, number }) => reverses !== null && reverses >= number)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('what all entries add up to is what the last closing wants', () => {
    fc.assert(
      fc.property(fc.array(closing, { minLength: 1, maxLength: 4 }), (closings) => {
        expect(byDay(closeAll(closings))).toEqual(byDay(closings.at(-1) ?? []));
      }),
      RUNS,
    );
  });

  test('closing again with the same entries adds nothing, in whatever order they come', () => {
    fc.assert(
      fc.property(closing, (entries) => {
        expect(numberEntries(numberEntries([], entries, 1), entries.toReversed(), 2)).toEqual([]);
      }),
      RUNS,
    );
  });
});

test('the first closing numbers by date, source, account and currency', () => {
  const entries = [
    entry('2026-10-02', 'bank', 1n),
    entry('2026-10-01', 'wallet', 2n),
    entry('2026-10-02', 'assets', 3n),
  ];
  const kept = numberEntries([], entries, 1);
  expect(kept.map(({ number, date, account }) => [number, date, account])).toEqual([
    [1, '2026-10-01', 'wallet'],
    [2, '2026-10-02', 'assets'],
    [3, '2026-10-02', 'bank'],
  ]);
  expect([...kept].sort(compareEntries)).toEqual(kept);
});

test('a changed entry is taken back on its date and written anew, both after the last number', () => {
  const before = numberEntries([], [entry('2026-10-01', 'wallet', 5n), entry('2026-10-02', 'wallet', 7n)], 1);
  const added = numberEntries(before, [entry('2026-10-01', 'wallet', 6n), entry('2026-10-02', 'wallet', 7n)], 2);
  expect(added.map(({ number, date, source, reverses, closing }) => [number, date, source, reverses, closing])).toEqual(
    [
      [3, '2026-10-01', 'reversal', 1, 2],
      [4, '2026-10-01', 'movement', null, 2],
    ],
  );
  expect(added[0]?.lines.map(({ minor }) => minor)).toEqual([-5n, 5n]);
});

test('an entry that is no more is taken back, and one whose text alone changed stays as it was printed', () => {
  const before = numberEntries([], [entry('2026-10-01', 'wallet', 5n), entry('2026-10-02', 'wallet', 7n)], 1);
  const [first] = before;
  const reworded = {
    ...entry('2026-10-01', 'wallet', 5n),
    lines: first?.lines.map((line) => ({ ...line, text: 'new' })) ?? [],
  };
  const added = numberEntries(before, [reworded], 2);
  expect(added.map(({ number, reverses }) => [number, reverses])).toEqual([[3, 2]]);
});

test('a reversed entry that comes back is written anew', () => {
  const first = numberEntries([], [entry('2026-10-01', 'wallet', 5n)], 1);
  const second = [...first, ...numberEntries(first, [], 2)];
  const third = numberEntries(second, [entry('2026-10-01', 'wallet', 5n)], 3);
  expect(third.map(({ number, source, reverses }) => [number, source, reverses])).toEqual([[3, 'movement', null]]);
});

function entry(date: string, account: string, minor: bigint): JournalEntry {
  const line = (name: string, role: 'wallet' | 'sales_clearing', amount: bigint) => ({
    ...{ account: name, role, minor: amount, text: 'Collections', reference: null, subject: null },
  });
  const lines = [line('assets:wallet', 'wallet', minor), line('clearing:sales', 'sales_clearing', -minor)];
  return { date, source: 'movement', account, currency: 'NGN', lines };
}

function closeAll(closings: readonly JournalEntry[][]): NumberedEntry[] {
  const kept: NumberedEntry[] = [];
  for (const [at, entries] of closings.entries()) kept.push(...numberEntries(kept, entries, at + 1));
  return kept;
}

/** What the wallet moved by date and account. */
function byDay(entries: readonly JournalEntry[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const one of entries) {
    const key = entryKey({ ...one, source: 'movement' });
    const moved = one.lines.find(({ account }) => account === 'assets:wallet')?.minor ?? 0n;
    sums.set(key, (sums.get(key) ?? 0n) + moved);
  }
  return new Map([...sums].filter(([, minor]) => minor !== 0n).sort());
}
