import { expect, test } from 'vitest';
import type { Rules } from '../../../../src/domain/reconciling/rules.ts';
import { termsOf } from '../../../../src/reconcile/judge/terms-of.ts';
import { spanOf } from '../../../../src/reconcile/load/order.ts';
import type { Sides } from '../../../../src/reconcile/load/sides.ts';
import type { Window } from '../../../../src/reconcile/load/window.ts';
import { Scratch } from '../../../../src/store/scratch/scratch.ts';
import { minor, ourRow, theirLine } from '../../../support/matching/groups.ts';
import { putLine } from '../../../support/matching/scratch.ts';

/* 1.5 per cent and 7.5 per cent tax on the fee: of 1,000.00 the fees are 15.00 and 1.13. */

const SCHEDULE: Rules['schedule'] = [
  {
    ...{ from: '2026-01-01', to: null, kind: 'collection', channel: null, currency: 'NGN', percent: '1.5', fixed: 0n },
    ...{ cap: null, minimum: null, tax: { percent: '7.5' }, duty: null, rounding: 'half_up' },
  },
];
const SALE = ourRow('collection', 'success', { amount: '1000.00', fees: '16.13' });

function taxWithin(scratch: Scratch, schedule: Rules['schedule'], row = SALE): bigint {
  const rules = { schedule, holidays: new Set<string>(), legs: [] } as unknown as Rules;
  const span = spanOf({
    ...{ from: '2026-10-01', to: '2026-10-31', asAtMs: Date.parse('2026-11-20T00:00:00Z'), rules, begin: null },
    ...{ dayRule: { zone: 'Africa/Lagos', cutOffMinutes: 1_440 }, kinds: [], withoutEndpoint: [] },
  });
  const window = { until: '2026-10-31' } as Window;
  const leg = { compare: {}, theirs: { statement: 'wallet' }, ours: { records: [] } };
  const sides = { number: 0, environment: 'test', currency: 'NGN', leg, days: [], shownTo: null } as unknown as Sides;
  return termsOf(span, window, scratch)(sides, '2026-10-31').taxWithin(row);
}

test('our fees hold the tax of the schedule where the account tells tax apart and the schedule explains them', () => {
  const scratch = new Scratch();
  try {
    putLine(scratch, theirLine('collection', '97.00', { fee: '3.00' }));
    expect(taxWithin(scratch, SCHEDULE)).toBe(0n);
    putLine(scratch, theirLine('collection', '97.00', { fee: '2.79', tax: '0.21' }));
    expect(taxWithin(scratch, SCHEDULE)).toBe(minor('1.13'));
    expect(taxWithin(scratch, SCHEDULE, { ...SALE, fees: minor('16.00') })).toBe(0n);
    expect(taxWithin(scratch, [])).toBe(0n);
  } finally {
    scratch.close();
  }
});
