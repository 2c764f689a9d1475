import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBalance } from '../../../../src/sandbox/business/balances.ts';
import { chargeBack, reverseChargeback } from '../../../../src/sandbox/business/chargebacks.ts';
import { moveCollection } from '../../../../src/sandbox/business/collection-moves.ts';
import { balance } from '../../../../src/sandbox/business/ledger.ts';
import { moveRefund, requestRefund } from '../../../../src/sandbox/business/refunds.ts';
import { topUp } from '../../../../src/sandbox/business/top-ups.ts';
import { formatMoney, money } from '../../../../src/sandbox/world/money.ts';
import type { Collection, Currency } from '../../../../src/sandbox/world/records.ts';
import { settingsSchema } from '../../../../src/sandbox/world/settings.ts';
import { ENTRY_TYPES } from '../../../../src/sandbox/world/state.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';
import { type Step, step, TriedWorld } from '../../../support/sandbox-world.ts';

const HOUR_MS = 3_600_000;
const holder = (currency: Currency) => ({ merchantId: 'm1', environment: 'test', currency }) as const;
const amountOf = (tried: TriedWorld, currency: Currency, name: 'available' | 'bank') =>
  formatMoney(balance(tried.world, holder(currency), name));
const batchesOf = (tried: TriedWorld) =>
  [...tried.world.state.books.batches.values()].map(({ at, amount, members }) => ({
    at: at.slice(0, 16),
    amount: formatMoney(amount),
    members: members.map(({ type, net }) => `${type} ${formatMoney(net)}`),
  }));

/** The world starts on 2026-01-01 at 00:00 UTC; the merchant bears a fee of 1.2 %. */
const daily = (more = {}) => new TriedWorld({ settlementBatches: 'daily', feeBearer: 'merchant', ...more });
async function card(tried: TriedWorld, pick: number, amount: string): Promise<Collection> {
  await tried.take({ do: 'card', pick, amount, currency: 'USD', card: 0 });
  return tried.world.state.collections.get(`m1/test/T${pick}`) as Collection;
}

describe('settlement batches', () => {
  it('pay the collections of a business day a day after its cut-off, whole, and with tax on the fee', async () => {
    const tried = daily({ feeTaxPercent: '7.5' });
    await card(tried, 1, '100.00'); // fee 1.20, tax 0.09
    await tried.world.clock.advance(20 * HOUR_MS);
    await card(tried, 2, '50.00'); // fee 0.60, tax 0.045, so 0.05
    expect(tried.world.clock.jobs().filter(({ kind }) => kind === 'pay_batch')).toHaveLength(1);
    await tried.world.clock.advance(28 * HOUR_MS - 1);
    expect(batchesOf(tried)).toEqual([]);
    await tried.world.clock.advance(1);
    expect(batchesOf(tried)).toEqual([
      { at: '2026-01-03T00:00', amount: '148.06', members: ['collection 98.71', 'collection 49.35'] },
    ]);
    expect(amountOf(tried, 'USD', 'bank')).toBe('148.06');
    expect(amountOf(tried, 'USD', 'available')).toBe('10.00');
    expect(tried.world.state.books.accounts.get('outside/USD/tax')).toBe(money('0.14'));
    expect(tried.problems()).toEqual([]);
  });

  it('end the day at the cut-off, and are paid so many days later', async () => {
    const tried = daily({ settlementCutOff: '16:30', settlementBatchDays: 3 });
    await tried.world.clock.advance(16 * HOUR_MS);
    await card(tried, 1, '100.00');
    await tried.world.clock.advance(HOUR_MS);
    await card(tried, 2, '50.00'); // after the cut-off: of the next day
    await tried.world.clock.advance(96 * HOUR_MS);
    expect(batchesOf(tried).map(({ at, members }) => [at, members.length])).toEqual([
      ['2026-01-04T16:30', 1],
      ['2026-01-05T16:30', 1],
    ]);
  });

  it('net refunds, reversals and chargebacks; a chargeback that comes back is paid again', async () => {
    const tried = daily();
    const [first, second] = [await card(tried, 1, '100.00'), await card(tried, 2, '50.00')];
    const { refund } = requestRefund(tried.world, tried.scope, {
      transactionReference: 'T1',
      amount: money('5.00'),
      merchantNote: null,
      idempotencyKey: null,
      digest: '',
    }); // fee 1.9836 % + 0.10 = 0.19918
    moveRefund(tried.world, refund, 'success');
    moveCollection(tried.world, second, 'reversed');
    const chargeback = chargeBack(tried.world, first, money('20.00'));
    await tried.world.clock.advance(24 * HOUR_MS);
    reverseChargeback(tried.world, first, chargeback);
    await tried.world.clock.advance(48 * HOUR_MS);
    expect(batchesOf(tried)).toEqual([
      {
        at: '2026-01-03T00:00',
        amount: '73.60082',
        members: [
          'collection 98.80',
          'collection 49.40',
          'refund -5.19918',
          'collection_reversal -49.40',
          'chargeback -20.00',
        ],
      },
      { at: '2026-01-04T00:00', amount: '20.00', members: ['chargeback_reversal 20.00'] },
    ]);
    expect(tried.problems()).toEqual([]);
  });

  it('pay what the available balance covers, oldest first, and the rest a day later', async () => {
    const tried = daily();
    await card(tried, 1, '100.00');
    await card(tried, 2, '50.00');
    await tried.world.clock.advance(25 * HOUR_MS);
    setBalance(tried.world, tried.scope, { currency: 'USD', available: money('60.00') });
    await tried.world.clock.advance(23 * HOUR_MS);
    expect(batchesOf(tried).map(({ amount }) => amount)).toEqual(['49.40']);
    topUp(tried.world, tried.scope, { currency: 'USD', amount: money('90.00'), wallet: undefined });
    await tried.world.clock.advance(24 * HOUR_MS);
    expect(batchesOf(tried).map(({ amount }) => amount)).toEqual(['49.40', '98.80']);
    expect(amountOf(tried, 'USD', 'bank')).toBe('58.20');
    expect(tried.world.clock.jobs()).toEqual([]);
  });

  it('round fees to what a bank can pay, and list what waited for a second batch first', async () => {
    const tried = daily({ feeRounding: 'half_up' });
    await card(tried, 1, '9.99'); // fee 0.11988
    await tried.world.clock.advance(24 * HOUR_MS);
    await card(tried, 2, '5.00');
    await tried.world.clock.advance(HOUR_MS);
    setBalance(tried.world, tried.scope, { currency: 'USD', available: 0n });
    await tried.world.clock.advance(23 * HOUR_MS);
    topUp(tried.world, tried.scope, { currency: 'USD', amount: money('9.87'), wallet: undefined });
    await tried.world.clock.advance(24 * HOUR_MS);
    expect(batchesOf(tried)).toEqual([
      { at: '2026-01-04T00:00', amount: '14.81', members: ['collection 9.87', 'collection 4.94'] },
    ]);
  });

  it('are off by default, and what moved while they were off stays in the balance', async () => {
    const tried = new TriedWorld({ feeBearer: 'merchant' });
    await card(tried, 1, '100.00');
    tried.world.settings = settingsSchema.parse({ ...tried.world.settings, settlementBatches: 'daily' });
    await tried.world.clock.advance(96 * HOUR_MS);
    expect(batchesOf(tried)).toEqual([]);
    expect(amountOf(tried, 'USD', 'available')).toBe('108.80');
  });
});

it('random days with batches and tax keep the books at zero, and every entry has a type of the list', async () => {
  const seen = new Set<string>();
  let batches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const tried = new TriedWorld({ settlementBatches: 'daily', feeTaxPercent: '7.5' });
      for (const one of [...steps, { do: 'advance', minutes: 5_000 } satisfies Step]) await tried.take(one);
      expect(tried.problems()).toEqual([]);
      for (const { type } of tried.world.state.books.entries) seen.add(type);
      batches += tried.world.state.books.batches.size;
      for (const { amount, members } of tried.world.state.books.batches.values()) {
        expect(amount).toBeGreaterThan(0n);
        expect(members.reduce((sum, { net }) => sum + net, 0n)).toBe(amount);
      }
      tried.world.close();
    }),
    { numRuns: randomRuns(300) },
  );
  expect(batches).toBeGreaterThan(leastMet(200));
  expect(ENTRY_TYPES).toEqual(expect.arrayContaining([...seen]));
  expect(seen.size).toBeGreaterThanOrEqual(leastMet(ENTRY_TYPES.length));
});
