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
  /** The last day of the file. */
  readonly to: string;
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
