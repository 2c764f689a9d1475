import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressGroup } from '../../../../src/receive/address-group.ts';
import { AddressBudgets, Budget } from '../../../../src/serve/callback/budgets.ts';

test('never more than the budget and its refill, at any rhythm', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(20_000), { maxLength: 300 }), (perMinute, waits) => {
      const budget = new Budget(perMinute, 0);
      let [nowMs, taken] = [0, 0];
      for (const waitMs of waits) {
        nowMs += waitMs;
        if (budget.take(nowMs)) taken++;
      }
      expect(taken).toBeLessThanOrEqual(perMinute + (nowMs * perMinute) / 60_000 + 1e-6);
    }),
  );
});

test('a minute without a take fills it, and no more than full', () => {
  const budget = new Budget(3, 0);
  const takeAll = (nowMs: number) => Array.from({ length: 5 }, () => budget.take(nowMs)).filter(Boolean).length;
  expect([takeAll(0), takeAll(19_000), takeAll(20_000), takeAll(80_000), takeAll(9_000_000)]).toEqual([3, 0, 1, 3, 3]);
});

test('a clock that is set back neither refills nor blocks forever', () => {
  const budget = new Budget(1, 3_600_000);
  expect([budget.take(3_600_000), budget.take(0), budget.take(60_000)]).toEqual([true, false, true]);
});

test('addresses do not share, and their number is bounded', () => {
  const budgets = new AddressBudgets(1);
  expect([budgets.take('192.0.2.1', 0), budgets.take('192.0.2.1', 0), budgets.take('192.0.2.2', 0)]).toEqual([
    true,
    false,
    true,
  ]);
  for (let index = 0; index < 30_000; index++)
    budgets.take(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, 0);
  expect(budgets.size).toBe(10_000);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
