import { BANK, WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { moneyText as text } from '../money.ts';
import { payOut } from '../payouts.ts';
import type { AccountName, FileLine } from '../story.ts';

/* Rows that the profile does not know or cannot read. */

export function unknownWord(b: Business): void {
  const amount = b.oddAmount();
  for (const [account, signed] of [[WALLETS.NGN, -amount] as const, [BANK, amount] as const]) {
    if (account === BANK && !b.options.settlements) continue;
    const line = b.book.line(account, b.day(), 'other', signed, { word: 'Levy 7' });
    b.book.expect({
      ...{ list: 'breaks', plant: 'a word that the profile does not know', code: 'unclassified', leg: null },
      ...{ side: 'theirs', environment: 'test', account: account.name, currency: 'NGN', effect: signed },
      ...{ ours: null, theirs: text(amount), lines: [line] },
    });
  }
}

/** The line of a real payment cannot be read: the row is a break, and the payment has no line. */
export function unreadablePayment(b: Business): void {
  const amount = b.oddAmount();
  const { record, whole } = payOut(b, { day: b.day(), amount, debit: null });
  b.unreadable(WALLETS.GHS, record.day, 'payout', -whole, record.reference);
  b.book.expect({
    ...{ list: 'breaks', plant: 'the payment of an unreadable row', code: 'missing_external', leg: 'records-wallet' },
    ...{ side: 'ours', kind: 'payout', environment: 'test', account: 'wallet-ghs', reference: record.reference },
    ...{ currency: 'GHS', ours: text(amount), theirs: null, effect: whole },
  });
}

export function unreadableStranger(b: Business): void {
  b.unreadable(WALLETS.USD, b.day(), 'adjustment', b.oddAmount(), null);
}

/** The first unreadable row of a file carries what the file's balance has more than its lines; the others 0.00. */
export function expectUnreadable(b: Business, filesOf: (account: AccountName) => readonly FileLine[][]): void {
  const accounts = new Set(b.book.lines.filter(({ unreadable }) => unreadable !== null).map(({ account }) => account));
  for (const account of accounts) {
    for (const lines of filesOf(account)) {
      const rows = lines.filter(({ unreadable }) => unreadable !== null);
      const residue = rows.reduce((sum, { amount }) => sum + amount, 0n);
      for (const [index, line] of rows.entries()) {
        b.book.expect({
          ...{ list: 'breaks', plant: 'a row that cannot be read', code: 'unparsed', side: 'theirs', leg: null },
          ...{ environment: account.environment, account: account.name, effect: index === 0 ? residue : 0n },
          lines: [line],
        });
      }
    }
  }
}
