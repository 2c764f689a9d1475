import { currenciesOf } from '../../domain/balance/book-file.ts';
import { coverSome, covers, quietDays } from '../../domain/balance/covered-days.ts';
import type { Book, BookName } from '../../domain/matching/book.ts';
import { effectOf } from '../../domain/reconciling/break.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { MatchRun } from '../judge/run.ts';
import { accountsOf, type CoveredAccount } from '../load/accounts.ts';
import { type BalanceArchive, type BookBalance, type BookOrder, balancesOf } from './balance.ts';

/** What files state of one book. */
export interface StatedBook {
  readonly account: CoveredAccount;
  readonly stated: BookBalance;
  readonly book: Book;
}

/** Holds the balances of all files against their lines, account by account. */
export async function balance(run: MatchRun, archive: BalanceArchive): Promise<StatedBook[]> {
  const books: StatedBook[] = [];
  run.found.inOpening.push(...run.leftOpen.ofFiles());
  for (const account of accountsOf(run.statements)) {
    const shown = currenciesOf(account.statements).filter((currency) => isShown(run, account, currency));
    for (const one of await bookBalances(run, archive, account, shown)) books.push({ account, ...one });
  }
  return books;
}

/**
 * Whether a statement of this currency shows some day of the period, two of them tell that nothing moved on one between them, or a line of
 * one that is cut at another midnight is of it.
 */
function isShown({ books, window }: MatchRun, account: CoveredAccount, currency: string): boolean {
  const { environment, name, statements } = account;
  const isOf = (one: StatementSummary) => one.balances.some((balance) => balance.currency === currency);
  if (statements.some((one) => covers(one, window) && isOf(one))) return true;
  if (coverSome(quietDays(statements, currency), { from: window.from, to: window.until })) return true;
  return books.of({ environment, account: name, currency }).linesOf(window.from, window.until).lines > 0;
}

/** Lists what is wrong with the files of an account, and books what their balances have beyond lines. `currencies`: those of the period. */
async function bookBalances(
  run: MatchRun,
  archive: BalanceArchive,
  account: CoveredAccount,
  currencies: readonly string[],
): Promise<{ readonly book: Book; readonly stated: BookBalance }[]> {
  const { from, until, asAtDay } = run.window;
  const { environment, name, kind, statements } = account;
  const nameOf = (currency: string) => ({ environment, account: name, currency });
  const { books, unread } = await balancesOf(archive, {
    ...{ account: { environment, name, kind }, statements, from, until, asAtDay },
    lastDay: run.span.order.until?.[name] ?? null,
    isLate: (statement) => run.late.statements.has(statement),
    books: currencies.map((currency) => bookOrder(run, nameOf(currency))),
  });
  run.found.breaks.push(...unread);
  return books.map((printed) => {
    const book = run.books.of(nameOf(printed.currency));
    const at = (minor: bigint | null, day: string) => (minor === null ? null : minor - beyond(run, book.name, day));
    const stated = { ...printed, opening: at(printed.opening, from), closing: at(printed.closing, dayPlus(until, 1)) };
    const { steps, breaks, carried } = stated;
    for (const { day, minor } of steps) book.add('theirs', { row: 'other', day, minor });
    run.found.breaks.push(...breaks);
    run.found.carried.push(...carried);
    for (const item of [...breaks, ...carried]) book.effects += effectOf(item);
    return { book, stated };
  });
}

/**
 * What a balance that files state at the beginning of a day has beyond the lines of the days before it: a file that is cut at another midnight
 * states its balances at that instant.
 */
function beyond({ scratch }: MatchRun, { environment, account, currency }: BookName, day: string): bigint {
  return scratch.printedBefore({ environment, account, currency, day });
}

function bookOrder(run: MatchRun, name: BookName): BookOrder {
  const { window, books, closings, frozen, openings } = run;
  const closed = closings.openingOf(name);
  const begun = openings.begun(name);
  const open = books.of(name).openAtBegin;
  const since = openings.since(name);
  // Files from before the books begin are no part of a balance that begins with them.
  const first = begun === null ? window.first : window.begin;
  return {
    currency: name.currency,
    closed: closed === null ? null : { minor: closed.theirs + beyond(run, name, window.from), open: frozen.of(name) },
    begun: begun === null ? null : { minor: begun + open + beyond(run, name, window.begin), open, day: window.begin },
    first: since === null ? window.from : since > first ? since : first,
  };
}
