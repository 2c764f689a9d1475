import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Amount, amountOfMinor, parseAmount } from '../../../../src/domain/money/amount.ts';
import type { Fields } from '../../../../src/domain/records/fields.ts';
import { brokenFundingIdentities } from '../../../../src/domain/records/refund.ts';
import { other } from '../observations.ts';

const SUM = 'amount + fee = total_reserved';
const RESERVE = 'available_reserved + pending_reserved = total_reserved';
const PENDING = 'pending_funded_amount + pending_remaining = pending_reserved';
const FUNDED = 'funded_at is null until fully funded';

const refunded = parseAmount('100.00');
const sound: Fields = {
  fee: parseAmount('1.005'),
  totalReserved: parseAmount('101.005'),
  availableReserved: parseAmount('41.005'),
  pendingReserved: parseAmount('60'),
  pendingFunded: parseAmount('20.5'),
  pendingRemaining: parseAmount('39.50'),
  fundingStatus: 'awaiting_settlement',
  fundedAt: null,
};

test.each<[string, Fields, string[]]>([
  ['sound figures', {}, []],
  ['a fee one thousandth off', { fee: parseAmount('1.006') }, [SUM]],
  ['a total off', { totalReserved: parseAmount('101') }, [SUM, RESERVE]],
  ['an available part off', { availableReserved: parseAmount('41') }, [RESERVE]],
  ['a pending part off', { pendingFunded: parseAmount('20') }, [PENDING]],
  ['funded_at before full funding', { fundedAt: '2026-07-01T10:00:00Z' }, [FUNDED]],
  [
    'all off',
    { totalReserved: parseAmount('7'), pendingReserved: parseAmount('8'), fundedAt: 'x' },
    [SUM, RESERVE, PENDING, FUNDED],
  ],
  ['all off, but released', { totalReserved: parseAmount('7'), fundedAt: 'x', fundingStatus: 'released' }, []],
  ['a figure missing', { fee: null, pendingRemaining: null }, []],
  ['an empty funded_at', { fundedAt: '' }, []],
])('%s', (_name, changed, broken) => {
  expect(brokenFundingIdentities(refunded, { ...sound, ...changed })).toEqual(broken);
});

test('identities with missing figures are not broken', () => {
  expect(brokenFundingIdentities(null, {})).toEqual([]);
  expect(brokenFundingIdentities('100.00', sound)).toEqual([]);
});

test('funded_at is right once nothing remains', () => {
  const funded = { ...sound, pendingFunded: parseAmount('60'), pendingRemaining: parseAmount('0'), fundedAt: 'x' };
  expect(brokenFundingIdentities(refunded, funded)).toEqual([]);
});

test('figures that add up are never a finding, and one unit off always is', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(minor, minor, minor, minor, fc.constantFrom(-1n, 1n), (amount, fee, available, funded, off) => {
      const total = amount + fee;
      const kept = available % (total + 1n);
      const pending = total - kept;
      const done = funded % (pending + 1n);
      const figures = (shift: bigint): Record<string, Amount> => ({
        fee: amountOfMinor(fee),
        totalReserved: amountOfMinor(total + shift),
        availableReserved: amountOfMinor(kept),
        pendingReserved: amountOfMinor(pending),
        pendingFunded: amountOfMinor(done),
        pendingRemaining: amountOfMinor(pending - done),
      });
      expect(brokenFundingIdentities(amountOfMinor(amount), figures(0n))).toEqual([]);
      expect(brokenFundingIdentities(amountOfMinor(amount), figures(off))).toEqual([SUM, RESERVE]);
    }),
  );
});

test('every field is read under the name that the service gives it', () => {
  const body = {
    amount: '100',
    currency: 'USD',
    transaction_reference: 'TX_1',
    fee: '1.005',
    total_reserved: '101.005',
    funding: {
      status: 'funded',
      available_reserved: '41.005',
      pending_reserved: '60',
      pending_funded_amount: '20',
      pending_remaining: '40',
      funded_at: 'soon',
    },
    external_reference: 'X-1',
    requested_at: '2026-07-01T10:00:00Z',
    completed_at: '2026-07-01T10:00:01Z',
    updated_at: '2026-07-01T10:00:02Z',
  };
  const { facts, details, times } = other('refund', 'list', '1', body).stated;
  expect({ ...facts, ...details }).toEqual({
    amount: parseAmount('100'),
    currency: 'USD',
    transactionReference: 'TX_1',
    fee: parseAmount('1.005'),
    totalReserved: parseAmount('101.005'),
    fundingStatus: 'funded',
    availableReserved: parseAmount('41.005'),
    pendingReserved: parseAmount('60'),
    pendingFunded: parseAmount('20'),
    pendingRemaining: parseAmount('40'),
    fundedAt: 'soon',
    externalReference: 'X-1',
  });
  expect(Object.entries(times).map(([name, time]) => [name, time?.utc])).toEqual([
    ['requestedAt', body.requested_at],
    ['completedAt', body.completed_at],
    ['updatedAt', body.updated_at],
  ]);
});
