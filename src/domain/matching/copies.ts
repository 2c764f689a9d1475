import { amountOfMinor, magnitude } from '../amount.ts';
import { compareLines, type OurRow, type TheirLine } from './rows.ts';
import { isReversal, PRINCIPAL_TYPE, sumsOf } from './sums.ts';
import { PAIR, type Verdict } from './terms.ts';

/** Lines of one group without their copies. */
export interface Sorted {
  readonly kept: readonly TheirLine[];
  readonly copies: readonly TheirLine[];
}

/**
 * Lines that agree in type, currency and amount are copies: the first stands for them (RECONCILIATION 6, Copies and ties), or each
 * of which a person said that it belongs to the row.
 */
export function withoutCopies(lines: readonly TheirLine[]): Sorted {
  const seen = new Set(lines.filter(isSaid).map(sameAs));
  const [kept, copies]: [TheirLine[], TheirLine[]] = [[], []];
  for (const line of lines.toSorted(compareLines)) {
    (seen.has(sameAs(line)) && !isSaid(line) ? copies : kept).push(line);
    seen.add(sameAs(line));
  }
  return { kept, copies };
}

function sameAs({ type, currency, amount }: TheirLine): string {
  return `${type} ${currency} ${amount}`;
}

function isSaid({ pass }: TheirLine): boolean {
  return pass === 'person';
}

/**
 * Leaves one of several lines that a row has only once: those that a person said belong to it, else the one that agrees with it;
 * the others are copies. Null: several, and none of them agrees, so a person has to say which one it is.
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
  const said = rivals.filter(isSaid);
  const chosen = new Set(said.length > 0 ? said : rivals.filter(agrees).slice(0, 1));
  if (chosen.size === 0) return null;
  return {
    kept: kept.filter((line) => chosen.has(line) || !isOfType(line)),
    copies: [...copies, ...rivals.filter((line) => !chosen.has(line))],
  };
}

export function duplicateOf(line: TheirLine): Verdict {
  const theirs = amountOfMinor(magnitude(line.amount));
  const about = { side: 'theirs' as const, field: 'amount', ours: null, theirs };
  return { ...PAIR, ...about, code: 'duplicate_external', effect: line.amount, line };
}
