import { WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { feeOf, sell, sellLive } from '../collections.ts';
import { october } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { payOut } from '../payouts.ts';
import { giveBack } from '../refunds.ts';
import type { ExpectedItem, FileLine } from '../story.ts';

/* A record and its line, of which one field differs. */

interface Differs {
  readonly plant: string;
  readonly code: string;
  readonly kind: string;
  readonly currency: string;
  readonly reference: string;
  readonly lines: readonly (FileLine | null)[];
  readonly ours?: bigint;
  readonly theirs?: bigint;
  readonly variance: bigint;
  readonly effect: bigint;
}

function differs({ lines, ours, theirs, variance, currency, ...fault }: Differs): ExpectedItem {
  return {
    ...{ list: 'breaks', leg: 'records-wallet', side: 'ours', environment: 'test' },
    ...{ ...fault, currency, account: `wallet-${currency.toLowerCase()}`, field: FIELDS[fault.code] ?? 'amount' },
    ...(ours !== undefined && { ours: text(ours) }),
    ...(theirs !== undefined && { theirs: text(theirs) }),
    variance: text(variance),
    lines: lines.filter((line) => line !== null),
  };
}

const FIELDS: Readonly<Record<string, string>> = { fee_mismatch: 'fee', duty_mismatch: 'duty' };

const more = (b: Business): bigint => BigInt(1 + b.pick(400));

export function collectedLess(b: Business): void {
  const [amount, less] = [b.oddAmount(), more(b)];
  const fee = feeOf(amount);
  const { record, wallet } = sell(b, { day: b.day(), amount, fee, tax: null, wallet: { amount: amount - fee - less } });
  b.book.expect(
    differs({
      ...{ plant: 'a collection of less', code: 'amount_mismatch', kind: 'collection', currency: 'NGN' },
      ...{ reference: record.reference, lines: [wallet], ours: amount, theirs: amount - less },
      ...{ variance: -less, effect: -less },
    }),
  );
}

export function paidOutMore(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const { record, debit } = payOut(b, {
    day: b.day(),
    amount,
    fee: 2_500n,
    debit: { amount: -amount - 2_500n - over },
  });
  b.book.expect(
    differs({
      ...{ plant: 'a payout of more', code: 'amount_mismatch', kind: 'payout', currency: 'GHS' },
      ...{ reference: record.reference, lines: [debit], ours: amount, theirs: amount + over },
      ...{ variance: over, effect: -over },
    }),
  );
}

export function refundedMore(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const refund = { amount: -amount - 50n - over };
  const { record, lines } = giveBack(b, {
    ...{ requested: october(4), ended: october(9), amount, status: 'success', lines: 'net', refund },
  });
  b.book.expect(
    differs({
      ...{ plant: 'a refund of more', code: 'amount_mismatch', kind: 'refund', currency: 'USD' },
      ...{ reference: record.reference, lines, ours: amount, theirs: amount + over, variance: over, effect: -over },
    }),
  );
}

/** Its file says the net amount alone: the sum of the group is what is compared. */
export function liveSumDiffers(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const { reference } = sellLive(b, { day: b.day(), amount, more: over });
  const line = b.book.lines.at(-1) as FileLine;
  b.book.expect({
    ...{ list: 'breaks', plant: 'a net amount that differs', code: 'amount_mismatch', leg: 'records-wallet' },
    ...{ side: 'ours', kind: 'collection', environment: 'live', account: 'wallet-live', reference, currency: 'NGN' },
    ...{ field: 'amount', variance: text(over), effect: over, lines: [line] },
  });
}

export function collectionFee(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const fee = feeOf(amount);
  const wallet = { fee: fee + over, amount: amount - fee - over };
  const sold = sell(b, { day: b.day(), amount, fee, tax: null, wallet });
  b.book.expect(
    differs({
      ...{ plant: 'a collection with another fee', code: 'fee_mismatch', kind: 'collection', currency: 'NGN' },
      ...{ reference: sold.record.reference, lines: [sold.wallet], ours: fee, theirs: fee + over },
      ...{ variance: over, effect: -over },
    }),
  );
}

/** The file divides fee and tax: both sides are shown less the tax. */
export function collectionFeeBesideTax(b: Business): void {
  const [amount, over, fee, tax] = [b.oddAmount(), more(b), 20_000n, 1_500n];
  const wallet = { fee: fee + over, tax, amount: amount - fee - tax - over };
  const sold = sell(b, { day: b.day(), amount, fee, tax, wallet });
  b.book.expect(
    differs({
      ...{ plant: 'another fee beside its tax', code: 'fee_mismatch', kind: 'collection', currency: 'NGN' },
      ...{ reference: sold.record.reference, lines: [sold.wallet], variance: over, effect: -over },
    }),
  );
}

export function payoutFee(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const debit = { fee: 1_250n + over, amount: -amount - 1_250n - over };
  const paid = payOut(b, { day: b.day(), amount, fee: 1_250n, debit });
  b.book.expect(
    differs({
      ...{ plant: 'a payout with another fee', code: 'fee_mismatch', kind: 'payout', currency: 'GHS' },
      ...{ reference: paid.record.reference, lines: [paid.debit], ours: 1_250n, theirs: 1_250n + over },
      ...{ variance: over, effect: -over },
    }),
  );
}

export function refundFee(b: Business): void {
  const [amount, over] = [b.oddAmount(), more(b)];
  const refund = { fee: 50n + over, amount: -amount - 50n - over };
  const { record, lines } = giveBack(b, {
    ...{ requested: october(6), ended: october(12), amount, fee: 50n, status: 'success', lines: 'net', refund },
  });
  b.book.expect(
    differs({
      ...{ plant: 'a refund with another fee', code: 'fee_mismatch', kind: 'refund', currency: 'USD' },
      ...{ reference: record.reference, lines, ours: 50n, theirs: 50n + over, variance: over, effect: -over },
    }),
  );
}

export function dutyCharged(b: Business): void {
  const amount = b.oddAmount();
  const debit = { duty: 5_000n, amount: -amount - 7_500n };
  const paid = payOut(b, { day: b.day(), amount, debit });
  b.book.expect(
    differs({
      ...{ plant: 'a duty that we do not know', code: 'duty_mismatch', kind: 'payout', currency: 'GHS' },
      ...{ reference: paid.record.reference, lines: [paid.debit], ours: 0n, theirs: 5_000n },
      ...{ variance: 5_000n, effect: -5_000n },
    }),
  );
}

export function dutyNotCharged(b: Business): void {
  const amount = b.oddAmount();
  const paid = payOut(b, { day: b.day(), amount, duty: 5_000n, debit: { duty: 0n, amount: -amount - 2_500n } });
  b.book.expect(
    differs({
      ...{ plant: 'a duty that the wallet does not show', code: 'duty_mismatch', kind: 'payout', currency: 'GHS' },
      ...{ reference: paid.record.reference, lines: [paid.debit], ours: 5_000n, theirs: 0n },
      ...{ variance: -5_000n, effect: 5_000n },
    }),
  );
}

/** An effect is of one account and currency, so there is a break on each side: what is missing here, and what is too much there. */
export function otherCurrency(b: Business): void {
  const amount = b.oddAmount();
  const { record, net } = sell(b, { day: b.day(), amount, fee: 0n, tax: null, wallet: null });
  const { reference } = record;
  const line = b.book.line(WALLETS.USD, record.day, 'collection', amount, { reference });
  b.book.maybeMatch('records-wallet');
  const item: ExpectedItem = {
    ...{ list: 'breaks', plant: 'a line in another currency', code: 'currency_mismatch', leg: 'records-wallet' },
    ...{ side: 'ours', kind: 'collection', environment: 'test', reference, ours: 'NGN', theirs: 'USD', variance: null },
  };
  b.book.expect({ ...item, account: 'wallet-ngn', currency: 'NGN', effect: -net });
  b.book.expect({ ...item, account: 'wallet-usd', currency: 'USD', effect: amount, lines: [line] });
}
