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
} from './case.ts';
import { compareMoney } from './compare.ts';
import { charged } from './postings.ts';
import { directionOf } from './rows.ts';
import type { Verdict } from './terms.ts';

/*
 * Collections, payouts, batches and top-ups move their money once, and a reversal moves the whole of it back
 * (docs/matching.md, Groups).
 */

export function judgePayment(one: Case): Part {
  const { row, standing, sums } = one;
  if (sums.ownLines.length === 0 && sums.reversalLines.length === 0) return unanswered(one);
  // A payout that is under way may have taken its money.
  const isTaken = standing === 'open' && row.kind === 'payout' && sums.principalLines.length > 0;
  if (standing === 'done' || isTaken) return moved(one);
  return undone(one);
}

function unanswered(one: Case): Part {
  const { row, all, standing, day, terms } = one;
  // What was reversed has a movement with its reversal, or neither.
  if (standing !== 'done') return { verdicts: [], ours: [] };
  const direction = directionOf(row, terms.direction);
  // Our fees divide as its lines do, also when they come later; without any, as the schedule does.
  const tax = row.fees === null ? 0n : (all.tax ?? terms.taxWithin(row));
  const charges = { fee: (row.fees ?? 0n) - tax, tax, duty: row.duty ?? 0n };
  const ours = charged(row.kind, day, { main: direction * (row.amount ?? 0n), ...charges });
  const moves = direction * (row.amount ?? 0n) - (row.fees ?? 0n) - (row.duty ?? 0n);
  return { verdicts: [missing(one, -moves)], ours };
}

/** The money moved, by us or by the service's word. */
function moved(one: Case): Part {
  const { sums, day } = one;
  if (one.isOlder) return { verdicts: sums.net + sums.reversal === 0n ? [] : [movedBack(one)], ours: [] };
  const placed = one.standing === 'open' ? (sums.principalLines[0]?.date ?? day) : day;
  const { verdicts, ours, divided, absent } = comparedInTime(one, placed);
  const more: Verdict[] = [];
  if (sums.principalLines.length === 0) more.push(missing(one, absent));
  if (sums.reversal !== 0n) more.push(movedBack(one));
  return { verdicts: [...more, ...verdicts], ours, divided };
}

/** What agrees with all of its lines, some of which come after the period, is a matter of time. */
function comparedInTime(one: Case, day: string): Compared {
  const compared = compareMoney(one, day);
  const { sums, all } = one;
  if (sums === all || sums.principalLines.length === 0 || sums.reversal !== 0n || all.reversal !== 0n) return compared;
  const whole = compareMoney({ ...one, sums: all }, day);
  const effect = sums.net - all.net;
  if (whole.verdicts.length > 0 || effect === 0n) return compared;
  const isPart = all.principalLines.length > sums.principalLines.length;
  return { ...whole, verdicts: [awaited(one, isPart ? 'the rest of it' : 'a line of its charges', effect)] };
}

/** The lines show it reversed, until a later one takes the reversal back. */
function movedBack(one: Case): Verdict {
  const { sums, all, isOlder } = one;
  const effect = isOlder ? sums.net + sums.reversal : sums.reversal;
  if (all.reversal !== 0n) return statusDiffers(one, 'reversed', effect);
  const awaitedLine = awaited(one, 'the line that takes its reversal back', effect);
  return { ...awaitedLine, line: reversalOf(sums) ?? null };
}

/** It failed or was reversed: right are no line, or a debit with its whole reversal. */
function undone(one: Case): Part {
  const { sums, standing, goesOn, row, terms } = one;
  const effect = sums.net + sums.reversal + (sums.reversal === 0n ? 0n : debitBefore(one));
  if (sums.reversal !== 0n) return reversed(one, effect);
  if (effect === 0n && (standing !== 'open' || sums.principalLines.length === 0))
    return { verdicts: [], ours: mirrored(one) };
  const isEarly = standing !== 'open' && (goesOn || terms.dueDay(row) > terms.judgedDay);
  if (!isEarly) return { verdicts: [statusDiffers(one, 'success', effect)], ours: [] };
  return { verdicts: [{ ...awaited(one, 'its reversal', effect), line: sums.principalLines[0] ?? null }], ours: [] };
}

/** A whole reversal agrees with a row that came to nothing; one under way, the file shows further than it is. */
function reversed(one: Case, effect: bigint): Part {
  const { row, standing } = one;
  if (effect === 0n && standing === 'open')
    return { verdicts: [statusDiffers(one, 'reversed', 0n)], ours: mirrored(one) };
  if (effect === 0n) return { verdicts: [], ours: mirrored(one) };
  const reverses = row.kind === 'collection' ? 'collection' : 'payout';
  return backInPart(one, effect, debitBefore(one), { row: 'reversals', reverses });
}

/** What it moved by us before the first day that is shown: amount and charges. */
function debitBefore({ row, isOlder }: Case): bigint {
  const { kind, amount, fees, duty } = row;
  if (!isOlder || amount === null) return 0n;
  const charges = (fees ?? 0n) + (duty ?? 0n);
  return kind === 'collection' ? amount - charges : -amount - charges;
}
