import { PROOF_ROWS } from '../statements/lines.ts';
import type { Posting } from './postings.ts';

/*
 * What postings leave, by row of the proof: the residual of a group where those by us are taken from those by them. A row of `reversals` is
 * named with what it takes back: `reversals payout`.
 */

export type RowSums = Readonly<Record<string, bigint>>;

/** Adds postings up by their rows, those of zero left out. */
export function sumByRow(...parts: readonly (readonly [sign: 1n | -1n, postings: readonly Posting[]])[]): RowSums {
  const sums = new Map<string, bigint>();
  for (const [sign, postings] of parts) {
    for (const { row, reverses, minor } of postings) {
      const name = reverses === undefined ? row : `${row} ${reverses}`;
      sums.set(name, (sums.get(name) ?? 0n) + sign * minor);
    }
  }
  return Object.fromEntries([...sums].filter(([, minor]) => minor !== 0n));
}

/** Sums by row as postings of a day. */
export function postingsOn(day: string, sums: RowSums): Posting[] {
  return Object.entries(sums).flatMap(([name, minor]): Posting[] => {
    const [word, reverses] = name.split(' ');
    const row = PROOF_ROWS.find((one) => one === word);
    if (row === undefined) return [];
    return [{ row, day, minor, ...(reverses === 'collection' || reverses === 'payout' ? { reverses } : {}) }];
  });
}

/** What sums by row come to. */
export function totalOf(sums: RowSums): bigint {
  return Object.values(sums).reduce((sum, minor) => sum + minor, 0n);
}
