import type { JournalAccount } from '../../domain/journal/words.ts';
import type { ProofRow } from '../../domain/matching/postings.ts';
import { moneyRole } from './cast.ts';
import { daysOf, natureOf, wordsOf } from './days.ts';
import { accountsOf, type Draft } from './draft.ts';
import type { StatedAccount } from './input.ts';

/** Against what a movement stands that is neither a sale nor a settlement. */
export const CONTRA: Readonly<Record<ProofRow, JournalAccount>> = {
  collections: 'sales',
  refunds: 'refunds',
  fees: 'fees',
  refund_fees: 'fees',
  tax: 'input_tax',
  duty: 'duty',
  reserves: 'refund_reserve',
  payouts: 'payouts',
  reversals: 'payouts',
  chargebacks: 'chargebacks',
  adjustments: 'other',
  other: 'other',
  top_ups: 'other',
  settlements: 'other',
};

/**
 * Enters what the statements show. The account moves as its statement says. Sales go through their clearing account and
 * settlements through theirs; everything else stands where it belongs as our records have it, and the difference in clearing,
 * until an exception explains it.
 */
export function enterMovements(draft: Draft): void {
  for (const account of accountsOf(draft, 'money')) enterAccount(draft, account);
}

function enterAccount({ input, builder, dateOf }: Draft, stated: StatedAccount): void {
  const { account, currency } = stated;
  for (const day of daysOf(input, stated)) {
    const { row, ours, theirs } = day;
    const head = { date: dateOf(day.date, currency), source: 'movement' as const, account, currency };
    const text = wordsOf(day);
    builder.post(head, { role: moneyRole(stated) }, theirs, { text: 'Net movement by the statement' });
    const nature = natureOf(day);
    if (nature === 'other') {
      builder.post(head, { role: CONTRA[row] }, -ours, { text });
      builder.post(head, { role: 'sales_clearing' }, ours - theirs, { text: `${text}: statement against our records` });
    } else {
      const role = nature === 'sale' ? 'sales_clearing' : 'settlement_clearing';
      builder.post(head, { role }, -theirs, { text });
    }
  }
}
