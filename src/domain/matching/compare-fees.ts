import { amountOfMinor, magnitude } from '../amount.ts';
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
 * Our fees hold fee and tax, and divide as the lines do. Tax is judged only where both together differ, by the schedule; the fee
 * then differs by the rest. What is within its tolerance is by us as it is by them.
 */
export function compareFees(row: OurRow, sums: Sums, { compare, taxOn }: Terms): Fees {
  const [fee, tax] = [sums.fee ?? 0n, sums.tax ?? 0n];
  const isSaid = sums.fee !== null || sums.tax !== null;
  if (!isSaid || row.fees === null) return { verdicts: [], fee, tax };
  const variance = fee + tax - row.fees;
  if (magnitude(variance) <= compare.fee.minor) return { verdicts: [], fee, tax };

  const scheduled = sums.tax === null ? null : taxOn(row, fee);
  const isTaxWrong = scheduled !== null && magnitude(tax - scheduled) > compare.tax.minor;
  const ourTax = isTaxWrong ? scheduled : tax;
  const rest = variance - (tax - ourTax);
  const isFeeWrong = magnitude(rest) > compare.fee.minor;
  const verdicts: Verdict[] = [];
  if (isTaxWrong) verdicts.push(chargeDiffers('tax_mismatch', ourTax, tax, sums));
  if (isFeeWrong) verdicts.push(chargeDiffers('fee_mismatch', row.fees, row.fees + rest, sums));
  return { verdicts, fee: isFeeWrong ? fee - rest : fee, tax: ourTax };
}

const FIELDS = { fee_mismatch: 'fee', tax_mismatch: 'tax', duty_mismatch: 'duty' } as const;

/** More charged by them is less on the balance. */
export function chargeDiffers(code: keyof typeof FIELDS, ours: bigint, theirs: bigint, sums: Sums): Verdict {
  const values = { ours: amountOfMinor(ours), theirs: amountOfMinor(theirs) };
  const line = sums.principalLines[0] ?? null;
  return { ...PAIR, ...values, code, field: FIELDS[code], effect: ours - theirs, line };
}
