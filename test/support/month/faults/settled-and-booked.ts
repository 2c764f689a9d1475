import { BOOKS, SETTLEMENTS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { feeOf, sell } from '../collections.ts';
import { TO } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { nairaItem as item } from './naira-item.ts';

/* Faults between our collections and the lines of settlements and of the own books. */

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
