import { BANK, BOOKS, SETTLEMENTS, WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { feeOf, sell } from '../collections.ts';
import { nextBusinessDay, october, TO } from '../days.ts';
import { moneyText as text } from '../money.ts';
import type { ExpectedItem } from '../story.ts';

/* Faults of batches on their way to the bank, of top-ups, and of lines of settlement and own books. */

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

const item = (plant: string, code: string, leg: string, side: 'ours' | 'theirs', account: string): ExpectedItem => ({
  ...{ list: 'breaks', plant, code, leg, side, environment: 'test', account, currency: 'NGN' },
});

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

export function bankTwice(b: Business): void {
  const batch = threeSales(b);
  inWallet(b, batch);
  const { day, amount, group } = inBank(b, batch);
  const second = b.book.line(BANK, day, 'settlement', amount, { group });
  b.book.expect({
    ...item('a batch twice in the bank', 'duplicate_external', 'batch-bank', 'theirs', 'bank-ngn'),
    ...{ effect: amount, lines: [second] },
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

/** `bankAmount`: what the bank says of it; null: nothing. */
function topUp(b: Business, day: string, bankDay: string, moreInBank: bigint | null) {
  const [amount, reference] = [b.oddAmount(), b.name('U')];
  b.book.line(WALLETS.NGN, day, 'top_up', amount, { reference, asOurs: true });
  b.book.post(BANK, day, { top_ups: -amount });
  if (moreInBank === null) return { amount, reference, line: null };
  b.book.match('topup-bank');
  return { amount, reference, line: b.book.line(BANK, bankDay, 'top_up', -amount - moreInBank, { reference }) };
}

export function topUpMissingInBank(b: Business): void {
  const { amount, reference } = topUp(b, b.day(), '', null);
  b.book.expect({
    ...item('a top-up that the bank does not have', 'missing_external', 'topup-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'top_up', reference, ours: text(amount), theirs: null, effect: amount },
  });
}

export function topUpDiffers(b: Business): void {
  const day = b.day();
  const { amount, reference, line } = topUp(b, day, day, 777n);
  b.book.expect({
    ...item('a top-up of another amount', 'amount_mismatch', 'topup-bank', 'ours', 'bank-ngn'),
    ...{ kind: 'top_up', reference, ours: text(amount), theirs: text(amount + 777n), variance: '7.77', effect: -777n },
    lines: line === null ? [] : [line],
  });
}

export function topUpNotDue(b: Business): void {
  const { amount, reference } = topUp(b, october(30), october(33), 0n);
  b.book.expect({
    ...{ ...item('a top-up that the bank has later', 'timing', 'topup-bank', 'ours', 'bank-ngn'), list: 'timing' },
    ...{ reference, effect: amount },
  });
}

export function topUpStranger(b: Business): void {
  const [reference, amount] = [b.name('U'), b.oddAmount()];
  const line = b.book.line(BANK, b.day(), 'top_up', -amount, { reference });
  b.book.expect({
    ...item('a top-up in the bank that no wallet has', 'missing_internal', 'topup-bank', 'theirs', 'bank-ngn'),
    ...{ reference, ours: null, theirs: text(amount), effect: -amount, lines: [line] },
  });
}

export function notSettled(b: Business): void {
  const amount = b.oddAmount();
  const { record, net } = sell(b, { day: b.day(), amount, tax: null, settlement: null });
  b.book.expect({
    ...item('a collection in no batch', 'missing_external', 'records-settlement', 'ours', SETTLEMENTS.name),
    ...{ kind: 'collection', reference: record.reference, ours: text(amount), theirs: null, effect: -net },
  });
}

export function settledStranger(b: Business): void {
  const [reference, amount] = [b.name('C'), b.oddAmount()];
  const line = b.book.line(SETTLEMENTS, b.day(), 'collection', amount, { reference });
  b.book.expect({
    ...item('a settled collection, no record', 'missing_internal', 'records-settlement', 'theirs', SETTLEMENTS.name),
    ...{ kind: 'collection', reference, ours: null, theirs: text(amount), effect: amount, lines: [line] },
  });
}

export function settledWithAnotherFee(b: Business): void {
  const amount = b.oddAmount();
  const fee = feeOf(amount);
  const sold = sell(b, {
    ...{ day: b.day(), amount, fee, tax: null, settlement: { fee: fee + 111n, amount: amount - fee - 111n } },
  });
  b.book.expect({
    ...item('a settled collection with another fee', 'fee_mismatch', 'records-settlement', 'ours', SETTLEMENTS.name),
    ...{
      kind: 'collection',
      reference: sold.record.reference,
      field: 'fee',
      ours: text(fee),
      theirs: text(fee + 111n),
    },
    ...{ variance: '1.11', effect: -111n, lines: sold.settlement === null ? [] : [sold.settlement] },
  });
}

export function notBooked(b: Business): void {
  const amount = b.oddAmount();
  const { record, net } = sell(b, { day: b.day(), amount, tax: null, books: null });
  b.book.expect({
    ...item('a collection that the own books lack', 'missing_external', 'records-ledger', 'ours', BOOKS.name),
    ...{ kind: 'collection', reference: record.reference, ours: text(amount), theirs: null, effect: -net },
  });
}

export function bookedStranger(b: Business): void {
  const [reference, amount] = [b.name('C'), b.oddAmount()];
  const line = b.book.line(BOOKS, b.day(), 'collection', amount, { reference });
  b.book.expect({
    ...item('a booked collection, no record', 'missing_internal', 'records-ledger', 'theirs', BOOKS.name),
    ...{ kind: 'collection', reference, ours: null, theirs: text(amount), effect: amount, lines: [line] },
  });
}

export function bookedDifferently(b: Business): void {
  const amount = b.oddAmount();
  const fee = feeOf(amount);
  const sold = sell(b, { day: b.day(), amount, fee, tax: null, books: { amount: amount - fee + 900n } });
  b.book.expect({
    ...item('a collection booked with another amount', 'amount_mismatch', 'records-ledger', 'ours', BOOKS.name),
    ...{ kind: 'collection', reference: sold.record.reference, field: 'amount', variance: '9.00', effect: 900n },
    ...{ ours: text(amount), theirs: text(amount + 900n), lines: sold.books === null ? [] : [sold.books] },
  });
}

/** Its line in the own books may come until three business days later. */
export function notBookedYet(b: Business): void {
  const { record, net } = sell(b, { day: TO, amount: b.oddAmount(), books: null });
  b.book.expect({
    ...{ ...item('a collection not booked yet', 'timing', 'records-ledger', 'ours', BOOKS.name), list: 'timing' },
    ...{ kind: 'collection', reference: record.reference, effect: -net },
  });
}
