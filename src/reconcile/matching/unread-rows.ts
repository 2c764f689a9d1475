import type { StatementTotals, UnparsedRow } from '../../domain/statements/statement.ts';

/*
 * An unreadable row has no day. One that two files have lies in the days that both show: the later one does not open with it.
 */

/** Unreadable rows that one file has and none before it. */
export interface Listed {
  /** By their names. */
  readonly rows: ReadonlySet<string>;
  /** What they moved together. */
  readonly minor: bigint;
  /** The last day of the file. */
  readonly to: string;
}

/**
 * The currency in which an unreadable row is listed: its own, else the first one whose closing balance the lines of the file do not
 * explain, else the first one of the file, or of the account where no row of the file could be read. Null: there is none yet.
 */
export function currencyOf(
  { currency }: Pick<UnparsedRow, 'currency'>,
  balances: StatementTotals['balances'],
  ofAccount: readonly string[],
): string | null {
  if (currency !== null) return currency;
  const short = balances.filter(
    ({ opening, closing, sum }) => opening !== null && closing !== null && closing - opening !== sum,
  );
  return firstOf(short, []) ?? firstOf(balances, ofAccount);
}

/** The currency in which stands what a file says of no currency: its first one, else that of the account. Null: there is none yet. */
export function firstOf(balances: StatementTotals['balances'], ofAccount: readonly string[]): string | null {
  return balances.map(({ currency }) => currency).sort()[0] ?? ofAccount[0] ?? null;
}

export function nameOf({ fingerprint, occurrence }: Pick<UnparsedRow, 'fingerprint' | 'occurrence'>): string {
  return `${fingerprint} ${occurrence}`;
}

/**
 * What the unreadable rows moved that a file and files before it have. `minor`: what all unreadable rows of the file moved; null:
 * it does not say it. Null: it cannot be told, as these rows and others of both files moved the rest.
 */
export function insideOf(
  listed: readonly Listed[],
  rows: readonly Pick<UnparsedRow, 'fingerprint' | 'occurrence'>[],
  minor: bigint | null,
): bigint | null {
  const names = new Set(rows.map(nameOf));
  const meeting = listed.filter((one) => !one.rows.isDisjointFrom(names));
  if (meeting.length === 0) return 0n;
  const isAllListed = [...names].every((name) => meeting.some((one) => one.rows.has(name)));
  if (isAllListed && minor !== null) return minor;
  return meeting.every((one) => one.rows.isSubsetOf(names)) ? sumOf(meeting) : null;
}

/** What unreadable rows moved, by files that reach beyond the last day of another one, that may have moved after it. */
export function afterOf(
  listed: readonly Listed[],
  rows: readonly Pick<UnparsedRow, 'fingerprint' | 'occurrence'>[],
  to: string,
): bigint {
  const names = new Set(rows.map(nameOf));
  return sumOf(listed.filter((one) => one.to > to && one.rows.isDisjointFrom(names)));
}

function sumOf(listed: readonly Listed[]): bigint {
  return listed.reduce((sum, { minor }) => sum + minor, 0n);
}
