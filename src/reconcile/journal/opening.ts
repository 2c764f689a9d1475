import { moneyRole } from './cast.ts';
import { accountsOf, type Draft } from './draft.ts';

/**
 * Enters what the accounts began with: in their first period the balance by the statement against the one by us, the difference
 * into clearing. Later only what a statement opens with beyond the balance it closed with.
 */
export function enterOpenings(draft: Draft): void {
  const { input, builder } = draft;
  for (const stated of accountsOf(draft, 'money')) {
    const { account, currency, balance } = stated;
    if (balance === null) continue;
    const head = { date: input.period.from, source: 'opening' as const, account, currency };
    const role = moneyRole(stated);
    const before = input.earlier?.closings.find((one) => one.account === account && one.currency === currency);
    if (before === undefined) {
      const text = 'Opening balance';
      const difference = balance.openingTheirs - balance.openingOurs;
      builder.post(head, { role }, balance.openingTheirs, { text });
      builder.post(head, { role: 'equity', name: OPENING_ACCOUNT }, -balance.openingOurs, { text });
      builder.post(head, { role: 'sales_clearing' }, -difference, {
        text: 'Opening balance: statement against our books',
      });
    } else {
      const beyond = balance.openingTheirs - before.theirs;
      const text = 'The statement opens with another balance than it closed with';
      builder.post(head, { role }, beyond, { text });
      builder.post(head, { role: 'sales_clearing' }, -beyond, { text });
    }
  }
}

/** Against which opening balances stand. */
export const OPENING_ACCOUNT = 'equity:opening';
