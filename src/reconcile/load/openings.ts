import { type BookName, bookKey } from '../../domain/matching/book.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { isProven } from '../../domain/statements/lines.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Closings } from './closed.ts';
import type { Begin } from './order.ts';

interface OpeningParts {
  /** Every statement that the run knows, of all days. */
  readonly statements: readonly StatementSummary[];
  readonly begin: Begin | null;
  readonly closings: Closings;
}

/** Of which accounts a run lists what is open from before its days. */
export class Openings {
  readonly #begin: Begin | null;
  readonly #closings: Closings;
  /** Accounts and currencies for which no balance is proven: what is open there stands in no balance. */
  readonly #unproven: ReadonlySet<string>;
  readonly #since = new Map<string, string | null>();

  constructor({ statements, begin, closings }: OpeningParts) {
    this.#begin = begin;
    this.#closings = closings;
    this.#unproven = unprovenOf(statements);
  }

  /** Whether the opening balance of an account is ours, of the configuration or of the closed period before; else the statement's own stands for both. */
  isOwn(name: BookName): boolean {
    return this.#closings.openingOf(name) !== null || this.begun(name) !== null;
  }

  /** What the configuration says that the account had when the books began; null: nothing. */
  begun({ account, currency }: BookName): bigint | null {
    return this.#begin?.balances[account]?.[currency] ?? null;
  }

  /**
   * The first day of what is listed as open from before: since our own opening balance, else, without any balance, since the books
   * begin or the first closed period of the account. Null: nothing older than the run is listed.
   */
  since(name: BookName): string | null {
    const key = bookKey(name);
    const known = this.#since.get(key);
    if (known !== undefined) return known;
    const since = this.#sinceOf(name, key);
    this.#since.set(key, since);
    return since;
  }

  #sinceOf(name: BookName, key: string): string | null {
    if (this.isOwn(name)) return '';
    if (!this.#unproven.has(key)) return null;
    const closed = this.#closings.daysOf(name.environment, name.account).map(({ from }) => from);
    const days = this.#begin === null ? closed : [this.#begin.date, ...closed];
    return days.sort(compareTexts)[0] ?? null;
  }

  /** Whether what is dated on this day, before the run, is listed while it is open. */
  carries(name: BookName, day: string): boolean {
    const since = this.since(name);
    return since !== null && day >= since;
  }
}

/** Settlement and ledger accounts none of whose files states a balance. */
function unprovenOf(statements: readonly StatementSummary[]): ReadonlySet<string> {
  const found = new Set<string>();
  const proven = new Set<string>();
  for (const { account, balances } of statements) {
    for (const { currency, opening } of balances) {
      const key = bookKey({ environment: account.environment, account: account.name, currency });
      if (isProven(account.kind, opening !== null)) proven.add(key);
      else found.add(key);
    }
  }
  return found.difference(proven);
}
