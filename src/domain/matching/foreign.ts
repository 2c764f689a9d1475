import { duplicateOf } from './copies.ts';
import { compareLines, type OurRow, type TheirLine } from './rows.ts';
import { PAIR, type Verdict } from './terms.ts';

/*
 * Lines that name a record in another currency than its own. Accounts are proven per currency, so the mismatch stands in both: where the
 * line came, and where it was expected (docs/matching.md, Groups).
 */

/** Lines of one currency up to a day, without those that a later one takes back, and without that one. */
export function standingForeign(lines: readonly TheirLine[], until: string): readonly TheirLine[] {
  const standing = new Set<TheirLine>();
  const byAmount = new Map<bigint, TheirLine[]>();
  for (const line of lines.toSorted(compareLines)) {
    if (line.date > until) break;
    const taken = byAmount.get(-line.amount)?.shift();
    if (taken !== undefined) {
      standing.delete(taken);
      continue;
    }
    standing.add(line);
    const alike = byAmount.get(line.amount);
    if (alike === undefined) byAmount.set(line.amount, [line]);
    else alike.push(line);
  }
  return [...standing];
}

/** What is said of such lines in their own book: the first is a mismatch, unless a line of the record's currency stands; the others are copies. */
export function foreignVerdicts({ currency }: OurRow, standing: readonly TheirLine[], hasOwn: boolean): Verdict[] {
  return standing.map((line, index) => {
    if (index > 0 || hasOwn) return duplicateOf(line);
    const about = { field: 'currency', ours: currency, theirs: line.currency, effect: line.amount, line };
    return { ...PAIR, ...about, code: 'currency_mismatch' };
  });
}
