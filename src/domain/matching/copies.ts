import { amountOfMinor, magnitude } from '../money/amount.ts';
import { LINES, type LineType } from '../statements/lines.ts';
import { returnedLines } from './returned.ts';
import { compareLines, directionOf, type OurRow, type TheirLine } from './rows.ts';
import {
  CHARGEBACK_TYPES,
  isReversal,
  PAID_BACK_TYPES,
  PRINCIPAL_TYPE,
  RESERVE_TYPES,
  type Sums,
  sumsOf,
} from './sums.ts';
import { PAIR, type Terms, type Verdict } from './terms.ts';

/** Lines of one group without their copies. */
export interface Sorted {
  readonly kept: readonly TheirLine[];
  readonly copies: readonly TheirLine[];
}

export type Parts = ReadonlySet<TheirLine>;

const NO_PARTS: Parts = new Set();

/**
 * Returns the lines that are parts of what a row has once: the first ones that add up to it exactly, counting equal ones each, else once.
 * One batch may come in two lines of the bank. None: one line alone is all of it, or a person said that another one is.
 */
export function partsOf(row: OurRow, lines: readonly TheirLine[]): Parts {
  const own = lines.filter(({ type }) => type === PRINCIPAL_TYPE[row.kind]).toSorted(compareLines);
  if (own.length < 2 || own.some((line) => isAllOf(row, line.principal, line.amount))) return NO_PARTS;
  const { kept } = withoutCopies(own, { held: false, paid: true });
  const parts = [own, kept].map((rivals) => firstAddingUp(row, rivals)).find(({ size }) => size > 0) ?? NO_PARTS;
  return own.some((line) => isSaid(line) && !parts.has(line)) ? NO_PARTS : parts;
}

function firstAddingUp(row: OurRow, lines: readonly TheirLine[]): Parts {
  let [principal, amount] = [0n, 0n];
  for (const [index, line] of lines.entries()) {
    principal += line.amount < 0n ? -line.principal : line.principal;
    amount += line.amount;
    // A record moves one way; of a batch the account says which.
    const isOpen = row.kind === 'batch' || row.kind === 'top_up';
    const isForward = isOpen || directionOf(row, 1n) * principal > 0n;
    if (isForward && isAllOf(row, magnitude(principal), amount)) return new Set(lines.slice(0, index + 1));
  }
  return NO_PARTS;
}

/** Whether what lines say before charges, or what they move, is what a row has. */
function isAllOf({ amount, requested, fees, duty }: OurRow, principal: bigint, moved: bigint): boolean {
  const charges = (fees ?? 0n) + (duty ?? 0n);
  const wholes = amount === null ? [] : [amount - charges, amount + charges];
  return principal === amount || principal === requested || wholes.includes(magnitude(moved));
}

/**
 * Lines that agree in type, currency and amount are copies: the first stands for them (docs/matching.md, Copies and ties), or each
 * of which a person said that it belongs to the row. What a line took back may come again, such as a reversal after the line that ended it;
 * a reserve or a payment only where the row may be held or paid again. `parts` are no copies of each other.
 */
export function withoutCopies(lines: readonly TheirLine[], again: Again, parts = NO_PARTS): Sorted {
  const said = new Set(lines.filter(isSaid).map(sameAs));
  const standing = new Set<string>();
  const [kept, copies]: [TheirLine[], TheirLine[]] = [[], []];
  for (const day of Map.groupBy(lines.toSorted(compareLines), ({ date }) => date).values()) {
    const rank = (line: TheirLine) => (standing.has(sameAs(line)) ? 2 : 0) + (isForward(line) ? 0 : 1);
    const ranked = day.map((line) => ({ line, rank: rank(line) })).sort((one, other) => one.rank - other.rank);
    for (const { line } of ranked) {
      const isCopy = !isSaid(line) && !parts.has(line) && (standing.has(sameAs(line)) || said.has(sameAs(line)));
      (isCopy ? copies : kept).push(line);
      if (isCopy) continue;
      for (const type of takenBackBy(line, again)) standing.delete(sameAs({ ...line, type, amount: -line.amount }));
      standing.add(sameAs(line));
    }
  }
  const { stands, repeats } = knownFirst(kept, copies);
  return { kept: stands.sort(compareLines), copies: repeats.sort(compareLines) };
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

function isLate({ postsOn }: TheirLine): boolean {
  return postsOn !== null;
}

function sameAs({ type, currency, amount }: TheirLine): string {
  return `${type} ${currency} ${amount}`;
}

function isSaid({ pass }: TheirLine): boolean {
  return pass === 'person';
}

/** Whether a line moves the money as its type says; a reversal that does not, takes another one back. */
function isForward({ type, amount }: TheirLine): boolean {
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

/**
 * Leaves one of several lines that a row has only once: its parts, those that a person said belong to it, else the one that agrees with
 * it, in its charges too where one does; the others are copies. Reversals that were taken back are summed, and are no rivals of others. Null:
 * several, and none of them agrees, so a person has to say which one it is.
 */
export function withoutRivals(
  row: OurRow,
  sorted: Sorted,
  { isLedger, direction }: Pick<Terms, 'isLedger' | 'direction'>,
  parts = NO_PARTS,
): Sorted | null {
  const { amount, requested } = row;
  const isOurs = (line: TheirLine) => isAllOf(row, line.principal, line.amount);
  const returned = returnedLines(row, sorted.kept);
  const isPrincipal = (line: TheirLine) => line.type === PRINCIPAL_TYPE[row.kind] && !returned.has(line);
  const others = sorted.kept.filter((line) => !isPrincipal(line));
  const saidWith = (line: TheirLine) => chargesSaid(row, sumsOf(row.kind, [line, ...others]));
  // A ledger has what was asked for, all else what was charged (docs/matching.md, Groups).
  const isFirst = ({ principal }: TheirLine) =>
    requested === null || requested === amount || (principal === requested) === isLedger;
  const isSaying = (line: TheirLine) => isOurs(line) && saidWith(line) === 'ours';
  const isSilent = (line: TheirLine) => isOurs(line) && saidWith(line) !== 'others';
  const forward = directionOf(row, direction);
  const own = chooseOne(sorted, {
    isOfType: isPrincipal,
    isRight: (line) => forward * line.amount > 0n,
    standing: parts,
    levels: [
      (line) => isSaying(line) && isFirst(line),
      isSaying,
      (line) => isSilent(line) && isFirst(line),
      isSilent,
      isOurs,
    ],
  });
  if (own === null) return null;
  const debit = sumsOf(row.kind, own.kept).net;
  const reversals = new Set(standingReversals(own.kept).filter((line) => !returned.has(line)));
  return chooseOne(own, {
    isOfType: (line) => reversals.has(line),
    isRight: isForward,
    levels: [(line) => line.amount === -debit, isOurs],
  });
}

/**
 * Whether lines say the charges of a row and move all of it, other charges, or none that can be compared. A charge that one side does
 * not say takes the other side's value.
 */
function chargesSaid({ kind, amount, requested, ...row }: OurRow, { fee, tax, duty, net }: Sums) {
  const fees = fee === null && tax === null ? null : (fee ?? 0n) + (tax ?? 0n);
  const differs = (ours: bigint | null, theirs: bigint | null) => ours !== null && theirs !== null && ours !== theirs;
  if (differs(row.fees, fees) || differs(row.duty, duty)) return 'others';
  const charges = (row.fees ?? fees ?? 0n) + (row.duty ?? duty ?? 0n);
  const moved = magnitude(net) + (kind === 'collection' ? charges : -charges);
  const saysSome = fees !== null || duty !== null;
  return saysSome && (moved === amount || moved === requested) ? 'ours' : 'none';
}

/** Reversals that no other line of the group takes back: each line takes back the first that is left. */
function standingReversals(lines: readonly TheirLine[]): TheirLine[] {
  const reversals = lines.filter(isReversal);
  const forward = reversals.filter(isForward);
  const left = Map.groupBy(forward.toReversed(), sameAs);
  const taken = new Set<TheirLine | undefined>();
  for (const line of reversals) {
    if (!isForward(line)) taken.add(left.get(sameAs({ ...line, amount: -line.amount }))?.pop());
  }
  return forward.filter((line) => !taken.has(line));
}

interface Choice {
  readonly isOfType: (line: TheirLine) => boolean;
  /** Lines that stand beside those of which a person said so. */
  readonly standing?: Parts;
  /** It moves the money as the row does: of lines that agree alike it comes first. */
  readonly isRight: (line: TheirLine) => boolean;
  /** How well a line agrees, the best first. */
  readonly levels: readonly ((line: TheirLine) => boolean)[];
}

function chooseOne(
  { kept, copies }: Sorted,
  { isOfType, standing = NO_PARTS, isRight, levels }: Choice,
): Sorted | null {
  const rivals = kept.filter(isOfType);
  if (rivals.length < 2) return { kept, copies };
  const said = rivals.filter((line) => isSaid(line) || standing.has(line));
  // A line that agreed when its days were closed stays the one.
  const known = rivals.filter((line) => !isLate(line) && levels.some((agrees) => agrees(line)));
  const fitting = known.length > 0 ? known : rivals;
  const level = levels.find((agrees) => fitting.some(agrees));
  const best = level === undefined ? [] : fitting.filter(level);
  const right = best.find(isRight) ?? best[0];
  const chosen = new Set(said.length > 0 || right === undefined ? said : [right]);
  if (chosen.size === 0) return null;
  return {
    kept: kept.filter((line) => chosen.has(line) || !isOfType(line)),
    copies: [...copies, ...rivals.filter((line) => !chosen.has(line))],
  };
}

export function duplicateOf(line: TheirLine): Verdict {
  const theirs = amountOfMinor(line.principal);
  const about = { side: 'theirs' as const, field: 'amount', ours: null, theirs };
  return { ...PAIR, ...about, code: 'duplicate_external', effect: line.amount, line };
}
