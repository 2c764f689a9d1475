import { amountOfMinor } from '../money/amount.ts';
import {
  awaited,
  backInPart,
  type Case,
  type Compared,
  mirrored,
  missing,
  type Part,
  reversalOf,
  statusDiffers,
  tooEarly,
} from './case.ts';
import { compareMoney } from './compare.ts';
import { charged, type Posting } from './postings.ts';
import type { OurRow } from './rows.ts';
import { PAIR, type Verdict } from './terms.ts';

/*
 * A refund holds its money from the day it was asked for; on success the hold is released and the money leaves, on rejection
 * the hold is released. A statement may show all of it, the hold alone, or the money alone (docs/matching.md, Groups).
 */

export function judgeRefund(one: Case): Part {
  const { sums, standing } = one;
  const shows = sums.ownLines.length > 0 || sums.reversalLines.length > 0;
  const hasHold = sums.reserveLines.length > 0;
  if (standing === 'done') return paid(one, { hasMoney: shows, hasHold });
  // What came back whole moved nothing.
  const isBack = sums.reversalLines.length > 0 && movedBy(one) === 0n;
  const shown = { hasMoney: shows && !isBack, hasHold };
  const { verdicts, ours } =
    standing === 'held' ? settledLater(one, shown) : standing === 'open' ? stillHeld(one, shown) : rejected(one, shown);
  return { verdicts, ours: isBack ? [...ours, ...mirrored(one)] : ours };
}

/** What the lines moved beside the hold; a payment from before the first day that is shown stands behind its return. */
function movedBy(one: Case): bigint {
  const { sums } = one;
  return sums.net + sums.reversal - paidBefore(one);
}

/** What was paid before the first day that is shown, and came back since. */
function paidBefore({ sums, row, isOlder }: Case): bigint {
  const isReturn = isOlder && sums.principalLines.length === 0 && sums.reversal !== 0n;
  return isReturn ? (row.amount ?? 0n) + (row.fees ?? 0n) : 0n;
}

interface Shown {
  readonly hasMoney: boolean;
  readonly hasHold: boolean;
}

/** A refund that is settled after the last day: lines that show its money already are too early. */
function settledLater(one: Case, shown: Shown): Part {
  const { row, sums } = one;
  const isReleased = sums.reserveLines.some(({ amount }) => amount > 0n);
  if (!shown.hasMoney && !isReleased) return stillHeld(one, shown);
  const hold = heldBy(row);
  const ours = hold === null || !shown.hasHold ? [] : holdOf(one, hold);
  const held = hold === null || !shown.hasHold || one.isOlder ? 0n : hold;
  return { verdicts: tooEarly(one, (shown.hasMoney ? sums.net + sums.reversal : 0n) - sums.held + held), ours };
}

function stillHeld(one: Case, { hasMoney, hasHold }: Shown): Part {
  const { row, sums } = one;
  const hold = heldBy(row) ?? releasedIn(one);
  if (!hasMoney && !hasHold) {
    if (hold === null || one.isOlder || !one.terms.showsHolds) return { verdicts: [], ours: [] };
    const detail = 'it is not settled, and the statement does not show its reserve';
    return { verdicts: [{ ...awaited(one, 'its line', hold), detail }], ours: holdOf(one, hold) };
  }
  // A file that shows the money alone says nothing of the hold.
  const verdicts = hasMoney ? [statusDiffers(one, 'success', sums.net + sums.reversal)] : [];
  if (!hasHold) return { verdicts, ours: [] };
  const held = heldIn(one);
  if (hold !== null && hold !== held) verdicts.push(holdDiffers(one, hold));
  return { verdicts, ours: holdOf(one, hold ?? held) };
}

function rejected(one: Case, { hasMoney, hasHold }: Shown): Part {
  const { row, sums, day } = one;
  const held = heldIn(one);
  const hold = heldBy(row) ?? releasedIn(one) ?? held;
  const ours = hasHold ? [...holdOf(one, hold), posted(day, hold)] : [];
  // Money that left says more than a hold that was not released: one thing is said of both.
  if (hasMoney && sums.reversal !== 0n) {
    const back = backInPart(one, movedBy(one) - held, -paidBefore(one), { row: 'refunds' });
    return { ...back, ours: [...ours, ...back.ours] };
  }
  if (hasMoney) return { verdicts: [paidOut(one, movedBy(one) - held)], ours };
  return { verdicts: held === 0n ? [] : [notReleased(one, 'reserved')], ours };
}

/** A rejected refund was paid out: until its return comes, a matter of time. */
function paidOut(one: Case, effect: bigint): Verdict {
  if (one.all.reversalLines.length === 0) return statusDiffers(one, 'success', effect);
  return { ...awaited(one, 'its return', effect), line: one.sums.principalLines[0] ?? null };
}

function paid(one: Case, { hasMoney, hasHold }: Shown): Part {
  const { row, sums, day } = one;
  const hold = heldBy(row) ?? releasedIn(one);
  const held = heldIn(one);
  const moves = (row.amount ?? 0n) + (row.fees ?? 0n);
  if (!hasMoney && !hasHold) {
    return { verdicts: [missing(one, moves)], ours: paidBy(row, day) };
  }
  if (!hasMoney) {
    // The hold alone, never released, is what the refund took.
    if (held !== 0n || hold === null) {
      const verdicts = hold !== null && hold !== held ? [holdDiffers(one, hold)] : [];
      return { verdicts, ours: holdOf(one, hold ?? held) };
    }
    const ours = [...holdOf(one, hold), posted(day, hold), ...paidBy(row, day)];
    return { verdicts: [missing(one, moves)], ours };
  }
  const isPaidBefore = one.isOlder && sums.principalLines.length === 0 && sums.reversal !== 0n;
  const compared = isPaidBefore ? NOTHING_COMPARED : compareMoney(one, day);
  const { ours, divided } = compared;
  const cameBack = isPaidBefore ? sums.net + sums.reversal : sums.reversal;
  const verdicts = sums.reversal === 0n ? compared.verdicts : [back(one, cameBack), ...compared.verdicts];
  // Its charges alone are not the money.
  const isAbsent = sums.principalLines.length === 0 && !isPaidBefore;
  const absent = isAbsent ? [missing(one, compared.absent)] : [];
  if (!hasHold) return { verdicts: [...absent, ...verdicts], ours, divided };
  const holds = hold === null ? [] : [...holdOf(one, hold), posted(day, hold)];
  const unreleased = held === 0n ? [] : [notReleased(one, 'reserved')];
  return { verdicts: [...absent, ...verdicts, ...unreleased], ours: [...holds, ...ours], divided };
}

const NOTHING_COMPARED: Compared = { verdicts: [], ours: [], divided: [], absent: 0n };

/** By us it was paid, and the lines show it returned, until it is paid again. */
function back(one: Case, effect: bigint): Verdict {
  const { sums, all } = one;
  if (all.net + all.reversal === 0n || sums === all) return statusDiffers(one, 'reversed', effect);
  return { ...awaited(one, 'its next payment', effect), line: reversalOf(sums) ?? null };
}

/** What the service reserves: amount and fee, unless it says otherwise. */
function heldBy({ reserved, amount, fees }: OurRow): bigint | null {
  return reserved ?? (amount === null ? null : amount + (fees ?? 0n));
}

/** What the lines leave held: a hold from before the first day that is shown stands behind its release. */
function heldIn(one: Case): bigint {
  const { row, sums, isOlder } = one;
  return isOlder && sums.reserveLines.length > 0 ? (heldBy(row) ?? releasedIn(one) ?? 0n) + sums.held : sums.held;
}

/** What was released of a hold from before the first day that is shown; null: there is none. */
function releasedIn({ sums, isOlder }: Case): bigint | null {
  return isOlder && sums.reserveLines.length > 0 ? -sums.held : null;
}

/** Our hold, on its day; that from before the first day that is shown is in the opening balances. */
function holdOf({ row, isOlder }: Case, hold: bigint): Posting[] {
  return isOlder ? [] : [posted(row.startDay, -hold)];
}

function paidBy(row: OurRow, day: string): Posting[] {
  return charged('refund', day, { main: -(row.amount ?? 0n), fee: row.fees ?? 0n });
}

function posted(day: string, minor: bigint): Posting {
  return { row: 'reserves', day, minor };
}

function holdDiffers(one: Case, hold: bigint): Verdict {
  const held = heldIn(one);
  const values = { ours: amountOfMinor(hold), theirs: amountOfMinor(held) };
  const line = one.sums.reserveLines[0] ?? null;
  return { ...PAIR, ...values, code: 'reserve_mismatch', field: 'reserve', effect: hold - held, line };
}

/** Settled, and the money is still held: not a break before its time. Once a part of it was released, the rest is what differs. */
function notReleased(one: Case, theirs: string): Verdict {
  const { row, sums, goesOn, terms } = one;
  const line = sums.reserveLines[0] ?? null;
  const effect = -heldIn(one);
  if (goesOn || terms.dueDay(row) > terms.judgedDay) return { ...awaited(one, 'its release', effect), line };
  const released = sums.reserveLines.findLast(({ amount }) => amount > 0n);
  return released === undefined
    ? { ...statusDiffers(one, theirs, effect), line }
    : { ...holdDiffers(one, 0n), line: released };
}
