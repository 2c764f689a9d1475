import { amountOfMinor, magnitude } from '../money/amount.ts';
import type { OurRow } from './rows.ts';
import type { Sums } from './sums.ts';
import { PAIR, type Terms, type Verdict } from './terms.ts';

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
