import { BOOKS, SETTLEMENTS, WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { sell } from '../collections.ts';
import { nextBusinessDay, october } from '../days.ts';
import { payOut } from '../payouts.ts';
import { giveBack } from '../refunds.ts';
import type { AccountName, ExpectedItem, FileLine } from '../story.ts';

/* The same thing twice on a side, and several candidates. */

function doubled(line: FileLine, leg: string, plant: string): ExpectedItem {
  return {
    ...{ list: 'breaks', plant, code: 'duplicate_external', leg, side: 'theirs', environment: 'test' },
    ...{ account: line.account.name, reference: line.reference ?? line.group, currency: line.account.currency },
    ...{ effect: line.amount, lines: [line] },
  };
}

/** Two lines that agree in everything; the second one is the duplicate. `later`: on the next business day. */
function twice(b: Business, account: AccountName, leg: string, plant: string, later: boolean): void {
  const sold = sell(b, { day: b.day(), amount: b.oddAmount(), fee: 0n, tax: null });
  const first = { [WALLETS.NGN.name]: sold.wallet, [BOOKS.name]: sold.books, [SETTLEMENTS.name]: sold.settlement }[
    account.name
  ];
  if (!first) return;
  const { day, type, amount, fee, reference } = first;
  const copy = { fee, reference, ...(account === SETTLEMENTS && { group: null }) };
  const second = b.book.line(account, later ? nextBusinessDay(day) : day, type, amount, copy);
  const item = doubled(second, leg, plant);
  // Lines of one day that say different things are ordered by their digests: either is the second.
  b.book.expect(account === SETTLEMENTS ? { ...item, lines: [first, second] } : item);
}

export const lineTwice = (b: Business) => twice(b, WALLETS.NGN, 'records-wallet', 'a wallet line twice', false);
export const lineTwiceLater = (b: Business) => twice(b, WALLETS.NGN, 'records-wallet', 'a wallet line again', true);
export const settledTwice = (b: Business) =>
  twice(b, SETTLEMENTS, 'records-settlement', 'a settlement line twice', false);
export const bookedTwice = (b: Business) => twice(b, BOOKS, 'records-ledger', 'a line of the own books twice', false);

/** One key with two amounts: the equal one is taken. */
export function secondAmount(b: Business): void {
  const sold = sell(b, { day: b.day(), amount: b.oddAmount(), fee: 0n, tax: null });
  const { record } = sold;
  const line = b.book.line(WALLETS.NGN, record.day, 'collection', b.oddAmount(), { reference: record.reference });
  b.book.expect(doubled(line, 'records-wallet', 'a second line with another amount'));
}

/** One key with two amounts, none of them equal to the record's. */
export function noneEqual(b: Business): void {
  const amount = b.oddAmount();
  const { record } = sell(b, { day: b.day(), amount, fee: 0n, tax: null, wallet: null });
  const { day, reference } = record;
  for (const other of [amount + 700n, amount - 1_300n]) {
    b.book.line(WALLETS.NGN, day, 'collection', other, { reference });
  }
  b.book.maybeMatch('records-wallet');
  b.book.expect({
    ...{ list: 'breaks', plant: 'a record with two lines of other amounts', code: 'ambiguous', leg: 'records-wallet' },
    ...{ environment: 'test', account: 'wallet-ngn', reference, currency: 'NGN', effect: amount - 600n },
  });
}

/** Two refunds of one transaction and amount, and one line that names the transaction alone. */
export function twoRefundsOneLine(b: Business): void {
  const [amount, transactionReference] = [b.oddAmount(), b.name('T')];
  const given = { requested: october(6), ended: october(9), amount, status: 'success', lines: 'none' } as const;
  const both = [giveBack(b, { ...given, transactionReference }), giveBack(b, { ...given, transactionReference })];
  const whole = amount + 50n;
  const line = b.book.line(WALLETS.USD, october(9), 'refund', -whole, { fee: 50n, transactionReference });
  b.book.expect({
    ...{ list: 'breaks', plant: 'two refunds, one line of their transaction', code: 'ambiguous', side: 'theirs' },
    ...{ leg: 'records-wallet', environment: 'test', account: 'wallet-usd', currency: 'USD', effect: whole },
    ...{ lines: [line], candidates: both.map(({ record }) => record.reference) },
  });
}

/** Two payouts of one session and amount to different people, and one line of that session. */
export function twoPayoutsOneLine(b: Business): void {
  const [amount, sessionId, day] = [b.oddAmount(), b.name('S'), b.day()];
  const both = ['5000000001', '5000000002'].map((account) =>
    payOut(b, { day, amount, sessionId, account, debit: null }),
  );
  const whole = amount + 2_500n;
  const line = b.book.line(WALLETS.GHS, day, 'payout', -whole, { fee: 2_500n, duty: 0n, sessionId });
  b.book.expect({
    ...{ list: 'breaks', plant: 'two payouts, one line of their session', code: 'ambiguous', side: 'theirs' },
    ...{ leg: 'records-wallet', environment: 'test', account: 'wallet-ghs', currency: 'GHS', effect: whole },
    ...{ lines: [line], candidates: both.map(({ record }) => record.reference) },
  });
}
