import type { UnparsedRow } from '../../domain/statement.ts';

/*
 * An unreadable row has no day. One that two files have lies in the days that both show: the later one does not open with it.
 */

/** Unreadable rows that one file has and none before it. */
export interface Listed {
  /** By their names. */
  readonly rows: ReadonlySet<string>;
  /** What they moved together. */
  readonly minor: bigint;
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
  if (meeting.every((one) => one.rows.isSubsetOf(names))) return meeting.reduce((sum, one) => sum + one.minor, 0n);
  const isAllListed = [...names].every((name) => meeting.some((one) => one.rows.has(name)));
  return isAllListed ? minor : null;
}
