import { formatMoney, type Money, percentOf, roundHalfUpToMinor, smaller } from '../world/money.ts';
import { type Currency, type Environment, recordKey, scopeKey } from '../world/records.ts';
import { type AccountName, type Entry, type Lot, OUTSIDE } from '../world/state.ts';
import type { World } from '../world/world.ts';

/**
 * The money, in double entry: a posting adds to one account what it takes from another, so all accounts of a currency
 * add up to zero. A merchant's accounts with the service never go below zero; its bank account and those outside may.
 */
export interface Holder {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly currency: Currency;
}

const isOutside = (name: AccountName): boolean => (OUTSIDE as readonly string[]).includes(name);

export function accountKey(holder: Holder, name: AccountName): string {
  return isOutside(name) ? `outside/${holder.currency}/${name}` : `${recordKey(holder, holder.currency)}/${name}`;
}

export function balance(world: World, holder: Holder, name: AccountName): Money {
  return world.state.books.accounts.get(accountKey(holder, name)) ?? 0n;
}

export type Move = Pick<Entry, 'from' | 'to' | 'amount' | 'type' | 'reason' | 'reference'>;

/** Moves `amount` between two accounts. Zero makes no entry. Throws when a merchant's account would go below zero. */
export function post(world: World, holder: Holder, move: Move): void {
  const { from, to, amount } = move;
  if (amount === 0n) return;
  if (amount < 0n) throw new Error(`posting of ${formatMoney(amount)} for ${move.reference}: amounts are positive`);
  const { books } = world.state;
  const left = balance(world, holder, from) - amount;
  if (left < 0n && !isOutside(from) && from !== 'bank') {
    throw new Error(`${accountKey(holder, from)} would stand at ${formatMoney(left)} after ${move.reason}`);
  }
  books.accounts.set(accountKey(holder, from), left);
  books.accounts.set(accountKey(holder, to), balance(world, holder, to) + amount);
  books.entries.push({ at: world.stamp(), scope: scopeKey(holder), currency: holder.currency, ...move });
  const limit = world.settings.entryLogLimit;
  if (books.entries.length > limit * 1.1) {
    const dropped = books.entries.length - limit;
    books.entriesDropped += dropped;
    books.droppedUntil = books.entries[dropped - 1]?.at ?? '';
    books.entries = books.entries.slice(-limit);
  }
}

/** A fee with the tax on it, and that tax. */
export interface Charge {
  readonly fee: Money;
  readonly tax: Money;
}

/** The fee of a record with the tax on it, from the fee of the agreement, by the settings `feeRounding` and `feeTaxPercent`. */
export function charge({ settings }: World, agreed: Money): Charge {
  const rounded = settings.feeRounding === 'half_up' ? roundHalfUpToMinor(agreed) : agreed;
  const tax = roundHalfUpToMinor(percentOf(rounded, settings.feeTaxPercent));
  return { fee: rounded + tax, tax };
}

/** Posts a fee and the tax on it; `fee` contains the tax, as in the records. */
export function postFee(
  world: World,
  holder: Holder,
  { fee, tax, ...move }: Charge & Pick<Move, 'from' | 'reason' | 'reference'>,
): void {
  post(world, holder, { ...move, to: 'fees', amount: fee - tax, type: 'fee' });
  post(world, holder, { ...move, to: 'tax', amount: tax, type: 'tax', reason: `tax on ${move.reason}` });
}

export function lotsOf(world: World, holder: Holder): Lot[] {
  const key = recordKey(holder, holder.currency);
  const { lots } = world.state.books;
  const found = lots.get(key) ?? [];
  lots.set(key, found);
  return found;
}

/** Adds a lot for money posted to `pending`, and schedules the job that settles it. */
export function addLot(world: World, holder: Holder, amount: Money): void {
  if (amount === 0n) return;
  const delayMs = world.settings.settlementDelayMs;
  const lot = { id: world.nextId('lot'), amount, settlesAtMs: world.clock.now() + delayMs };
  lotsOf(world, holder).push(lot);
  const { merchantId, environment, currency } = holder;
  world.clock.schedule(delayMs, 'settle_lot', { merchantId, environment, currency, lot: lot.id });
}

/** Removes up to `amount` from the lots, beginning with the earliest or latest to settle. Returns the amount removed. */
export function takeFromLots(world: World, holder: Holder, amount: Money, end: 'earliest' | 'latest'): Money {
  const lots = lotsOf(world, holder);
  let left = amount;
  while (left > 0n) {
    const lot = end === 'earliest' ? lots[0] : lots.at(-1);
    if (!lot) break;
    const part = smaller(lot.amount, left);
    lot.amount -= part;
    left -= part;
    if (lot.amount === 0n) lots.splice(lots.indexOf(lot), 1);
  }
  return amount - left;
}
