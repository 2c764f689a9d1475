import { expect, it } from 'vitest';
import { chargeBack, reverseChargeback } from '../../../../src/sandbox/business/chargebacks.ts';
import { moveCollection } from '../../../../src/sandbox/business/collection-moves.ts';
import { refundable } from '../../../../src/sandbox/business/refunds.ts';
import { topUp } from '../../../../src/sandbox/business/top-ups.ts';
import { formatMoney, money } from '../../../../src/sandbox/world/money.ts';
import type { Collection } from '../../../../src/sandbox/world/records.ts';
import { TriedWorld } from '../../../support/sandbox-world.ts';

async function paid(): Promise<{ tried: TriedWorld; collection: Collection }> {
  const tried = new TriedWorld();
  await tried.take({ do: 'card', pick: 1, amount: '40.00', currency: 'USD', card: 0 });
  return { tried, collection: tried.world.state.collections.get('m1/test/T1') as Collection };
}

it('a chargeback lowers what can be refunded, and its reversal raises it again', async () => {
  const { tried, collection } = await paid();
  const chargeback = chargeBack(tried.world, collection, money('15.00'));
  expect(formatMoney(refundable(tried.world, collection))).toBe('25.00');
  reverseChargeback(tried.world, collection, chargeback);
  expect(formatMoney(refundable(tried.world, collection))).toBe('40.00');
  expect(() => reverseChargeback(tried.world, collection, chargeback)).toThrow('was reversed before');
  expect(tried.problems()).toEqual([]);
});

it('is refused beyond what is left, twice for the whole, for a reversed collection, and for money that is spent', async () => {
  const { tried, collection } = await paid();
  const { world } = tried;
  expect(() => chargeBack(world, collection, money('40.01'))).toThrow('has 40.00 USD to charge back, not 40.01');
  await tried.take({ do: 'settle', currency: 'USD', amount: null });
  await tried.take({ do: 'balance', currency: 'USD', available: '39.00', pending: null, wallet: false });
  expect(() => chargeBack(world, collection, null)).toThrow('no longer there');
  expect(() => moveCollection(world, collection, 'reversed')).toThrow('no longer there');
  topUp(world, tried.scope, { currency: 'USD', amount: money('1.00'), wallet: undefined });
  chargeBack(world, collection, null);
  expect(() => chargeBack(world, collection, null)).toThrow('has 0.00 USD to charge back');
  expect(() => moveCollection(world, collection, 'reversed')).toThrow('has refunds or chargebacks');
});

it('a top-up goes to a wallet that exists in the currency, and is above zero', async () => {
  const { tried } = await paid();
  const scope = tried.scope;
  expect(() => topUp(tried.world, scope, { currency: 'NGN', amount: money('1.00'), wallet: 'W' })).toThrow(
    'No NGN wallet W',
  );
  expect(() => topUp(tried.world, scope, { currency: 'NGN', amount: 0n, wallet: undefined })).toThrow('above zero');
  await tried.take({ do: 'balance', currency: 'NGN', available: '5.00', pending: null, wallet: true });
  expect(topUp(tried.world, scope, { currency: 'NGN', amount: money('1.00'), wallet: 'W' })).toMatch(
    /^TOP_[0-9A-F]{16}$/,
  );
  expect(() => topUp(tried.world, scope, { currency: 'USD', amount: money('1.00'), wallet: 'W' })).toThrow(
    'No USD wallet W',
  );
  expect(tried.world.state.books.accounts.get('m1/test/NGN/wallet:W')).toBe(money('6.00'));
  expect(tried.world.state.books.accounts.get('m1/test/NGN/bank')).toBe(-money('1.00'));
});
