import { expect, it } from 'vitest';
import { wholeSections } from '../../../../src/reconcile/report/whole-sections.ts';

const ALL = ['refund', 'payout', 'collection'] as const;

it('names the sections that hold more than what was asked for', () => {
  expect(wholeSections({ kinds: ALL })).toEqual([]);
  expect(wholeSections({ kinds: ['refund'] })).toEqual(['matched', 'noStatement', 'matchRate', 'inTransit', 'audit']);
  expect(wholeSections({ kinds: ['payout'] })).toEqual([
    ...['matched', 'noStatement', 'matchRate', 'reserved', 'transactions', 'inTransit', 'audit'],
  ]);
  expect(wholeSections({ kinds: ALL, leg: 'batch-bank' })).toEqual([
    ...['witnesses', 'totals', 'unanswered', 'reserved', 'transactions', 'inTransit', 'audit'],
  ]);
  expect(wholeSections({ kinds: ALL, account: 'bank' })).toEqual([
    ...['matched', 'noStatement', 'matchRate', 'witnesses', 'totals', 'unanswered'],
    ...['reserved', 'transactions', 'inTransit', 'audit'],
  ]);
});
