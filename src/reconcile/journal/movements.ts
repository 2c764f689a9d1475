import type { JournalAccount } from '../../domain/journal/words.ts';
import { PROOF } from '../../domain/statements/lines.ts';
import { moneyRole } from './cast.ts';
import { daysOf, natureOf, wordsOf } from './days.ts';
import { accountsOf, type Draft } from './draft.ts';
import type { DayMovement, StatedAccount } from './input.ts';

/** Returns the account against which a movement stands. A reversed collection takes its sale back, a reversed payout its payout. */
export function contraOf({ row, reverses }: Pick<DayMovement, 'row' | 'reverses'>): JournalAccount {
  return row === 'reversals' && reverses === 'collection' ? PROOF.collections.contra : PROOF[row].contra;
}

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
    const { ours, theirs } = day;
    const head = { date: dateOf(day.date, currency), source: 'movement' as const, account, currency };
    const text = wordsOf(day);
    builder.post(head, { role: moneyRole(stated) }, theirs, { text: 'Net movement by the statement' });
    const nature = natureOf(day);
    if (nature === 'other') {
      builder.post(head, { role: contraOf(day) }, -ours, { text });
      builder.post(head, { role: 'sales_clearing' }, ours - theirs, { text: `${text}: statement against our records` });
    } else {
      const role = nature === 'sale' ? 'sales_clearing' : 'settlement_clearing';
      builder.post(head, { role }, -theirs, { text });
    }
  }
}
