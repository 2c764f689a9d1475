import { amountOfMinor, magnitude } from '../amount.ts';
import { compareLines, type OurRow, type TheirLine } from './rows.ts';
import { isReversal, PRINCIPAL_TYPE, sumsOf } from './sums.ts';
import { PAIR, type Verdict } from './terms.ts';

/** Lines of one group without their copies. */
export interface Sorted {
  readonly kept: readonly TheirLine[];
  readonly copies: readonly TheirLine[];
}

/** Lines that agree in type, currency and amount are copies: the first stands for them (RECONCILIATION 6, Copies and ties). */
export function withoutCopies(lines: readonly TheirLine[]): Sorted {
  const seen = new Set<string>();
  const [kept, copies]: [TheirLine[], TheirLine[]] = [[], []];
  for (const line of lines.toSorted(compareLines)) {
    const name = `${line.type} ${line.currency} ${line.amount}`;
    (seen.has(name) ? copies : kept).push(line);
    seen.add(name);
  }
  return { kept, copies };
}

/**
 * Leaves one of several lines that a row has only once: the one that agrees with it; the others are copies. Null: several, and
 * none of them agrees, so nobody can say which one it is.
 */
export function withoutRivals(row: OurRow, sorted: Sorted): Sorted | null {
  const { amount, requested, fees, duty } = row;
  const charges = (fees ?? 0n) + (duty ?? 0n);
  const wholes = amount === null ? [] : [amount - charges, amount + charges];
  const isOurs = (line: TheirLine) =>
    line.principal === amount || line.principal === requested || wholes.includes(magnitude(line.amount));
  const own = chooseOne(sorted, ({ type }) => type === PRINCIPAL_TYPE[row.kind], isOurs);
  if (own === null) return null;
  const debit = sumsOf(row.kind, own.kept).net;
  return chooseOne(own, isReversal, (line) => line.amount === -debit || isOurs(line));
}

function chooseOne(
  { kept, copies }: Sorted,
  isOfType: (line: TheirLine) => boolean,
  agrees: (line: TheirLine) => boolean,
): Sorted | null {
  const rivals = kept.filter(isOfType);
  if (rivals.length < 2) return { kept, copies };
  const chosen = rivals.find(agrees);
  if (chosen === undefined) return null;
  return {
    kept: kept.filter((line) => line === chosen || !isOfType(line)),
    copies: [...copies, ...rivals.filter((line) => line !== chosen)],
  };
}

export function duplicateOf(line: TheirLine): Verdict {
  const theirs = amountOfMinor(magnitude(line.amount));
  const about = { side: 'theirs' as const, field: 'amount', ours: null, theirs };
  return { ...PAIR, ...about, code: 'duplicate_external', effect: line.amount, line };
}
