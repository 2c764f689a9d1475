import { magnitude } from '../money/amount.ts';
import type { Compared } from './case.ts';
import { chargeDiffers } from './compare-fees.ts';
import { charged } from './postings.ts';
import type { OurRow } from './rows.ts';
import type { Sums } from './sums.ts';
import type { Terms } from './terms.ts';

/**
 * Compares a row with a line, or the parts of one, that says its amount before and after charges, and no charge by itself: what lies
 * between them is charged, and what of it is not our duty is the fee. Null: the lines are none such, or their gross amount differs.
 */
export function compareGross(row: OurRow, sums: Sums, day: string, direction: bigint, terms: Terms): Compared | null {
  const [line] = sums.principalLines;
  const isBare = sums.fee === null && sums.tax === null && sums.duty === null;
  const isOfRecord = row.kind === 'collection' || row.kind === 'payout' || row.kind === 'refund';
  if (line === undefined || !isBare || !isOfRecord || terms.isLedger) return null;
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
