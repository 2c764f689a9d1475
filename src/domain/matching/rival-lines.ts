import { magnitude } from '../money/amount.ts';
import { isRecordKind } from '../records/lifecycle.ts';
import { isForward, isLate, isSaid, NO_PARTS, type Parts, type Sorted, sameAs, withoutCopies } from './copies.ts';
import { returnedLines } from './returned.ts';
import { compareLines, directionOf, type OurRow, PRINCIPAL_TYPE, type TheirLine } from './rows.ts';
import { isReversal, type Sums, sumsOf } from './sums.ts';
import type { Terms } from './terms.ts';

/*
 * Several lines of what a row has only once, and that are not alike: they are its parts, or one of them is the line of the row
 * (docs/matching.md, Copies and ties).
 */

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
    const isForward = !isRecordKind(row.kind) || directionOf(row, 1n) * principal > 0n;
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
