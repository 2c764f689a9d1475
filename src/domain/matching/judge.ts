import { amountOfMinor } from '../amount.ts';
import { type Case, missing, type Part, statusDiffers } from './case.ts';
import { charged, compareMoney } from './compare.ts';
import { chooseOne, duplicateOf, magnitude, type Sorted, withoutCopies } from './copies.ts';
import { linePostings, type Posting, sumUntil } from './postings.ts';
import { judgeRefund } from './refund.ts';
import { compareLines, type OurRow, type TheirLine } from './rows.ts';
import { standingAt } from './standing.ts';
import { isReversal, PRINCIPAL_TYPE, type Sums, sumsOf } from './sums.ts';
import { type Judgement, PAIR, type Terms, type Verdict } from './terms.ts';

/**
 * Judges a row of ours with every line that names it (RECONCILIATION 6). Pure: the same rows give the same judgement, in
 * whatever order they come. The effects of the verdicts add up to what moved by them less what moved by us.
 */
export function judgeGroup(row: OurRow, lines: readonly TheirLine[], terms: Terms): Judgement {
  const inTime = lines.filter(({ date }) => date <= terms.until);
  const theirs = inTime.flatMap((line) => linePostings(line, row.kind));
  const sorted = withoutRivals(row, withoutCopies(inTime));
  if (sorted === null) return ambiguous(row, inTime, theirs, terms);
  const sums = sumsOf(row.kind, sorted.kept);
  const day = placedDay(row, sums, terms);
  const standing = standingAt(row, day, terms.until);
  const goesOn = inTime.length < lines.length || day > terms.until;
  const all = inTime.length === lines.length ? sums : sumsOf(row.kind, withoutCopies(lines).kept);
  const judged = judgeCase({ row, sums, all, standing, day, goesOn, terms });
  const ours = judged.ours.filter(({ day: posted }) => posted <= terms.until);
  const verdicts = [...judged.verdicts, ...sorted.copies.map(duplicateOf)];
  return {
    verdicts: explained(verdicts, sumUntil(theirs, terms.until) - sumUntil(ours, terms.until), row),
    isMatched: lines.length > 0,
    ours,
    theirs: [...theirs, ...(judged.divided ?? [])],
  };
}

/** Null: several lines of one type, and none of them agrees. */
function withoutRivals(row: OurRow, sorted: Sorted): Sorted | null {
  const expected = [row.amount, row.requested].filter((one) => one !== null);
  const net = (row.amount ?? 0n) - (row.fees ?? 0n) - (row.duty ?? 0n);
  const debit = (row.amount ?? 0n) + (row.fees ?? 0n) + (row.duty ?? 0n);
  const agrees = ({ amount, principal }: TheirLine) =>
    expected.includes(principal) || [net, debit].includes(magnitude(amount));
  const principal = chooseOne(sorted, ({ type }) => type === PRINCIPAL_TYPE[row.kind], agrees);
  return principal === null ? null : chooseOne(principal, isReversal, agrees);
}

/** The day of a row whose own time nobody stated is that of its line. */
function placedDay(row: OurRow, { principalLines }: Sums, { until }: Terms): string {
  const date = principalLines[0]?.date;
  return row.isDayLearnt && date !== undefined && date <= until ? date : row.day;
}

function judgeCase(one: Case): Part {
  const { row, standing, sums } = one;
  if (standing === 'unborn') return early(one);
  if (row.kind === 'refund') return judgeRefund(one);
  const hasLines = sums.principalLines.length > 0 || sums.reversalLines.length > 0 || sums.saysCharges;
  if (!hasLines) return unanswered(one);
  if (standing === 'done' || (standing === 'open' && row.kind === 'payout')) return moved(one);
  return undone(one);
}

/** Lines of a row that begins after the last day. */
function early({ row, sums, terms }: Case): Part {
  const effect = sums.net + sums.reversal - sums.held;
  if (effect === 0n) return { verdicts: [], ours: [] };
  const line = sums.principalLines[0] ?? sums.reserveLines[0] ?? null;
  const theirs = amountOfMinor(magnitude(effect));
  const about = { side: 'theirs' as const, field: 'reference', ours: null, theirs, dueDay: terms.dueDay(row) };
  return { verdicts: [{ ...PAIR, ...about, code: 'timing', effect, line }], ours: [] };
}

function unanswered(one: Case): Part {
  const { row, all, standing, day, terms } = one;
  if (standing === 'open' || standing === 'undone') return { verdicts: [], ours: [] };
  if (standing === 'reversed') return { verdicts: [missing(one, 0n)], ours: [] };
  const direction = row.kind === 'collection' ? 1n : row.kind === 'payout' ? -1n : terms.direction;
  // Our fees divide as its lines do, also when they come later.
  const tax = row.fees === null ? 0n : (all.tax ?? 0n);
  const ours = charged(row.kind, day, direction * (row.amount ?? 0n), (row.fees ?? 0n) - tax, tax, row.duty ?? 0n);
  return { verdicts: [missing(one, -sumUntil(ours, terms.until))], ours };
}

/** The money moved, by us or by the service's word. */
function moved(one: Case): Part {
  const { row, sums, terms, day } = one;
  const placed = one.standing === 'open' ? (sums.principalLines[0]?.date ?? day) : day;
  const { verdicts, ours, divided } = compareMoney(row, sums, placed, terms);
  const more: Verdict[] = [];
  if (sums.principalLines.length === 0) more.push(missing(one, 0n));
  if (sums.reversalLines.length > 0) more.push(statusDiffers(one, 'reversed', sums.reversal));
  return { verdicts: [...more, ...verdicts], ours, divided };
}

/** It failed or was reversed: right are no line, or a debit with its whole reversal. */
function undone(one: Case): Part {
  const { row, sums, standing, goesOn, terms } = one;
  const effect = sums.net + sums.reversal;
  const isReversed = sums.reversalLines.length > 0;
  if (effect === 0n && standing !== 'open') return { verdicts: [], ours: mirrored(one) };
  if (isReversed) {
    const values = { ours: amountOfMinor(magnitude(sums.net)), theirs: amountOfMinor(magnitude(sums.reversal)) };
    const line = sums.reversalLines[0] ?? null;
    return { verdicts: [{ ...PAIR, ...values, code: 'amount_mismatch', field: 'reversal', effect, line }], ours: [] };
  }
  const isEarly = standing !== 'open' && (goesOn || terms.dueDay(row) > terms.judgedDay);
  if (!isEarly) return { verdicts: [statusDiffers(one, 'success', effect)], ours: [] };
  return { verdicts: [{ ...missing(one, effect), code: 'timing', line: sums.principalLines[0] ?? null }], ours: [] };
}

/** A debit with its charges, and its reversal, are ours as they are theirs. */
function mirrored({ row, sums }: Case): Posting[] {
  const lines = [...sums.ownLines, ...sums.reversalLines];
  return lines.flatMap((line) => linePostings(line, row.kind));
}

function ambiguous(row: OurRow, lines: readonly TheirLine[], theirs: readonly Posting[], terms: Terms): Judgement {
  const standing = standingAt(row, row.day, terms.until);
  const nothing = sumsOf(row.kind, []);
  const empty = { row, sums: nothing, all: nothing, standing, day: row.day, goesOn: false, terms };
  const { ours } = judgeCase(empty);
  const effect = sumUntil(theirs, terms.until) - sumUntil(ours, terms.until);
  const value = row.amount === null ? null : amountOfMinor(row.amount);
  const [line = null] = lines.toSorted(compareLines);
  const about = { field: 'amount', ours: value, theirs: null, effect, line, candidates: lines };
  return { verdicts: [{ ...PAIR, ...about, code: 'ambiguous' }], isMatched: false, ours, theirs };
}

/** What the verdicts leave of the difference belongs to the first of them; without one, the amounts differ. */
function explained(verdicts: readonly Verdict[], difference: bigint, row: OurRow): readonly Verdict[] {
  const rest = difference - verdicts.reduce((sum, { effect }) => sum + effect, 0n);
  if (rest === 0n) return verdicts;
  const [first, ...others] = verdicts;
  if (first !== undefined) return [{ ...first, effect: first.effect + rest }, ...others];
  const ours = row.amount === null ? null : amountOfMinor(row.amount);
  const theirs = amountOfMinor(magnitude((row.amount ?? 0n) + rest));
  return [{ ...PAIR, code: 'amount_mismatch', field: 'amount', ours, theirs, effect: rest }];
}
