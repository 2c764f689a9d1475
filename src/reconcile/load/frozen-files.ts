import { type BookName, bookKey } from '../../domain/matching/book.ts';
import { type Amount, parseAmount, toMinor } from '../../domain/money/amount.ts';
import type { BreakCode, Item } from '../../domain/reconciling/break.ts';
import { comparesWords, FILE_CODES } from '../../domain/reconciling/codes.ts';
import type { KeptBreak, RunArchive } from '../../store/runs.ts';
import { balanceOf, type ClosedPeriod, type Closings } from './closed.ts';

/** What the runs that closed periods froze say of the files of accounts that they prove: later files never change it. */
export class FrozenFiles {
  readonly #byBook: ReadonlyMap<string, readonly Item[]>;

  private constructor(items: readonly Item[]) {
    this.#byBook = Map.groupBy(items, ({ environment, currency, place }) =>
      bookKey({ environment, account: place?.account ?? '', currency: currency ?? '' }),
    );
  }

  /** Reads what the periods that end the day before left open. */
  static async read(archive: Pick<RunArchive, 'breaks'>, closings: Closings): Promise<FrozenFiles> {
    const items: Item[] = [];
    for (const closed of closings.before) {
      for (const carried of [false, true]) {
        const filter = { run: closed.run, codes: FILE_CODES, environment: closed.environment, carried };
        const kept = await archive.breaks(filter, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
        items.push(...kept.flatMap((one) => provenItem(one, closed) ?? []));
      }
    }
    return new FrozenFiles(items);
  }

  of(name: BookName): readonly Item[] {
    return this.#byBook.get(bookKey(name)) ?? [];
  }
}

/** Null: the period does not prove its account. */
function provenItem(kept: KeptBreak, closed: Pick<ClosedPeriod, 'balances'>): Item | null {
  const { account, currency } = kept;
  if (account === null || currency === null || balanceOf(closed, { account, currency }) === undefined) return null;
  return frozenItem(kept, { account, currency });
}

/** What a close froze of an account, as a later run lists it. */
export function frozenItem(kept: KeptBreak, { account, currency }: Pick<BookName, 'account' | 'currency'>): Item {
  const { id, code, sub, leg, side, field, ours, theirs, line, candidates, reason, nextStep } = kept;
  const { kind, environment, reference, recordId, firstSeen, date } = kept;
  const isMoney = !comparesWords(code) && field !== 'rows';
  return {
    facts: {
      ...{ code: code as BreakCode, sub, side, field, detail: null },
      ours: isMoney ? amountOf(ours) : ours,
      theirs: isMoney ? amountOf(theirs) : theirs,
    },
    ...{ kind, environment, reference, recordId, currency, minor: null, firstSeen, date },
    place: { leg, account, line, candidates, names: id, effect: toMinor(parseAmount(kept.effect)) },
    frozen: { id, reason, nextStep },
  };
}

function amountOf(text: string | null): Amount | null {
  return text === null ? null : parseAmount(text);
}
