import type { NumberedEntry } from '../../../src/domain/journal/entry.ts';
import { unreversedEntries } from '../../../src/domain/journal/numbering.ts';
import type { DayMovement, JournalInput } from '../../../src/reconcile/journal/input.ts';
import { accountNames } from '../../../src/reconcile/journal/names.ts';
import { NAMES, NOVEMBER, OCTOBER } from './months.ts';

/*
 * A month small enough to add up by hand. The wallet opens with 50.00. PAY-1 of 101.00 is charged 2.00 instead of 1.50, which is
 * claimed; PAY-2 of 100.00 comes on 2 November, without a fee. 80.00 are settled on 31 October and reach the bank in November.
 */

const wallet = { account: 'wallet-main', currency: 'NGN' };
const bank = { account: 'bank-main', currency: 'NGN' };
const of = (
  account: typeof wallet,
  date: string,
  row: DayMovement['row'],
  ours: bigint,
  theirs: bigint,
): DayMovement => ({
  ...{ ...account, date, row, reverses: null, ours, theirs },
});

export const SMALL_OCTOBER: JournalInput = {
  period: OCTOBER,
  by: 'day',
  names: accountNames(NAMES),
  accounts: [
    { ...wallet, kind: 'wallet', balance: { openingOurs: 5_000n, openingTheirs: 5_000n, closingTheirs: 6_900n } },
    { ...bank, kind: 'bank', balance: { openingOurs: 0n, openingTheirs: 0n, closingTheirs: 0n } },
  ],
  days: [
    of(wallet, '2026-10-05', 'collections', 10_100n, 10_100n),
    of(wallet, '2026-10-05', 'fees', -150n, -200n),
    of(wallet, '2026-10-31', 'collections', 10_000n, 0n),
    of(wallet, '2026-10-31', 'settlements', -8_000n, -8_000n),
  ],
  items: [
    {
      ...{
        ...wallet,
        id: 'x-fee',
        clearing: 'sales_clearing',
        effect: -50n,
        isEarlier: false,
        target: { role: 'claims' },
      },
      ...{ text: 'Claimed (service error), CLM-7: fee mismatch', reference: 'PAY-1' },
    },
    {
      ...{ ...wallet, id: 'timing', clearing: 'sales_clearing', effect: -10_000n, isEarlier: false, target: null },
      ...{ text: 'Not due yet: 1 item', reference: null },
    },
  ],
  paid: new Set(),
  earlier: null,
};

/** PAY-2 and the settlement arrive, and the claim is paid. */
export function SMALL_NOVEMBER(october: readonly NumberedEntry[]): JournalInput {
  const unreversed = unreversedEntries(october);
  return {
    ...SMALL_OCTOBER,
    period: NOVEMBER,
    accounts: [
      { ...wallet, kind: 'wallet', balance: { openingOurs: 16_950n, openingTheirs: 6_900n, closingTheirs: 16_950n } },
      { ...bank, kind: 'bank', balance: { openingOurs: 0n, openingTheirs: 0n, closingTheirs: 8_000n } },
    ],
    days: [
      of(wallet, '2026-11-02', 'collections', 0n, 10_000n),
      of(wallet, '2026-11-04', 'adjustments', 0n, 50n),
      of(bank, '2026-11-02', 'settlements', 8_000n, 8_000n),
    ],
    items: [],
    earlier: {
      closings: [
        { ...wallet, theirs: 6_900n },
        { ...bank, theirs: 0n },
      ],
      last: unreversed,
      all: unreversed,
    },
  };
}
