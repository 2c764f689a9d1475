import { BANK, WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { sell } from '../collections.ts';
import { nextBusinessDay } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { nairaItem as item } from './naira-item.ts';

/* Faults of batches on their way to the bank. */

interface Batch {
  readonly group: string;
  readonly day: string;
  readonly sum: bigint;
}

/** Three sales in a batch of their own, booked by us; what wallet and bank say is the story's. */
function threeSales(b: Business): Batch {
  const [sold, group] = [b.day(), b.name('B')];
  const batch = { group, day: nextBusinessDay(sold) };
  for (let n = 0; n < 3; n++) sell(b, { day: sold, amount: b.oddAmount(), batch });
  const { sum } = b.close(group);
  b.bookBatch(batch.day, sum);
  return { ...batch, sum };
}

function inWallet(b: Business, { group, day, sum }: Batch, amount = -sum) {
  b.book.match('batch-wallet');
  return b.book.line(WALLETS.NGN, day, 'settlement', amount, { group });
}

function inBank(b: Business, { group, day, sum }: Batch, amount = sum) {
  b.book.match('batch-bank');
  return b.book.line(BANK, nextBusinessDay(day), 'settlement', amount, { group });
}

export function batchMissingInWallet(b: Business): void {
  const batch = threeSales(b);
  inBank(b, batch);
  b.book.expect({
    ...item('a batch that never left the wallet', 'missing_external', 'batch-wallet', 'ours', 'wallet-ngn'),
    ...{ kind: 'batch', reference: batch.group, ours: text(batch.sum), theirs: null, effect: batch.sum },
  });
}

export function batchMissingInBank(b: Business): void {
  const batch = threeSales(b);
  inWallet(b, batch);
  b.book.expect({
    ...item('a batch that never reached the bank', 'missing_external', 'batch-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'batch', reference: batch.group, ours: text(batch.sum), theirs: null, effect: -batch.sum },
  });
}

export function walletSplit(b: Business): void {
  const batch = threeSales(b);
  inBank(b, batch);
  const line = b.book.line(WALLETS.NGN, batch.day, 'settlement', -batch.sum + 333n, { group: batch.group });
  b.book.maybeMatch('batch-wallet');
  b.book.expect({
    ...item('a batch of another sum in the wallet', 'split_incomplete', 'batch-wallet', 'ours', 'wallet-ngn'),
    ...{ kind: 'batch', reference: batch.group, ours: text(batch.sum), theirs: text(batch.sum - 333n) },
    ...{ variance: '-3.33', effect: 333n, lines: [line] },
  });
}

export function bankSplit(b: Business): void {
  const batch = threeSales(b);
  inWallet(b, batch);
  const line = b.book.line(BANK, nextBusinessDay(batch.day), 'settlement', batch.sum + 44_444n, { group: batch.group });
  b.book.maybeMatch('batch-bank');
  b.book.expect({
    ...item('a batch of another sum in the bank', 'split_incomplete', 'batch-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'batch', reference: batch.group, ours: text(batch.sum), theirs: text(batch.sum + 44_444n) },
    ...{ variance: '444.44', effect: 44_444n, lines: [line] },
  });
}

/** The bank's file begins with its newest line, so of two equal ones the earlier row is the first. */
export function bankTwice(b: Business): void {
  const batch = threeSales(b);
  inWallet(b, batch);
  const lower = inBank(b, batch);
  const { day, amount, group } = lower;
  b.book.line(BANK, day, 'settlement', amount, { group });
  b.book.expect({
    ...item('a batch twice in the bank', 'duplicate_external', 'batch-bank', 'theirs', 'bank-ngn'),
    ...{ effect: amount, lines: [lower] },
  });
}

/** The bank's line does not name its batch: sum and day can only suggest it. */
export function bankWithoutName(b: Business): void {
  const batch = threeSales(b);
  inWallet(b, batch);
  const line = b.book.line(BANK, nextBusinessDay(batch.day), 'settlement', batch.sum);
  b.book.expect({
    ...{ list: 'suggested', plant: 'a batch that the bank does not name', code: 'suggested', leg: 'batch-bank' },
    ...{ environment: 'test', account: 'bank-ngn', currency: 'NGN', effect: 0n, lines: [line] },
  });
}

export function bankStranger(b: Business): void {
  const [group, amount] = [b.name('B'), b.oddAmount()];
  const line = b.book.line(BANK, b.day(), 'settlement', amount, { group });
  b.book.expect({
    ...item('a settlement in the bank, no batch', 'missing_internal', 'batch-bank', 'theirs', 'bank-ngn'),
    ...{ ours: null, theirs: text(amount), effect: amount, lines: [line] },
  });
}

export function walletStranger(b: Business): void {
  const [group, amount] = [b.name('B'), b.oddAmount()];
  const line = b.book.line(WALLETS.NGN, b.day(), 'settlement', -amount, { group });
  b.book.expect({
    ...item('a settlement in the wallet, no batch', 'missing_internal', 'batch-wallet', 'theirs', 'wallet-ngn'),
    ...{ ours: null, theirs: text(amount), effect: -amount, lines: [line] },
  });
}
