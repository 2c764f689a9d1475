import { describe, expect, test } from 'vitest';
import {
  collectedMoney,
  countsAsRefunded,
  type FundedRefund,
  isReservedAt,
  remainingMoney,
} from '../../../../src/domain/records/refund-funding.ts';

describe('the service holds money for a refund', () => {
  const refund: FundedRefund = { status: 'processing', fundingStatus: 'funded', startedAtMs: 100, effectiveAtMs: 200 };
  test.each<[string, Partial<FundedRefund>, number, boolean]>([
    ['not before its request', {}, 99, false],
    ['from its request on', {}, 100, true],
    ['as long as it is not settled', {}, 9_000, true],
    ['until the time of its settlement', { status: 'success' }, 199, true],
    ['not from its settlement on', { status: 'success' }, 200, false],
    ['not after its rejection', { status: 'rejected' }, 201, false],
    [
      'until it is settled, also when its funding is released by now',
      { status: 'success', fundingStatus: 'released' },
      199,
      true,
    ],
    ['after a failure, which can be tried again', { status: 'failed' }, 9_000, true],
    ['without a known status', { status: null }, 9_000, true],
    ['without a known funding', { status: null, fundingStatus: null }, 9_000, true],
    ['not once its funding is released', { fundingStatus: 'released' }, 150, false],
    ['not once its funding is released, without a status', { status: null, fundingStatus: 'released' }, 150, false],
  ])('%s', (_case, facts, atMs, reserved) => {
    expect(isReservedAt({ ...refund, ...facts }, atMs)).toBe(reserved);
  });
});

test('every refund but a rejected one takes money of its transaction', () => {
  const statuses = ['pending', 'failed', 'success', 'rejected', null];
  expect(statuses.filter(countsAsRefunded)).toEqual(['pending', 'failed', 'success', null]);
});

describe('a collection lets its refunds take', () => {
  test.each<[string, string | null, bigint | null, bigint | null, bigint | null]>([
    ['what was requested, where the charge is net', 'success', 1_000n, 980n, 1_000n],
    ['what was charged, where that is more', 'completed', 1_000n, 1_012n, 1_012n],
    ['what was requested, where no charge is known', 'success', 1_000n, null, 1_000n],
    ['what was charged, where no request is known', 'success', null, 1_012n, 1_012n],
    ['an unknown amount, where neither is known', 'success', null, null, null],
    ['nothing after it failed', 'failed', 1_000n, 1_000n, 0n],
    ['nothing after it was reversed', 'reversed', 1_000n, 1_000n, 0n],
    ['an unknown amount while it is pending', 'pending', 1_000n, 1_000n, null],
    ['an unknown amount without a status', null, 1_000n, 1_000n, null],
  ])('%s', (_case, status, requested, charged, money) => {
    expect(collectedMoney({ status, requested, charged })).toBe(money);
  });
});

test('what remains of a transaction is negative after too many refunds, and unknown without a collection', () => {
  expect(remainingMoney({ collected: 1_000n, refunded: 300n })).toBe(700n);
  expect(remainingMoney({ collected: 1_000n, refunded: 1_300n })).toBe(-300n);
  expect(remainingMoney({ collected: null, refunded: 300n })).toBeNull();
});
