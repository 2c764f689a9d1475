import { accountOn, coveredDays, lastShownDay, type PeriodsOf } from '../../domain/balance/covered-days.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Leg, OurKind, Rules } from '../../domain/reconciling/rules.ts';
import { isAt, LINES, type StatementKind } from '../../domain/statements/lines.ts';
import type { Role, SideDays } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';

/** The two sides of one leg in one environment and currency: they exist where statements do. */
export interface Sides {
  readonly leg: Leg;
  /** Of this run. */
  readonly number: number;
  readonly environment: Environment;
  readonly currency: string;
  readonly kinds: readonly OurKind[];
  /** All accounts of one kind, environment and currency are one side. */
  readonly accounts: readonly string[];
  /** The account of what no line places. */
  readonly accountOn: (day: string) => string;
  /** Where batches and top-ups of ours come from. */
  readonly ourAccounts: readonly string[];
  /** Days that statements cover, in order. */
  readonly days: readonly string[];
  /** The first day that statements of each account show. */
  readonly shownFrom: ReadonlyMap<string, string>;
  /** The last day that a statement shows: what is due after it is not late. Null: none. */
  readonly shownTo: string | null;
}

/** Returns the sides of every leg for which both have something to say. */
export function sidesOf(rules: Rules, statements: readonly StatementSummary[], periodsOf: PeriodsOf): Sides[] {
  return rules.legs.flatMap((leg, number) =>
    ENVIRONMENTS.flatMap((environment) =>
      currenciesOf(statements, leg.theirs.statement, environment).flatMap((currency): Sides[] => {
        const theirs = ofSide(statements, leg.theirs.statement, environment, currency);
        const source = sourceOf(leg);
        const ours = source === null ? [] : ofSide(statements, source, environment, currency);
        if (theirs.length === 0 || (source !== null && ours.length === 0)) return [];
        return [
          {
            leg,
            number,
            environment,
            currency,
            kinds: kindsOf(leg),
            accounts: namesOf(theirs),
            accountOn: accountOn(theirs),
            ourAccounts: namesOf(ours),
            days: coveredDays(theirs, currency, periodsOf),
            shownFrom: firstDays(theirs),
            shownTo: lastShownDay(theirs),
          },
        ];
      }),
    ),
  );
}

/** Where each line of these sides stands. A line whose other side has no statement stands in no leg. */
export function rolesOf(sides: readonly Sides[]): Role[] {
  return sides.flatMap(({ leg, number, environment, currency, kinds }) =>
    leg.theirs.types.flatMap((type): Role[] => {
      const kind = LINES[type].of;
      if (kind !== null && !kinds.includes(kind)) return [];
      return [{ statement: leg.theirs.statement, type, environment, currency, leg: number, kind }];
    }),
  );
}

export function sideDays({ number, environment, currency, kinds, days, leg }: Sides): SideDays {
  return { leg: number, environment, currency, kinds, days, isLedger: isAt(leg.theirs.statement, 'books') };
}

/** What can stand on our side of a leg. */
export function kindsOf({ ours }: Leg): readonly OurKind[] {
  if ('records' in ours) return ours.records;
  return 'batches' in ours ? ['batch'] : ['top_up'];
}

/** What holds in a leg on every day. */
export function termsOfLeg({ ours, theirs, compare, invoiced }: Leg) {
  return {
    compare,
    isLedger: isAt(theirs.statement, 'books'),
    showsHolds: isAt(theirs.statement, 'service'),
    isInvoiced: invoiced !== null,
    // The bank receives a batch; the wallet pays it, and the bank a top-up.
    direction: isAt(theirs.statement, 'bank') && 'batches' in ours ? 1n : -1n,
  } as const satisfies Partial<Terms>;
}

/** Whether a row of a kind needs no line in a leg: it is compared where there is one. */
export function isOptional({ ours }: Leg, kind: OurKind): boolean {
  return 'records' in ours && (ours.optional ?? []).some((one) => one === kind);
}

/** The kind of statement from which our side is made; null: from records. */
function sourceOf({ ours }: Leg): StatementKind | null {
  if ('records' in ours) return null;
  return 'batches' in ours ? ours.batches : ours.topUps;
}

function currenciesOf(all: readonly StatementSummary[], kind: StatementKind, environment: Environment): string[] {
  const found = new Set<string>();
  for (const { account, balances } of all) {
    if (account.kind !== kind || account.environment !== environment) continue;
    for (const { currency } of balances) found.add(currency);
  }
  return [...found].sort();
}

function ofSide(all: readonly StatementSummary[], kind: StatementKind, environment: Environment, currency: string) {
  const own = all.filter(({ account }) => account.kind === kind && account.environment === environment);
  const isOf = ({ balances }: StatementSummary) => balances.some((balance) => balance.currency === currency);
  const names = new Set(own.filter(isOf).map(({ account }) => account.name));
  const mixed = new Set(own.filter((one) => isOf(one) && one.balances.length > 1).map(profileOf));
  // A file of days on which nothing moved covers them in every currency of its account, and one by a profile whose files show this
  // currency beside others covers its days in this one, too.
  const isQuiet = (one: StatementSummary) => one.balances.length === 0 && names.has(one.account.name);
  return own.filter((one) => isOf(one) || isQuiet(one) || mixed.has(profileOf(one)));
}

function profileOf({ account, profile }: StatementSummary): string {
  return JSON.stringify([account.name, profile.name]);
}

function firstDays(statements: readonly StatementSummary[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const { account, covers } of statements) {
    const known = first.get(account.name);
    if (covers !== null && (known === undefined || covers.from < known)) first.set(account.name, covers.from);
  }
  return first;
}

function namesOf(statements: readonly StatementSummary[]): string[] {
  return [...new Set(statements.map(({ account }) => account.name))].sort();
}
