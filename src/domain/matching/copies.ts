import { amountOfMinor } from '../money/amount.ts';
import { LINES, type LineType } from '../statements/lines.ts';
import { compareLines, PRINCIPAL_TYPE, type TheirLine } from './rows.ts';
import { CHARGEBACK_TYPES, isReversal, PAID_BACK_TYPES, RESERVE_TYPES } from './sums.ts';
import { PAIR, type Verdict } from './terms.ts';

/* Lines of one group that are alike: one stands, and the others are copies of it (docs/matching.md, Copies and ties). */

/** Lines of one group without their copies. */
export interface Sorted {
  readonly kept: readonly TheirLine[];
  readonly copies: readonly TheirLine[];
}

/** The same, where what was paid twice came back once: the copy and its return, which add up to nothing. */
export interface Settled extends Sorted {
  readonly settled: readonly TheirLine[];
}

/** Lines that are parts of what a row has once. */
export type Parts = ReadonlySet<TheirLine>;

export const NO_PARTS: Parts = new Set();

/**
 * Lines that agree in type, currency and amount are copies: the first stands for them, or each
 * of which a person said that it belongs to the row. What a line took back may come again, such as a reversal after the line that ended it;
 * a reserve or a payment only where the row may be held or paid again. A return takes back the last copy of its payment, before what
 * stands. `parts` are no copies of each other.
 */
export function withoutCopies(lines: readonly TheirLine[], again: Again, parts = NO_PARTS): Settled {
  const said = new Set(lines.filter(isSaid).map(sameAs));
  const standing = new Set<string>();
  const [kept, copies, settled]: [TheirLine[], Set<TheirLine>, TheirLine[]] = [[], new Set(), []];
  const paidTwice = new Map<string, TheirLine[]>();
  for (const day of Map.groupBy(lines.toSorted(compareLines), ({ date }) => date).values()) {
    const rank = (line: TheirLine) =>
      (standing.has(sameAs(line)) ? 4 : 0) + (isForward(line) ? 0 : 2) + (isReversal(line) ? 1 : 0);
    const ranked = day.map((line) => ({ line, rank: rank(line) })).sort((one, other) => one.rank - other.rank);
    for (const { line } of ranked) {
      const isCopy = !isSaid(line) && !parts.has(line) && (standing.has(sameAs(line)) || said.has(sameAs(line)));
      // What failed or was reversed came back once of its own: another return is one of the copy.
      const copy = again.paid || isCopy ? paidTwice.get(paymentOf(line))?.pop() : undefined;
      if (copy !== undefined) {
        copies.delete(copy);
        settled.push(copy, line);
      } else if (isCopy) {
        copies.add(line);
        if (!isReversal(line)) listAt(paidTwice, sameAs(line)).push(line);
      } else {
        kept.push(line);
        for (const type of takenBackBy(line, again)) standing.delete(sameAs({ ...line, type, amount: -line.amount }));
        standing.add(sameAs(line));
      }
    }
  }
  const { stands, repeats } = knownFirst(kept, [...copies]);
  return { kept: stands.sort(compareLines), copies: repeats.sort(compareLines), settled };
}

/** The name of the payment, or of the charge, that a line gives back whole; of no return: of none. */
function paymentOf(line: TheirLine): string {
  const { of: kind, part } = LINES[line.type];
  const back = { ...line, amount: -line.amount };
  if (part === 'charge') return line.amount > 0n ? sameAs(back) : '';
  const isReturn = isReversal(line) ? isForward(line) : part === 'principal' && !isForward(line);
  return kind === null || !isReturn ? '' : sameAs({ ...back, type: PRINCIPAL_TYPE[kind] });
}

function listAt(map: Map<string, TheirLine[]>, key: string): TheirLine[] {
  const known = map.get(key) ?? [];
  map.set(key, known);
  return known;
}

/** Of lines that are alike the one that a closed period had stands, and the one that came after its close is the copy. */
function knownFirst(kept: readonly TheirLine[], copies: readonly TheirLine[]) {
  const [stands, repeats] = [new Set(kept), [...copies]];
  const late = Map.groupBy(
    kept.filter((line) => isLate(line) && !isSaid(line)),
    sameAs,
  );
  for (const [index, copy] of copies.entries()) {
    const replaced = isLate(copy) ? undefined : late.get(sameAs(copy))?.shift();
    if (replaced === undefined) continue;
    stands.delete(replaced);
    stands.add(copy);
    repeats[index] = replaced;
  }
  return { stands: [...stands], repeats };
}

/** Whether it came after the close of its day. */
export function isLate({ postsOn }: TheirLine): boolean {
  return postsOn !== null;
}

/** The same text for lines that are alike. */
export function sameAs({ type, currency, amount }: TheirLine): string {
  return `${type} ${currency} ${amount}`;
}

/** Whether a person said that it belongs to its row. */
export function isSaid({ pass }: TheirLine): boolean {
  return pass === 'person';
}

/** Whether a line moves the money as its type says; a reversal that does not, takes another one back. */
export function isForward({ type, amount }: TheirLine): boolean {
  const { moves } = LINES[type];
  return moves === null || amount > 0n === moves > 0;
}

/** What may come again once it was taken back. */
export interface Again {
  readonly held: boolean;
  readonly paid: boolean;
}

/** The types of lines with which this one adds up to nothing: of a reserve its release, of a reversal the line that ends it, or its payment. */
function takenBackBy(line: TheirLine, { held, paid }: Again): readonly LineType[] {
  const isOf = (types: readonly LineType[]) => types.includes(line.type);
  if (isOf(RESERVE_TYPES)) return held ? RESERVE_TYPES : [];
  if (isOf(CHARGEBACK_TYPES)) return CHARGEBACK_TYPES;
  if (!paid) return isReversal(line) ? [line.type] : [];
  return PAID_BACK_TYPES.find(isOf) ?? [];
}

export function duplicateOf(line: TheirLine): Verdict {
  const theirs = amountOfMinor(line.principal);
  const about = { side: 'theirs' as const, field: 'amount', ours: null, theirs };
  return { ...PAIR, ...about, code: 'duplicate_external', effect: line.amount, line };
}
