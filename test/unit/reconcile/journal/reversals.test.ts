import { expect, test } from 'vitest';
import { sumsByAccount } from '../../../../src/domain/journal/entry.ts';
import { hledgerText } from '../../../../src/reconcile/journal/hledger.ts';
import type { DayMovement, JournalInput, StatedAccount } from '../../../../src/reconcile/journal/input.ts';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { accountNames } from '../../../../src/reconcile/journal/names.ts';
import { draftEntry } from '../../../../src/reconcile/journal/printed.ts';
import { hledgerBalances, hledgerCheck } from '../../../support/journal/hledger.ts';
import { NAMES, OCTOBER } from '../../../support/journal/months.ts';

/*
 * What is taken back stands where it was entered: a wallet collects 100.00 twice, one of which is reversed; pays 40.00 twice, one
 * of which comes back; loses two chargebacks of 30.00 and wins one; reserves 20.00 for a refund, and 5.00 of it are released.
 */

const WALLET = { account: 'wallet-main', currency: 'NGN' };
const BOOKS = { account: 'books', currency: 'NGN' };

const alike = (
  of: typeof WALLET,
  row: DayMovement['row'],
  minor: bigint,
  reverses: DayMovement['reverses'] = null,
): DayMovement => ({ ...of, date: '2026-10-05', row, reverses, ours: minor, theirs: minor });

const MOVED = [
  alike(WALLET, 'collections', 20_000n),
  alike(WALLET, 'reversals', -10_000n, 'collection'),
  alike(WALLET, 'payouts', -8_000n),
  alike(WALLET, 'reversals', 4_000n, 'payout'),
  alike(WALLET, 'chargebacks', -6_000n),
  alike(WALLET, 'chargebacks', 3_000n),
  alike(WALLET, 'reserves', -2_000n),
  alike(WALLET, 'reserves', 500n),
];

function october(days: readonly DayMovement[], ...more: readonly StatedAccount[]): JournalInput {
  const balance = { openingOurs: 0n, openingTheirs: 0n, closingTheirs: 1_500n };
  return {
    ...{ period: OCTOBER, by: 'day', names: accountNames(NAMES), days, items: [], paid: new Set(), earlier: null },
    accounts: [{ ...WALLET, kind: 'wallet', balance }, ...more],
  };
}

const HELD = {
  'assets:wallet:wallet-main': 1_500n,
  chargebacks: 3_000n,
  payouts: 4_000n,
  refund_reserve: 1_500n,
  sales: -10_000n,
};

const held = (input: JournalInput) =>
  Object.fromEntries(
    sumsByAccount(journalOf(input))
      .filter(({ minor }) => minor !== 0n)
      .map(({ account, minor }) => [account, minor]),
  );

test('a reversed collection takes its sale back, a reversed payout its payout', () => {
  expect(held(october(MOVED))).toEqual(HELD);
});

test("so it does by the merchant's own books", () => {
  const books = { ...BOOKS, kind: 'ledger', balance: null } as const;
  const sales = [alike(BOOKS, 'collections', 20_000n), alike(BOOKS, 'reversals', -10_000n, 'collection')];
  expect(held(october([...MOVED, ...sales], books))).toEqual(HELD);
});

test('hledger adds it up alike', { tags: ['hledger'] }, () => {
  const entries = journalOf(october(MOVED)).map(draftEntry);
  const text = hledgerText({ period: OCTOBER, entries, before: [] });
  expect(hledgerCheck(text)).toBeNull();
  expect(hledgerBalances(text)).toEqual([
    'assets:wallet:wallet-main NGN 15.00',
    'chargebacks NGN 30.00',
    'payouts NGN 40.00',
    'refund_reserve NGN 15.00',
    'sales NGN -100.00',
  ]);
});
