import { WALLETS } from '../accounts.ts';
import type { Business } from '../business.ts';
import { sell } from '../collections.ts';
import { october } from '../days.ts';
import { moneyText as text } from '../money.ts';
import { payOut } from '../payouts.ts';
import { giveBack } from '../refunds.ts';
import type { ExpectedItem } from '../story.ts';

/* Faults between our records and the wallet. Each is on records and lines of its own. */

const LEG = { leg: 'records-wallet', environment: 'test' } as const;
const breaks = (plant: string, code: string, side: 'ours' | 'theirs') =>
  ({ ...LEG, list: 'breaks', plant, code, side }) satisfies ExpectedItem;

export function lineOfNoCollection(b: Business): void {
  const [amount, reference] = [b.oddAmount(), b.name('C')];
  const line = b.book.line(WALLETS.NGN, b.day(), 'collection', amount, { reference });
  b.book.expect({
    ...breaks('a collection in the wallet, no record', 'missing_internal', 'theirs'),
    ...{ kind: 'collection', account: 'wallet-ngn', reference, currency: 'NGN', ours: null, theirs: text(amount) },
    ...{ effect: amount, lines: [line] },
  });
}

export function lineOfNoPayout(b: Business): void {
  const [amount, reference] = [b.oddAmount(), b.name('P')];
  const line = b.book.line(WALLETS.GHS, b.day(), 'payout', -amount, { reference, sessionId: `S${reference}` });
  b.book.expect({
    ...breaks('a payout in the wallet, no record', 'missing_internal', 'theirs'),
    ...{ kind: 'payout', account: 'wallet-ghs', reference, currency: 'GHS', ours: null, theirs: text(amount) },
    ...{ effect: -amount, lines: [line] },
  });
}

export function lineOfNoRefund(b: Business): void {
  const [amount, reference] = [b.oddAmount(), b.name('R')];
  const line = b.book.line(WALLETS.USD, b.day(), 'refund', -amount, { reference });
  b.book.expect({
    ...breaks('a refund in the wallet, no record', 'missing_internal', 'theirs'),
    ...{ kind: 'refund', account: 'wallet-usd', reference, currency: 'USD', ours: null, theirs: text(amount) },
    ...{ effect: -amount, lines: [line] },
  });
}

/** A chargeback is in no leg, but one that names a collection that we do not know is a break. */
export function chargebackOfNoCollection(b: Business): void {
  const [amount, reference] = [b.oddAmount(), b.name('C')];
  const line = b.book.line(WALLETS.NGN, b.day(), 'chargeback', -amount, { reference });
  const { leg: _, ...item } = breaks('a chargeback of an unknown collection', 'missing_internal', 'theirs');
  b.book.expect({
    ...item,
    ...{ account: 'wallet-ngn', reference, currency: 'NGN', ours: null, theirs: text(amount), effect: -amount },
    lines: [line],
  });
}

export function collectionWithoutLine(b: Business): void {
  const amount = b.oddAmount();
  const { record, net } = sell(b, { day: b.day(), amount, wallet: null, tax: null });
  b.book.expect({
    ...breaks('a collection without its line', 'missing_external', 'ours'),
    ...{ kind: 'collection', account: 'wallet-ngn', reference: record.reference, currency: 'NGN' },
    ...{ ours: text(amount), theirs: null, effect: -net },
  });
}

export function payoutWithoutLine(b: Business): void {
  const amount = b.oddAmount();
  const { record, whole } = payOut(b, { day: b.day(), amount, debit: null });
  b.book.expect({
    ...breaks('a payout without its line', 'missing_external', 'ours'),
    ...{ kind: 'payout', account: 'wallet-ghs', reference: record.reference, currency: 'GHS' },
    ...{ ours: text(amount), theirs: null, effect: whole },
  });
}

export function refundWithoutLine(b: Business): void {
  const amount = b.oddAmount();
  const given = { requested: october(5), ended: october(8), amount, status: 'success', lines: 'none' } as const;
  const { record, reserved } = giveBack(b, given);
  b.book.expect({
    ...breaks('a refund without its lines', 'missing_external', 'ours'),
    ...{ kind: 'refund', account: 'wallet-usd', reference: record.reference, currency: 'USD' },
    ...{ theirs: null, effect: reserved },
  });
}

/** Not due before the month ends: Friday's or Saturday's payment, with a line on Monday or none yet. */
export function notDueYet(b: Business): void {
  const { record, net } = sell(b, { day: october(30 + b.pick(2)), amount: b.oddAmount(), tax: null, wallet: null });
  b.book.expect({
    ...{ ...LEG, list: 'timing', plant: 'a collection whose line is not due', code: 'timing', side: 'ours' },
    ...{ kind: 'collection', account: 'wallet-ngn', reference: record.reference, currency: 'NGN', effect: -net },
  });
}

export function lineInTheNextMonth(b: Business): void {
  sell(b, { day: october(30 + b.pick(2)), amount: b.oddAmount(), wallet: { day: october(33) } });
}

/** Paid at 00:30 of 1 November in Lagos, which is still October in UTC; the wallet has it on 31 October. */
export function lineInTheMonthBefore(b: Business): void {
  const sale = {
    day: october(32),
    paidAt: '2026-10-31T23:30:00Z',
    amount: b.oddAmount(),
    wallet: { day: october(31) },
  };
  const { record, net, wallet } = sell(b, sale);
  b.book.expect({
    ...{ ...LEG, list: 'timing', plant: 'a line before its record, in the month before', code: 'timing' },
    ...{ account: 'wallet-ngn', reference: record.reference, currency: 'NGN', effect: net },
    lines: wallet === null ? [] : [wallet],
  });
}

/** Same amount and day, another reference: two breaks or a suggestion, never a match. */
export function alikeUnderAnotherName(b: Business): void {
  const [amount, day] = [b.oddAmount(), b.day()];
  const { record } = payOut(b, { day, amount, fee: 0n, debit: null });
  const reference = b.name('P');
  const line = b.book.line(WALLETS.GHS, day, 'payout', -amount, { reference });
  b.book.either.push({
    plant: 'equal amount and day under different references',
    ours: record.reference,
    line,
    effects: { ours: amount, theirs: -amount },
  });
}
