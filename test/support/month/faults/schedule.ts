import type { Business } from '../business.ts';
import { sell } from '../collections.ts';
import { moneyText as text } from '../money.ts';
import type { ExpectedItem, FileLine } from '../story.ts';

/* Tax on fees, judged by a schedule: 2 per cent of a collection, and 7.5 per cent VAT on the fee. */

export const SCHEDULE = `schedule:
  - { from: 2026-01-01, kind: collection, currency: NGN, percent: 2, tax: { percent: 7.5 } }
`;

function item(plant: string, code: string, reference: string, line: FileLine | null): ExpectedItem {
  return {
    ...{ list: 'breaks', plant, code, leg: 'records-wallet', side: 'ours', kind: 'collection', environment: 'test' },
    ...{ account: 'wallet-ngn', reference, currency: 'NGN', lines: line === null ? [] : [line] },
  };
}

/** 1,000.00 × the number, so that every fee and tax is whole: fee 20.00, VAT 1.50. */
function roundSale(b: Business) {
  const times = BigInt(1_000 + b.pick(9_000));
  return { day: b.day(), amount: times * 100_000n, fee: times * 2_000n, tax: times * 150n };
}

/** The fee is right, its VAT is not. */
export function taxDiffers(b: Business): void {
  const { fee, tax, amount, ...sale } = roundSale(b);
  const wallet = { fee, tax: tax + 77n, amount: amount - fee - tax - 77n };
  const sold = sell(b, { ...sale, amount, fee, tax, wallet });
  b.book.expect({
    ...item('VAT that is not the schedule’s', 'tax_mismatch', sold.record.reference, sold.wallet),
    ...{ ours: text(tax), theirs: text(tax + 77n), variance: '0.77', effect: -77n },
  });
}

/** The fee is not ours, and its VAT is the schedule's of that fee: the whole difference is the fee's. */
export function taxFollowsTheFee(b: Business): void {
  const { fee, tax, amount, ...sale } = roundSale(b);
  const wallet = { fee: fee + 4_000n, tax: tax + 300n, amount: amount - fee - tax - 4_300n };
  const sold = sell(b, { ...sale, amount, fee, tax, wallet });
  b.book.expect({
    ...item('another fee with its VAT', 'fee_mismatch', sold.record.reference, sold.wallet),
    ...{ variance: '43.00', effect: -4_300n },
  });
}

/** Both differ: the VAT from the schedule's of their fee, the fee by what is left. */
export function feeAndTaxDiffer(b: Business): void {
  const { fee, tax, amount, ...sale } = roundSale(b);
  const wallet = { fee: fee + 4_000n, tax: tax + 350n, amount: amount - fee - tax - 4_350n };
  const sold = sell(b, { ...sale, amount, fee, tax, wallet });
  const { reference } = sold.record;
  b.book.expect({
    ...item('another fee beside a wrong VAT', 'fee_mismatch', reference, sold.wallet),
    ...{ variance: '43.00', effect: -4_300n },
  });
  b.book.expect({
    ...item('a wrong VAT beside another fee', 'tax_mismatch', reference, sold.wallet),
    ...{ ours: text(tax + 300n), theirs: text(tax + 350n), variance: '0.50', effect: -50n },
  });
}

/** Line and record agree on more than the schedule: a matter of the audit, no break. */
export function agreedAboveTheSchedule(b: Business): void {
  const { fee, tax, amount, ...sale } = roundSale(b);
  sell(b, { ...sale, amount, fee: fee + 1_000n, tax: tax + 75n });
}
