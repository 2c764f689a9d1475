import { amountOfMinor, magnitude } from '../money/amount.ts';
import { dayPlus, monthOf } from '../reconciling/business-day.ts';
import type { Invoiced } from '../reconciling/rules.ts';
import { isRecordKind } from '../records/lifecycle.ts';
import { charged, linePostings, type Posting, sumUntil } from './postings.ts';
import { compareLines, directionOf, type OurRow, type TheirLine } from './rows.ts';
import { isGross, type Sums } from './sums.ts';
import { type InvoicedFee, PAIR, type Terms, type Verdict } from './terms.ts';

/*
 * Fees that are charged in lines of their own, without a reference: one line for all payments of a day or a month. The fees of these
 * days and the lines that charge them are a group of their own, in a book; the payments themselves agree before charges.
 */

/** Days whose fees are charged together, both included. */
export interface InvoicedDays {
  readonly from: string;
  readonly to: string;
  /** The last day of which a line may charge them. */
  readonly lastLine: string;
}

/** The days whose fees are charged together with those of a day. */
export function invoicedDaysOf(invoiced: Invoiced, day: string): InvoicedDays {
  if (invoiced === 'day') return { from: day, to: day, lastLine: day };
  const month = monthOf(day);
  return { ...month, lastLine: invoiced === 'month' ? month.to : monthOf(dayPlus(month.to, 1)).to };
}

/** The days whose fees a line of a day charges. */
export function daysChargedOn(invoiced: Invoiced, date: string): InvoicedDays {
  return invoicedDaysOf(invoiced, invoiced === 'previous_month' ? dayPlus(monthOf(date).from, -1) : date);
}

/**
 * Whether the fees of a row are charged together with others: no line of it says a fee, has one in its amount, or moves what is left
 * after charges.
 */
export function isChargedApart(row: OurRow, sums: Sums, { isInvoiced, direction }: Terms): boolean {
  const { fees, amount, duty, kind } = row;
  if (!isInvoiced || fees === null || fees === 0n || !isRecordKind(kind)) return false;
  const isSaid = sums.fee !== null || sums.tax !== null || sums.principalLines.some(isGross);
  const net = directionOf(row, direction) * (amount ?? 0n) - fees - (duty ?? 0n);
  return !isSaid && (sums.principalLines.length === 0 || sums.net !== net);
}

/** The fees of some days, and the lines that charge them. */
export interface Invoice {
  readonly days: InvoicedDays;
  readonly fees: readonly InvoicedFee[];
  readonly lines: readonly TheirLine[];
}

/** What holds while it is judged; `dueDay`: the last day on which its line is in time. */
export interface InvoiceTerms extends Pick<Terms, 'until' | 'judgedDay' | 'compare'> {
  readonly dueDay: string;
}

/** What is to be said of the fees of some days, up to the last day that counts; null: nothing. */
export function judgeInvoice(
  { days, fees, lines }: Invoice,
  { until, judgedDay, dueDay, compare }: InvoiceTerms,
): Verdict | null {
  const inTime = lines.filter(({ date }) => date <= until).toSorted(compareLines);
  const charged = -inTime.reduce((sum, { amount }) => sum + amount, 0n);
  const ours = sumUntil(fees, until);
  if (magnitude(charged - ours) <= (inTime.length > 0 ? compare.fee.minor : 0n)) return null;
  const line = inTime.find(({ type }) => type === 'fee') ?? inTime[0] ?? null;
  const about = { ...PAIR, field: 'fee', ours: amountOfMinor(ours), theirs: amountOfMinor(charged), line };
  const effect = ours - charged;
  // The fees of its other days, or another line, are still to come.
  const isOpen = until < days.to || lines.some(({ date }) => date > until) || (line === null && dueDay > judgedDay);
  if (!isOpen) return { ...about, code: 'fee_mismatch', effect, dueDay: line === null ? dueDay : null };
  const detail = `the line of the fees of ${days.from} to ${days.to} is due by ${dueDay}`;
  return { ...about, code: 'timing', effect, dueDay, detail };
}

/** What the fees moved by us up to a day. */
export function feePostings({ fees }: Pick<Invoice, 'fees'>, until: string): Posting[] {
  const own = fees.filter(({ day }) => day <= until);
  return own.flatMap(({ kind, day, minor }) => charged(kind, day, { main: 0n, fee: minor }));
}

/** Moves what of the fees the lines call tax or duty into the rows of these; adds up to zero. */
export function divided({ lines }: Pick<Invoice, 'lines'>, { until }: Pick<Terms, 'until'>): Posting[] {
  const postings = lines.filter(({ date }) => date <= until).flatMap((line) => linePostings(line, null));
  const others = postings.filter(({ row }) => row !== 'fees');
  return others.flatMap(({ row, day, minor }): Posting[] => [
    { row, day, minor },
    { row: 'fees', day, minor: -minor },
  ]);
}

/** What within the tolerance is by us as it is by them. */
export function tolerated({ fees, lines }: Invoice, { until }: Pick<Terms, 'until'>): Posting[] {
  const inTime = lines.filter(({ date }) => date <= until);
  const day = inTime.at(-1)?.date ?? until;
  const minor = inTime.reduce((sum, { amount }) => sum + amount, sumUntil(fees, until));
  return minor === 0n ? [] : [{ row: 'fees', day, minor }];
}
