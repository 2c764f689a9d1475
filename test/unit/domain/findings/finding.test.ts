import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { fold } from '../../../../src/domain/records/observe.ts';
import { api, at, findings, webhook } from '../observations.ts';

const refund = (status: string, clock: string | null, data: Record<string, unknown> = {}): Observation =>
  webhook('refund', status, clock === null ? data : { ...at(clock), ...data });

test('a plain history has none', () => {
  const set = [
    refund('pending', '10:00'),
    refund('processing', '10:01'),
    refund('success', '10:02'),
    api('refund', 1, 'success'),
  ];
  expect(findings('refund', set)).toEqual([]);
  expect(findings('refund', [])).toEqual([]);
});

describe('contents', () => {
  test('two under one key are a variant, agreeing or not; the same one twice is not', () => {
    const [one, two] = ['1.00', '2.00'].map((fee) => refund('pending', '10:00', { fee })) as [Observation, Observation];
    expect(findings('refund', [one, two])).toEqual([`variant ${one.eventKey}`]);
    expect(findings('refund', [one, one])).toEqual([]);
    expect(fold('refund', [one, two]).findings[0]?.detail).toBe('2 contents state pending');
  });

  test('a name against its status is a contradiction', () => {
    const contrary = refund('success', '10:00', { status: 'failed' });
    expect(findings('refund', [contrary, refund('pending', '09:00')])).toEqual([`contradiction ${contrary.eventKey}`]);
  });
});

describe('facts and amounts', () => {
  test('each fact with several values is one conflict that shows them all', () => {
    const set = [
      refund('pending', '10:00', { amount: '10', currency: 'USD' }),
      refund('processing', '10:01', { amount: '10.00', currency: 'NGN' }),
      api('refund', 1, 'processing', { amount: '9.5' }),
    ];
    expect(findings('refund', set)).toEqual(['fact_conflict amount', 'fact_conflict currency']);
    expect(fold('refund', set).findings.map(({ detail }) => detail)).toEqual(['10.00 ≠ 9.50', 'NGN ≠ USD']);
  });

  test('five thousand values are counted, five are shown', () => {
    const set = Array.from({ length: 5_000 }, (_, index) => refund('pending', '10:00', { amount: `${1_000 + index}` }));
    const conflict = fold('refund', set).findings.find(({ code }) => code === 'fact_conflict');
    expect(conflict?.detail).toBe('1000.00 ≠ 1001.00 ≠ 1002.00 ≠ 1003.00 ≠ 1004.00 ≠ 4995 more');
  });

  test('an amount that cannot be read is named once, also from several witnesses', () => {
    const set = [
      refund('pending', '10:00', { amount: '-5', fee: '1e3' }),
      api('refund', 1, 'pending', { amount: 'x' }),
    ];
    expect(findings('refund', set)).toEqual(['unreadable_amount amount', 'unreadable_amount fee']);
  });

  test('a broken reserve of the winner is a mismatch; of a loser, or once released, it is not', () => {
    const broken = { amount: '10.00', fee: '1.00', total_reserved: '12.00' };
    expect(findings('refund', [refund('pending', '10:00', broken)])).toEqual([
      'reserve_mismatch amount + fee = total_reserved',
    ]);
    expect(findings('refund', [refund('pending', '10:00', broken), refund('processing', '10:01')])).toEqual([]);
    expect(findings('refund', [refund('rejected', '10:00', { ...broken, funding: { status: 'released' } })])).toEqual(
      [],
    );
    expect(findings('refund', [refund('pending', '10:00', { ...broken, funding: { status: 'funded' } })])).toHaveLength(
      1,
    );
    expect(findings('payout', [webhook('payout', 'success', broken)])).toEqual([]);
  });
});
