import { amountOfMinor } from '../amount.ts';
import type { BreakCode } from '../break.ts';
import { magnitude } from './copies.ts';
import { feeRow, type Posting, ROW_OF_KIND } from './postings.ts';
import type { OurRow } from './rows.ts';
import type { Sums } from './sums.ts';
import { PAIR, type Terms, type Verdict } from './terms.ts';

/** What comes of holding the amount and the charges of a row against its lines. */
export interface Compared {
  readonly verdicts: readonly Verdict[];
  readonly ours: readonly Posting[];
  /** Moves a line that is net of its charges into the rows of the proof as we divide it; adds up to zero. */
  readonly divided: readonly Posting[];
}

/**
 * Compares a row with its lines, component by component. A component that one side does not say is not compared, and takes
 * the other side's value; where no line tells charges from the amount, the sum is held against what we expect (decisions 48, 78).
 */
export function compareMoney(row: OurRow, sums: Sums, day: string, terms: Terms): Compared {
  const direction = directionOf(row, sums, terms);
  if (row.amount === null) return { verdicts: [], ours: asTheySay(row, sums, day), divided: [] };
  const isNetOnly = !sums.saysCharges && !terms.isLedger && (row.fees !== null || row.duty !== null);
  return isNetOnly ? compareNet(row, sums, day, direction) : compareParts(row, sums, day, direction, terms);
}

function directionOf({ kind }: OurRow, { principal }: Sums, terms: Terms): bigint {
  if (kind === 'collection') return 1n;
  if (kind === 'refund' || kind === 'payout') return -1n;
  if (principal === 0n) return terms.direction;
  return principal < 0n ? -1n : 1n;
}

function compareNet(row: OurRow, sums: Sums, day: string, direction: bigint): Compared {
  const [amount, fees, duty] = [row.amount ?? 0n, row.fees ?? 0n, row.duty ?? 0n];
  const ours = charged(row.kind, day, direction * amount, fees, 0n, duty);
  const expected = direction * amount - fees - duty;
  const divided = charged(row.kind, sums.principalLines[0]?.date ?? day, fees + duty, fees, 0n, duty);
  if (sums.net === expected) return { verdicts: [], ours, divided };
  return { verdicts: [different('amount_mismatch', 'amount', expected, sums.net, sums)], ours, divided };
}

function compareParts(row: OurRow, sums: Sums, day: string, direction: bigint, terms: Terms): Compared {
  const verdicts: Verdict[] = [];
  const principal = principalOf(row, sums, direction, terms);
  const theirs = direction * sums.principal;
  const hasPrincipal = sums.principalLines.length > 0;
  if (hasPrincipal && principal.expected !== theirs) {
    const about = { ours: amountOfMinor(principal.shown), theirs: amountOfMinor(magnitude(theirs)), field: 'amount' };
    const effect = direction * (theirs - principal.expected);
    verdicts.push({ ...PAIR, ...about, code: codeOf(row), effect, line: sums.principalLines[0] ?? null });
  }
  const fees = compareFees(row, sums, terms);
  const dutyDiffers =
    sums.duty !== null && row.duty !== null && magnitude(sums.duty - row.duty) > terms.compare.duty.minor;
  if (dutyDiffers) verdicts.push(chargeDiffers('duty_mismatch', 'duty', row.duty, sums.duty, sums));
  const { fee, duty } = principal.within;
  const ourDuty = dutyDiffers ? row.duty : (sums.duty ?? duty);
  const date = sums.principalLines[0]?.date ?? day;
  return {
    verdicts: [...verdicts, ...fees.verdicts],
    ours: charged(row.kind, day, direction * principal.shown, fees.fee + fee, fees.tax, ourDuty),
    divided: charged(row.kind, date, fee + duty, fee, 0n, duty),
  };
}

interface Principal {
  /** As the line should say it. */
  readonly expected: bigint;
  /** As we say it. */
  readonly shown: bigint;
  /** Charges that the line has in its amount, because the file has no column for them. */
  readonly within: { readonly fee: bigint; readonly duty: bigint };
}

const NOTHING_WITHIN = { fee: 0n, duty: 0n };

function principalOf(row: OurRow, sums: Sums, direction: bigint, { isLedger }: Terms): Principal {
  const amount = row.amount ?? 0n;
  const theirs = direction * sums.principal;
  if (isLedger) {
    const asked = row.requested ?? amount;
    const shown = theirs === amount ? amount : asked;
    return { expected: shown, shown, within: NOTHING_WITHIN };
  }
  const fee = sums.fee === null && sums.tax === null ? (row.fees ?? 0n) : 0n;
  const duty = sums.duty === null ? (row.duty ?? 0n) : 0n;
  const withCharges = amount - direction * (fee + duty);
  if (theirs === amount || theirs !== withCharges) return { expected: amount, shown: amount, within: NOTHING_WITHIN };
  return { expected: withCharges, shown: amount, within: { fee, duty } };
}

interface Fees {
  readonly verdicts: readonly Verdict[];
  readonly fee: bigint;
  readonly tax: bigint;
}

/** Our fees hold fee and tax, and divide as the lines do. Tax is judged only where both together differ. */
function compareFees(row: OurRow, sums: Sums, { compare, taxOn }: Terms): Fees {
  const [fee, tax] = [sums.fee ?? 0n, sums.tax ?? 0n];
  const isSaid = sums.fee !== null || sums.tax !== null;
  if (!isSaid || row.fees === null) return { verdicts: [], fee, tax };
  const variance = fee + tax - row.fees;
  if (magnitude(variance) <= compare.fee.minor) return { verdicts: [], fee, tax };
  const scheduled = sums.tax === null ? null : taxOn(row, fee);
  const overTax = scheduled === null ? 0n : tax - scheduled;
  const isTaxWrong = magnitude(overTax) > compare.tax.minor;
  const ourTax = isTaxWrong ? tax - overTax : tax;
  const verdicts: Verdict[] = [];
  if (isTaxWrong) verdicts.push(chargeDiffers('tax_mismatch', 'tax', ourTax, tax, sums));
  const rest = isTaxWrong ? variance - overTax : variance;
  if (magnitude(rest) > compare.fee.minor) {
    verdicts.push(chargeDiffers('fee_mismatch', 'fee', row.fees, row.fees + rest, sums));
  }
  return { verdicts, fee: row.fees - ourTax, tax: ourTax };
}

/** The children of a batch must add up to it. */
function codeOf({ kind }: OurRow): BreakCode {
  return kind === 'batch' ? 'split_incomplete' : 'amount_mismatch';
}

function different(code: BreakCode, field: string, ours: bigint, theirs: bigint, sums: Sums): Verdict {
  const values = { ours: amountOfMinor(magnitude(ours)), theirs: amountOfMinor(magnitude(theirs)) };
  return { ...PAIR, ...values, code, field, effect: theirs - ours, line: sums.principalLines[0] ?? null };
}

function chargeDiffers(code: BreakCode, field: string, ours: bigint, theirs: bigint, sums: Sums): Verdict {
  const line = sums.principalLines[0] ?? null;
  const values = { ours: amountOfMinor(ours), theirs: amountOfMinor(theirs) };
  return { ...PAIR, ...values, code, field, effect: ours - theirs, line };
}

/** The postings of an amount with its charges, without those of zero. */
export function charged(
  kind: OurRow['kind'],
  day: string,
  main: bigint,
  fee: bigint,
  tax: bigint,
  duty: bigint,
): Posting[] {
  const all: Posting[] = [
    { row: ROW_OF_KIND[kind], day, minor: main },
    { row: feeRow(kind), day, minor: -fee },
    { row: 'tax', day, minor: -tax },
    { row: 'duty', day, minor: -duty },
  ];
  return all.filter(({ minor }) => minor !== 0n);
}

/** A row that does not know its amount takes what the lines say. */
function asTheySay({ kind }: OurRow, sums: Sums, day: string): Posting[] {
  return charged(kind, day, sums.principal, sums.fee ?? 0n, sums.tax ?? 0n, sums.duty ?? 0n);
}
