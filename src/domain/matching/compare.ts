import { amountOfMinor, magnitude } from '../money/amount.ts';
import type { BreakCode } from '../reconciling/break.ts';
import { AFTER_CHARGES } from '../reconciling/told.ts';
import { isRecordKind } from '../records/lifecycle.ts';
import type { Case, Compared } from './case.ts';
import { charged } from './postings.ts';
import { directionOf, type OurRow } from './rows.ts';
import type { Sums } from './sums.ts';
import { PAIR, type Terms, type Verdict } from './terms.ts';

/**
 * Compares a row with its lines, component by component: all lines of it together must move what we expect (decisions 48, 78). A
 * component that we do not say takes their value. A charge that they do not say lies in the amount of a line, or was not charged.
 * `all`: of the lines behind the last day too, which may say it.
 */
export function compareMoney({ row, sums, all, terms }: Case, day: string): Compared {
  const direction = directionOf(row, terms.direction);
  const gross = compareGross(row, sums, day, direction, terms);
  if (gross !== null) return gross;
  const knowsCharges = row.fees !== null || row.duty !== null;
  const isNetOnly = knowsCharges && !terms.isLedger && (!sums.saysCharges || isNet(row, sums, direction));
  if (row.amount !== null && isNetOnly) return compareNet(row, row.amount, sums, day, direction);
  return compareParts(row, saidOf(row, sums, all, direction, terms), day, direction, terms);
}

/**
 * Compares a row with a line, or the parts of one, that says its amount before and after charges, and no charge by itself: what lies
 * between them is charged, and what of it is not our duty is the fee. Null: the lines are none such, or their gross amount differs.
 */
function compareGross(row: OurRow, sums: Sums, day: string, direction: bigint, terms: Terms): Compared | null {
  const [line] = sums.principalLines;
  const isBare = sums.fee === null && sums.tax === null && sums.duty === null;
  if (line === undefined || !isBare || !isRecordKind(row.kind) || terms.isLedger) return null;
  const duty = row.duty ?? 0n;
  const gross = sums.principalLines.reduce((sum, { principal }) => sum + principal, 0n);
  const within = direction * gross - sums.principal;
  const fee = within - duty;
  const isForward = sums.principalLines.every(({ amount }) => direction * amount > 0n);
  if (row.amount === null || gross !== row.amount || !isForward || within <= 0n || fee < 0n) return null;
  const differs = row.fees !== null && magnitude(fee - row.fees) > terms.compare.fee.minor;
  return {
    verdicts: differs ? [chargeDiffers('fee_mismatch', row.fees, fee, sums)] : [],
    ours: charged(row.kind, day, { main: direction * row.amount, fee: differs ? row.fees : fee, duty }),
    divided: charged(row.kind, line.date, { main: within, fee, duty }),
    absent: 0n,
  };
}

/** Lines that say no fee, and 0.00 at most of other charges, and move what is expected in all. */
function isNet({ amount, fees, duty }: OurRow, sums: Sums, direction: bigint): boolean {
  const saysNone = sums.fee === null && (sums.tax ?? 0n) === 0n && (sums.duty ?? 0n) === 0n;
  return saysNone && sums.net === direction * (amount ?? 0n) - (fees ?? 0n) - (duty ?? 0n);
}

/** Lines that move the bare amount beside some charge say that the others were not charged. A ledger does not. */
function saidOf(row: OurRow, sums: Sums, all: Sums, direction: bigint, { isLedger }: Terms): Sums {
  const isBare = sums.principalLines.length > 0 && direction * sums.principal === row.amount;
  if (isLedger || !isBare) return sums;
  const hasFee = all.fee !== null || all.tax !== null || row.fees === null || row.fees === 0n;
  return { ...sums, fee: hasFee ? sums.fee : 0n, duty: all.duty === null ? 0n : sums.duty };
}

/** The lines are net of their charges: one sum against the other. */
function compareNet(row: OurRow, amount: bigint, sums: Sums, day: string, direction: bigint): Compared {
  const [fee, duty] = [row.fees ?? 0n, row.duty ?? 0n];
  const ours = charged(row.kind, day, { main: direction * amount, fee, duty });
  const divided = charged(row.kind, sums.principalLines[0]?.date ?? day, { main: fee + duty, fee, duty });
  const expected = direction * amount - fee - duty;
  if (sums.ownLines.length === 0) return { verdicts: [], ours, divided: [], absent: -expected };
  const verdicts =
    sums.net === expected
      ? []
      : [
          {
            ...amountDiffers(row, 'amount_mismatch', [expected, sums.net], direction, sums),
            detail: fee === 0n && duty === 0n ? null : AFTER_CHARGES,
          },
        ];
  return { verdicts, ours, divided, absent: 0n };
}

function compareParts(row: OurRow, sums: Sums, day: string, direction: bigint, terms: Terms): Compared {
  const verdicts: Verdict[] = [];
  const isAbsent = sums.principalLines.length === 0 && sums.principal === 0n;
  const principal = principalOf(row, direction * sums.principal, direction, sums, { ...terms, isAbsent });
  const expected = direction * principal.expected;
  if (!isAbsent && expected !== sums.principal) {
    verdicts.push(amountDiffers(row, codeOf(row), [expected, sums.principal], direction, sums));
  }
  const dutyDiffers =
    sums.duty !== null && row.duty !== null && magnitude(sums.duty - row.duty) > terms.compare.duty.minor;
  if (dutyDiffers) verdicts.push(chargeDiffers('duty_mismatch', row.duty, sums.duty, sums));
  const fees = compareFees(row, sums, terms);
  const { within } = principal;
  return {
    verdicts: [...verdicts, ...fees.verdicts],
    ours: charged(row.kind, day, {
      main: direction * principal.shown,
      fee: fees.fee + within.fee,
      tax: fees.tax,
      duty: dutyDiffers ? row.duty : (sums.duty ?? within.duty),
    }),
    divided: isAbsent
      ? []
      : charged(row.kind, sums.principalLines[0]?.date ?? day, { main: within.fee + within.duty, ...within }),
    absent: isAbsent ? -expected : 0n,
  };
}

interface Principal {
  /** As the line should say it, without direction. */
  readonly expected: bigint;
  /** As we say it. */
  readonly shown: bigint;
  /** Charges that the line has in its amount, because the file has no column for them. */
  readonly within: { readonly fee: bigint; readonly duty: bigint };
}

const NOTHING_WITHIN = { fee: 0n, duty: 0n };

/** `theirs` is what the lines say, in the direction of the row. */
function principalOf(
  row: OurRow,
  theirs: bigint,
  direction: bigint,
  sums: Sums,
  { isLedger, isAbsent }: Pick<Terms, 'isLedger'> & { readonly isAbsent: boolean },
): Principal {
  const whole = (minor: bigint) => ({ expected: minor, shown: minor, within: NOTHING_WITHIN });
  const { amount } = row;
  // An amount that we do not know is theirs. A ledger books the amount, that of a sale also as it was asked for, or all in one.
  if (amount === null || theirs === amount || (isLedger && theirs === row.requested)) return whole(theirs);
  const fee = sums.fee === null && sums.tax === null ? (row.fees ?? 0n) : 0n;
  const duty = sums.duty === null ? (row.duty ?? 0n) : 0n;
  const net = { expected: amount - direction * (fee + duty), shown: amount, within: { fee, duty } };
  // Charges that the lines do not say come with the line of the amount.
  const isNet = isAbsent || theirs === net.expected || (!isLedger && sums.principalLines.length > 0);
  return isNet ? net : whole(isLedger ? (row.requested ?? amount) : amount);
}

/** The children of a batch must add up to it. */
function codeOf({ kind }: OurRow): BreakCode {
  return kind === 'batch' ? 'split_incomplete' : 'amount_mismatch';
}

/**
 * Values are shown in the direction of the row: one that moves the other way is negative. Those of a batch or top-up that moves the
 * wrong way are signed as its account has them.
 */
function amountDiffers(row: OurRow, code: BreakCode, [ours, theirs]: [bigint, bigint], direction: bigint, sums: Sums) {
  const shown = isRecordKind(row.kind) || direction * theirs >= 0n ? direction : 1n;
  const values = { ours: amountOfMinor(shown * ours), theirs: amountOfMinor(shown * theirs) };
  return { ...PAIR, ...values, code, field: 'amount', effect: theirs - ours, line: sums.principalLines[0] ?? null };
}

/** How our fees stand beside those of the lines: what differs, and how they divide into fee and tax by us. */
export interface Fees {
  readonly verdicts: readonly Verdict[];
  readonly fee: bigint;
  readonly tax: bigint;
}

/**
 * Our fees hold fee and tax, and divide as the lines do. Where both together differ, the whole variance is divided first: the
 * schedule tells that of the tax (no schedule: none of it), and the rest is that of the fee. Then each is held against its own
 * tolerance; what is within it is by us as it is by them.
 */
export function compareFees(row: OurRow, sums: Sums, { compare, taxOn }: Terms): Fees {
  const [fee, tax] = [sums.fee ?? 0n, sums.tax ?? 0n];
  const isSaid = sums.fee !== null || sums.tax !== null;
  if (!isSaid || row.fees === null) return { verdicts: [], fee, tax };
  const variance = fee + tax - row.fees;
  if (variance === 0n) return { verdicts: [], fee, tax };

  const ofTax = sums.tax === null ? 0n : tax - (taxOn(row, fee) ?? tax);
  const ofFee = variance - ofTax;
  const isTaxWrong = magnitude(ofTax) > compare.tax.minor;
  const isFeeWrong = magnitude(ofFee) > compare.fee.minor;
  const verdicts: Verdict[] = [];
  if (isTaxWrong) verdicts.push(chargeDiffers('tax_mismatch', tax - ofTax, tax, sums));
  if (isFeeWrong) verdicts.push(chargeDiffers('fee_mismatch', row.fees, row.fees + ofFee, sums));
  return { verdicts, fee: isFeeWrong ? fee - ofFee : fee, tax: isTaxWrong ? tax - ofTax : tax };
}

const FIELDS = { fee_mismatch: 'fee', tax_mismatch: 'tax', duty_mismatch: 'duty' } as const;

/** More charged by them is less on the balance. */
export function chargeDiffers(code: keyof typeof FIELDS, ours: bigint, theirs: bigint, sums: Sums): Verdict {
  const values = { ours: amountOfMinor(ours), theirs: amountOfMinor(theirs) };
  const line = sums.principalLines[0] ?? null;
  return { ...PAIR, ...values, code, field: FIELDS[code], effect: ours - theirs, line };
}
