import { type BalanceArchive, type BookBalance, type BookOrder, balancesOf } from '../balance/balance.ts';
import { effectOf } from '../balance/changes.ts';
import type { CoveredAccount } from './accounts.ts';
import type { Book, BookName } from './book.ts';
import type { MatchRun } from './run.ts';

/** Lists what is wrong with the files of an account, and books what their balances have beyond lines. `currencies`: those of the period. */
export async function bookBalances(
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
    lastDay: run.lastDays.get(name) ?? null,
    isLate: (statement) => run.late.statements.has(statement),
    books: currencies.map((currency) => bookOrder(run, nameOf(currency))),
  });
  run.found.breaks.push(...unread);
  return books.map((printed) => {
    const book = run.books.of(nameOf(printed.currency));
    const opening = printed.opening === null ? null : printed.opening - beyond(run, book.name, from);
    const stated = { ...printed, opening };
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
