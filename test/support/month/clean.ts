import { BANK, WALLETS } from './accounts.ts';
import type { Business } from './business.ts';
import { collectionOf, feeOf, sell, sellLive } from './collections.ts';
import { nextBusinessDay, october } from './days.ts';
import { perMille } from './money.ts';
import { payOut } from './payouts.ts';
import { giveBack } from './refunds.ts';

/* Business in which nothing is wrong, in the proportions of a month: what a reconciliation must not complain about. */

type Story = (business: Business) => void;

const saleInNaira: Story = (b) => sell(b, { day: october(1 + b.pick(31)), amount: b.amount() });
const saleWithoutTax: Story = (b) => sell(b, { day: october(1 + b.pick(31)), amount: b.amount(), tax: null });
const saleInDollars: Story = (b) => sell(b, { day: october(1 + b.pick(31)), amount: b.amount(), currency: 'USD' });
const liveSale: Story = (b) => sellLive(b, { day: october(1 + b.pick(31)), amount: b.amount() });

/** Both environments have a payment of this name. */
const liveTwin: Story = (b) => {
  const { reference } = sell(b, { day: b.day(), amount: b.amount() }).record;
  sellLive(b, { day: b.day(), amount: b.amount(), reference });
};
/** More than a float holds. */
const hugeSale: Story = (b) => sellLive(b, { day: b.day(), amount: 9_007_199_254_740_993n, fee: 1n });

/** Two equal payments of one day are no copies. */
const equalPayments: Story = (b) => {
  const sale = { day: b.day(), amount: b.amount() };
  sell(b, sale);
  sell(b, sale);
};

/** Its line came days after it was due: it is there, so it is no break. */
const lateLine: Story = (b) => {
  const day = b.day(15);
  sell(b, { day, amount: b.amount(), wallet: { day: october(22 + b.pick(8)) } });
};

const payoutInNaira: Story = (b) => payOut(b, { day: october(1 + b.pick(31)), amount: b.amount(), currency: 'NGN' });
const payoutWithDuty: Story = (b) => payOut(b, { day: b.day(), amount: b.amount(), duty: 5_000n });
const payoutReversed: Story = (b) => payOut(b, { day: b.day(), amount: b.amount(), status: 'reversed' });
const payoutFailed: Story = (b) => payOut(b, { day: b.day(), amount: b.amount(), status: 'failed' });
const payoutFailedAndBack: Story = (b) =>
  payOut(b, { day: b.day(), amount: b.amount(), status: 'failed', debit: {}, reversal: {} });
/** The line names the transfer and not the payout. */
const payoutBySession: Story = (b) => {
  const sessionId = b.name('S');
  payOut(b, { day: b.day(), amount: b.amount(), sessionId, debit: { reference: null, sessionId } });
};

const refundPaid: Story = (b) => refundOn(b, 'success', 'steps');
const refundNet: Story = (b) => refundOn(b, 'success', 'net');
const refundRejected: Story = (b) => refundOn(b, 'rejected', 'steps');
const refundAcrossTheMonth: Story = (b) =>
  giveBack(b, {
    requested: october(27 + b.pick(4)),
    ended: october(33 + b.pick(3)),
    amount: b.amount(),
    status: 'success',
  });
const refundWaiting: Story = (b) =>
  giveBack(b, { requested: october(25 + b.pick(6)), ended: null, amount: b.amount(), status: 'awaiting_settlement' });
const refundProcessing: Story = (b) =>
  giveBack(b, { requested: october(25 + b.pick(6)), ended: null, amount: b.amount(), status: 'processing' });
/** It failed, and a second attempt succeeded. */
const refundRetried: Story = (b) => {
  const [requested, ended] = [october(3 + b.pick(10)), october(15 + b.pick(10))];
  const at = (day: number) => ({ completed_at: null, updated_at: `${october(day)}T09:00:00Z` });
  const webhooks = [
    ['failed', at(13)],
    ['processing', at(14)],
    ['success', {}],
  ] as const;
  giveBack(b, { requested, ended, amount: b.amount(), status: 'success', webhooks });
};

function refundOn(b: Business, status: string, lines: 'steps' | 'net'): void {
  const requested = 1 + b.pick(20);
  giveBack(b, {
    ...{ requested: october(requested), ended: october(requested + 2 + b.pick(6)), amount: b.amount(), status, lines },
  });
}

const topUp: Story = (b) => {
  if (!b.options.settlements) return;
  const [day, reference, amount] = [b.day(), b.name('U'), b.amount()];
  b.book.line(WALLETS.NGN, day, 'top_up', amount, { reference, asOurs: true });
  b.book.line(BANK, day, 'top_up', -amount, { reference });
  b.book.post(BANK, day, { top_ups: -amount });
  b.book.match('topup-bank');
};

/** What has no other side: ours is what the statement says. */
const aloneByNature: Story = (b) => {
  const day = b.day();
  const amount = b.amount();
  const { reference } = sell(b, { day, amount }).record;
  const asOurs = true;
  // No more than was collected.
  const chargedBack = perMille(amount, 700n);
  b.book.line(WALLETS.NGN, nextBusinessDay(day), 'chargeback', -chargedBack, { reference, asOurs });
  b.book.line(WALLETS.NGN, nextBusinessDay(day), 'chargeback_reversal', perMille(amount, 300n), { reference, asOurs });
  b.book.line(WALLETS.NGN, day, 'fee', -b.amount(), { asOurs });
  b.book.line(WALLETS.USD, day, 'adjustment', b.amount(), { asOurs });
  b.book.line(WALLETS.USD, day, 'transfer', -b.amount(), { asOurs });
  b.book.line(WALLETS.USD, day, 'top_up', b.amount(), { reference: b.name('U'), asOurs });
  const group = b.name('X');
  b.book.line(WALLETS.USD, day, 'conversion', -b.amount(), { group, asOurs });
  b.book.line(WALLETS.GHS, day, 'conversion', b.amount(), { group, asOurs });
  b.book.line(WALLETS.GHS, day, 'other', -b.amount(), { asOurs });
  if (b.options.settlements) b.book.line(BANK, day, 'fee', -b.amount(), { asOurs });
};

/** No statement is of this currency. */
const withoutStatement: Story = (b) => {
  const amount = b.amount();
  b.book.record(collectionOf(b, { day: b.day(), amount, fee: feeOf(amount), currency: 'KES', status: 'success' }));
};

const failedSale: Story = (b) => {
  b.book.record(collectionOf(b, { day: b.day(), amount: b.amount(), fee: 0n, currency: 'NGN', status: 'failed' }));
};

const IN_HUNDRED: readonly (readonly [number, Story])[] = [
  [34, saleInNaira],
  [8, saleWithoutTax],
  [6, saleInDollars],
  [4, liveSale],
  [1, liveTwin],
  [0, hugeSale],
  [2, equalPayments],
  [3, lateLine],
  [8, payoutInNaira],
  [6, payoutWithDuty],
  [2, payoutReversed],
  [2, payoutFailed],
  [2, payoutFailedAndBack],
  [3, payoutBySession],
  [5, refundPaid],
  [3, refundNet],
  [2, refundRejected],
  [1, refundAcrossTheMonth],
  [1, refundWaiting],
  [1, refundProcessing],
  [1, refundRetried],
  [2, topUp],
  [1, aloneByNature],
  [1, withoutStatement],
  [1, failedSale],
];
const BY_CHANCE = IN_HUNDRED.flatMap(([weight, story]) => Array<Story>(weight).fill(story));

/** About that many pieces of business: every kind at least once, then by chance. */
export function clean(business: Business, count: number): void {
  for (const [, story] of IN_HUNDRED) story(business);
  for (let n = IN_HUNDRED.length; n < count; n++) BY_CHANCE[business.pick(BY_CHANCE.length)]?.(business);
}
