import { formatMoney, type Money } from '../world/money.ts';
import { CURRENCIES, ENVIRONMENTS, type Refund } from '../world/records.ts';
import { OUTSIDE } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { balance, type Holder, lotsOf } from './ledger.ts';
import { refundable } from './refunds.ts';

/** The violations of the rules that the money must satisfy at all times, as sentences; empty when the books are right. */
export function checkBooks(world: World): string[] {
  return [
    ...conservation(world),
    ...holders(world).flatMap((holder) => reserves(world, holder)),
    ...refundIdentities(world),
    ...batches(world),
  ];
}

/** The nets of a batch's members add up to its amount, and each net is what gross leaves after fee and tax. */
function batches(world: World): string[] {
  return [...world.state.books.batches.values()].flatMap(({ id, amount, members }) => {
    const sum = members.reduce((total, { net }) => total + net, 0n);
    const odd = members.filter(({ gross, fee, tax, net }) => gross - fee - tax !== net);
    return [
      ...(sum === amount ? [] : [`batch ${id}: ${formatMoney(amount)}, its members add up to ${formatMoney(sum)}`]),
      ...odd.map(({ reference }) => `batch ${id}: the net of ${reference} is not its gross less fee and tax`),
    ];
  });
}

/** Each currency adds up to zero, and no account of a merchant but that at its bank is below zero. */
function conservation(world: World): string[] {
  const totals = new Map<string, Money>();
  const problems: string[] = [];
  for (const [key, amount] of world.state.books.accounts) {
    const parts = key.split('/');
    const currency = (parts[0] === 'outside' ? parts[1] : parts[2]) ?? '';
    totals.set(currency, (totals.get(currency) ?? 0n) + amount);
    const outside = parts[0] === 'outside' && (OUTSIDE as readonly string[]).includes(parts[2] ?? '');
    if (amount < 0n && !outside && !(parts.length === 4 && parts[3] === 'bank'))
      problems.push(`${key} is below zero: ${formatMoney(amount)}`);
  }
  for (const [currency, total] of totals) {
    if (total !== 0n) problems.push(`${currency} accounts add up to ${formatMoney(total)}, not to zero`);
  }
  return problems;
}

/** Reserved money equals what open refunds reserve, and unsettled money equals the lots. */
function reserves(world: World, holder: Holder): string[] {
  const refunds = [...world.state.refunds.values()].filter(
    ({ merchantId, environment, currency, status }) =>
      merchantId === holder.merchantId &&
      environment === holder.environment &&
      currency === holder.currency &&
      status !== 'success' &&
      status !== 'rejected',
  );
  const sum = (of: (refund: Refund) => Money) => refunds.reduce((total, refund) => total + of(refund), 0n);
  const settled = sum(({ funding }) => funding.availableReserved + funding.pendingFunded);
  const unsettled = sum(({ funding }) => funding.pendingReserved - funding.pendingFunded);
  const lots = lotsOf(world, holder).reduce((total, lot) => total + lot.amount, 0n);
  const pending = balance(world, holder, 'pending');
  return [
    ...differs(holder, 'reserved from available', balance(world, holder, 'reserved_available'), settled),
    ...differs(holder, 'reserved from pending', balance(world, holder, 'reserved_pending'), unsettled),
    ...differs(holder, 'lots', pending + unsettled, lots),
  ];
}

/** Each refund satisfies interface 2.4 and 3.3 (decision 28), and no transaction is refunded beyond its amount. */
function refundIdentities(world: World): string[] {
  const problems: string[] = [];
  for (const { reference, amount, fee, status, funding } of world.state.refunds.values()) {
    const total = amount + fee;
    const name = `refund ${reference} (${status}, ${funding.status})`;
    if (funding.status === 'released') {
      if (status !== 'rejected') problems.push(`${name}: released although not rejected`);
      continue;
    }
    if (funding.availableReserved + funding.pendingReserved !== total)
      problems.push(`${name}: reserves are not the total`);
    const funded = funding.pendingFunded === funding.pendingReserved;
    if (funded !== (funding.status === 'funded')) problems.push(`${name}: funding status does not fit its amounts`);
    if (funded !== (funding.fundedAt !== null)) problems.push(`${name}: funded_at does not fit`);
    if ((status === 'awaiting_settlement') === funded) problems.push(`${name}: status does not fit its funding`);
  }
  for (const collection of world.state.collections.values()) {
    if (collection.refunds.length > 0 && refundable(world, collection) < 0n) {
      problems.push(`collection ${collection.reference}: more refunded than was paid`);
    }
  }
  return problems;
}

function differs({ merchantId, environment, currency }: Holder, what: string, seen: Money, wanted: Money): string[] {
  if (seen === wanted) return [];
  return [`${merchantId}/${environment}/${currency} ${what}: ${formatMoney(seen)} instead of ${formatMoney(wanted)}`];
}

function holders(world: World): Holder[] {
  return world.state.merchants.flatMap(({ id }) =>
    ENVIRONMENTS.flatMap((environment) => CURRENCIES.map((currency) => ({ merchantId: id, environment, currency }))),
  );
}
