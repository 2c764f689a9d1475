import { refuseControl } from '../wire/refusal.ts';
import type { Money } from '../world/money.ts';
import type { Scope } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { type Holder, post } from './ledger.ts';

/** Moves money from the merchant's bank to its balance, or to an existing wallet. Returns the reference of the top-up. */
export function topUp(
  world: World,
  { merchant, environment }: Scope,
  { currency, amount, wallet }: { currency: Holder['currency']; amount: Money; wallet: string | undefined },
): string {
  if (amount === 0n) throw refuseControl(422, 'A top-up of nothing', 'Write an amount above zero, such as 100.00.');
  const wallets = merchant.wallets[environment];
  if (wallet !== undefined && !(Object.hasOwn(wallets, wallet) && wallets[wallet] === currency))
    throw refuseControl(404, `No ${currency} wallet ${wallet}`, 'Create it: tallyhook sandbox balances --wallet.');
  const holder: Holder = { merchantId: merchant.id, environment, currency };
  const reference = world.nextId('TOP').toUpperCase();
  const to = wallet === undefined ? ('available' as const) : (`wallet:${wallet}` as const);
  post(world, holder, { from: 'bank', to, amount, type: 'top_up', reason: 'top-up from the bank', reference });
  return reference;
}
