import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../../src/domain/journal/entry.ts';
import { JOURNAL_GROUPINGS } from '../../../../src/domain/journal/words.ts';
import { journalCsv } from '../../../../src/reconcile/journal/csv.ts';
import type { JournalInput } from '../../../../src/reconcile/journal/input.ts';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { draftEntry } from '../../../../src/reconcile/journal/printed.ts';
import { type MadeAccount, novemberOf, octoberOf, someAccounts } from '../../../support/journal/months.ts';
import { randomRuns } from '../../../support/random-runs.ts';

/* Whatever moved and whatever explains it. The sums are made here from the printed lines, not by the journal itself. */

const RUNS = { numRuns: randomRuns(150) };

/** Sums of a list of entries by account of the ledger and currency. */
function sums(entries: readonly JournalEntry[]): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { currency, lines } of entries) {
    for (const { account, minor } of lines) {
      const key = `${account} ${currency}`;
      found.set(key, (found.get(key) ?? 0n) + minor);
    }
  }
  return found;
}

function twoMonths(accounts: MadeAccount[]) {
  const october = octoberOf(accounts);
  const entries = journalOf(october.input);
  const november = novemberOf(accounts, entries);
  return { october, november, entries, later: journalOf(november.input) };
}

describe('a journal of any two months', () => {
  test('debits equal credits in every entry, and no line is empty', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const { entries, later } = twoMonths(accounts);
        for (const { lines } of [...entries, ...later]) {
          expect(lines.reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n);
          expect(lines.filter(({ minor }) => minor === 0n)).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  test('the clearing accounts end at 0 in every currency, after each month', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const { entries, later } = twoMonths(accounts);
        for (const all of [entries, [...entries, ...later]]) {
          const found = [...sums(all)].filter(([name]) => name.startsWith('clearing:'));
          expect(found.filter(([, minor]) => minor !== 0n)).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  test('the clearing accounts end at 0 too where an account has no statement any more', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const { november, entries } = twoMonths(accounts);
        const [gone] = november.input.accounts;
        // Books without the money that they speak of are another month.
        fc.pre(!accounts.some(({ kind, currency }) => kind === 'ledger' && currency === gone?.currency));
        const isThere = ({ account, currency }: { account: string; currency: string }) =>
          account !== gone?.account || currency !== gone?.currency;
        const { accounts: stated, days } = november.input;
        const input = { ...november.input, accounts: stated.filter(isThere), days: days.filter(isThere) };
        const found = [...sums([...entries, ...journalOf(input)])].filter(([name]) => name.startsWith('clearing:'));
        expect(found.filter(([, minor]) => minor !== 0n)).toEqual([]);
      }),
      RUNS,
    );
  });

  test("wallet and bank end at the statement's closing balance", () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const { october, november, entries, later } = twoMonths(accounts);
        const months = [
          [october, entries],
          [november, [...entries, ...later]],
        ] as const;
        for (const [{ closings }, all] of months) {
          const found = sums(all);
          for (const { account, currency, kind, theirs } of closings) {
            if (kind !== 'wallet' && kind !== 'bank') continue;
            expect(found.get(`assets:${kind}:${account} ${currency}`) ?? 0n).toBe(theirs);
          }
        }
      }),
      RUNS,
    );
  });

  test('the same input in any order gives the same bytes', () => {
    const shuffled = someAccounts.chain((accounts) => {
      const { november, later } = twoMonths(accounts);
      return fc.tuple(shuffledInput(november.input), fc.constant(bytes(later)));
    });
    fc.assert(
      fc.property(shuffled, ([input, expected]) => {
        expect(bytes(journalOf(input))).toBe(expected);
      }),
      RUNS,
    );
  });

  test('by settlement and by period the accounts hold the same as by day', () => {
    fc.assert(
      fc.property(someAccounts, fc.constantFrom(...JOURNAL_GROUPINGS), (accounts, by) => {
        const { november, later } = twoMonths(accounts);
        const other = journalOf({ ...november.input, by });
        expect(held(other)).toEqual(held(later));
        expect(other.length).toBeLessThanOrEqual(later.length);
      }),
      RUNS,
    );
  });
});

function held(entries: readonly JournalEntry[]): Map<string, bigint> {
  return new Map([...sums(entries)].filter(([, minor]) => minor !== 0n).sort());
}

function bytes(entries: readonly JournalEntry[]): string {
  return journalCsv(entries.map(draftEntry));
}

function shuffledInput(input: JournalInput): fc.Arbitrary<JournalInput> {
  const any = <Value>(values: readonly Value[]) =>
    fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length });
  return fc
    .tuple(any(input.accounts), any(input.days), any(input.items))
    .map(([accounts, days, items]) => ({ ...input, accounts, days, items }));
}
