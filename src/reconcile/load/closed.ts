import type { PeriodsOf } from '../../domain/balance/covered-days.ts';
import type { Environment } from '../../domain/environment.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { ClosedPeriod as Closed, ClosingBalance } from '../../store/periods.ts';

/** Days whose figures are frozen: what is dated in them and became known later is late. */
export type ClosedPeriod = Pick<
  Closed,
  'environment' | 'accounts' | 'from' | 'to' | 'run' | 'closedAtMs' | 'decidedUntilMs' | 'balances'
>;

/** An account in one currency. */
interface AccountName {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
}

/** A closed period as a run of later days sees it. */
export interface Closing extends ClosedPeriod {
  /** Late rows post on this day: the first one that is open. */
  readonly postsOn: string;
}

/**
 * The closed periods that a run rests on: those that were closed before its as-at time, and begin before it ends. A run as at the
 * close of its own days is the one that was frozen: they were open then.
 */
export class Closings {
  readonly #closings: readonly Closing[];
  readonly #eve: string;

  constructor(closed: readonly ClosedPeriod[], days: { readonly from: string; readonly to: string }, asAtMs: number) {
    this.#eve = dayPlus(days.from, -1);
    this.#closings = closed
      .filter(({ from, closedAtMs }) => from <= days.to && closedAtMs < asAtMs)
      .map((one) => ({ ...one, postsOn: dayPlus(one.to, 1) }));
  }

  /** From when on something may be late; null: nothing is closed. */
  get sinceMs(): number | null {
    return this.#closings.length === 0 ? null : Math.min(...this.#closings.map(({ closedAtMs }) => closedAtMs));
  }

  /** The first day of all closed periods; null: nothing is closed. */
  get firstDay(): string | null {
    return this.#closings
      .map(({ from }) => from)
      .reduce((one: string | null, day) => (one === null || day < one ? day : one), null);
  }

  /** Whether a record of this day stands in a closed period. */
  hasRecords(environment: Environment, day: string): boolean {
    return this.#closings.some((one) => one.environment === environment && one.from <= day && day <= one.to);
  }

  /** Whether some account opens with what a period closed with. */
  get opensSome(): boolean {
    return this.before.some(({ balances }) => balances.length > 0);
  }

  /** What the closed period that ends the day before closed with; null: there is none, or it does not prove the account. */
  openingOf(name: AccountName): ClosingBalance | null {
    for (const one of this.before) {
      const found = one.environment === name.environment ? balanceOf(one, name) : undefined;
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The closed periods that end the day before. */
  get before(): readonly Closing[] {
    return this.#closings.filter(({ to }) => to === this.#eve);
  }

  /** The last closed period of an account; null: none. */
  ofAccount(environment: Environment, account: string): Closing | null {
    return this.#last((one) => one.environment === environment && includes(one, account));
  }

  /** The days of the closed periods of an account. */
  daysOf(environment: Environment, account: string): readonly DayRange[] {
    return this.#closings.filter((one) => one.environment === environment && includes(one, account));
  }

  /** The days of a run and of the closed periods of each account, which counted what they show. */
  periodsOf({ from, until }: { readonly from: string; readonly until: string }): PeriodsOf {
    return ({ environment, name }) => [{ from, to: until }, ...this.daysOf(environment, name)];
  }

  /** The last closed period of some of the accounts in which records of ours appear; without such an account, of the environment. */
  ofRecords(environment: Environment, accounts: readonly string[]): Closing | null {
    return this.#last(
      (one) =>
        one.environment === environment &&
        (accounts.length === 0 || accounts.some((account) => includes(one, account))),
    );
  }

  #last(is: (closing: Closing) => boolean): Closing | null {
    let last: Closing | null = null;
    for (const one of this.#closings) if (is(one) && (last === null || one.to > last.to)) last = one;
    return last;
  }
}

function includes({ accounts }: ClosedPeriod, account: string): boolean {
  return accounts === null || accounts.includes(account);
}

/** What a period closed with in an account; undefined: it does not prove the account. */
export function balanceOf(
  { balances }: Pick<ClosedPeriod, 'balances'>,
  { account, currency }: Pick<AccountName, 'account' | 'currency'>,
): ClosingBalance | undefined {
  return balances.find((balance) => balance.account === account && balance.currency === currency);
}
