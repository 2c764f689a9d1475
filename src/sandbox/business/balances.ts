import { refuseControl } from '../wire/refusal.ts';
import { formatMoney, type Money } from '../world/money.ts';
import { CURRENCIES, type Currency, type Scope } from '../world/records.ts';
import type { AccountName } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { addLot, balance, type Holder, post, takeFromLots } from './ledger.ts';

/** A merchant's money in one currency, as the controls show it. */
export interface BalanceView {
  readonly currency: Currency;
  readonly available: string;
  readonly pending: string;
  readonly reserved_available: string;
  readonly reserved_pending: string;
  /** The merchant's account at its bank; it has an overdraft. */
  readonly bank: string;
  readonly wallets: Readonly<Record<string, string>>;
}

export function balancesOf(world: World, { merchant, environment }: Scope): BalanceView[] {
  return CURRENCIES.map((currency) => {
    const holder: Holder = { merchantId: merchant.id, environment, currency };
    const codes = Object.entries(merchant.wallets[environment]).filter(([, of]) => of === currency);
    return {
      currency,
      available: formatMoney(balance(world, holder, 'available')),
      pending: formatMoney(balance(world, holder, 'pending')),
      reserved_available: formatMoney(balance(world, holder, 'reserved_available')),
      reserved_pending: formatMoney(balance(world, holder, 'reserved_pending')),
      bank: formatMoney(balance(world, holder, 'bank')),
      wallets: Object.fromEntries(codes.map(([code]) => [code, formatMoney(balance(world, holder, `wallet:${code}`))])),
    };
  });
}

/** Sets balances by postings from or to `operator`, so that the books still add up. Creates a wallet that does not exist. */
export function setBalance(
  world: World,
  { merchant, environment }: Scope,
  wanted: {
    currency: Currency;
    available?: Money | undefined;
    pending?: Money | undefined;
    bank?: Money | undefined;
    wallet?: string | undefined;
  },
): void {
  const { currency, available, pending, bank, wallet } = wanted;
  const holder: Holder = { merchantId: merchant.id, environment, currency };
  if (wallet !== undefined) {
    const wallets = merchant.wallets[environment];
    const known = Object.hasOwn(wallets, wallet) ? wallets[wallet] : undefined;
    if (known !== undefined && known !== currency)
      throw refuseControl(409, `Wallet ${wallet} holds ${known}`, 'Name another wallet for another currency.');
    wallets[wallet] = currency;
    world.changes++;
  }
  const account = wallet === undefined ? ('available' as const) : (`wallet:${wallet}` as const);
  if (available !== undefined) shift(world, holder, account, available - balance(world, holder, account));
  if (bank !== undefined) shift(world, holder, 'bank', bank - balance(world, holder, 'bank'));
  if (pending === undefined) return;
  const change = pending - balance(world, holder, 'pending');
  if (change > 0n) addLot(world, holder, change);
  else takeFromLots(world, holder, -change, 'latest');
  shift(world, holder, 'pending', change);
}

function shift(world: World, holder: Holder, account: AccountName, change: Money): void {
  if (change === 0n) return;
  const [from, to] = change > 0n ? (['operator', account] as const) : ([account, 'operator'] as const);
  post(world, holder, {
    from,
    to,
    amount: change > 0n ? change : -change,
    type: 'adjustment',
    reason: 'set by control',
    reference: world.nextId('ADJ').toUpperCase(),
  });
}
