import { expect, test } from 'vitest';
import { standingAt } from '../../../../src/domain/matching/standing.ts';
import { ourRow } from '../../../support/matching/groups.ts';

const DAY = '2026-10-10';

test.each([
  ['payout', 'success', 'done'],
  ['payout', 'completed', 'done'],
  ['payout', 'reversed', 'reversed'],
  ['payout', 'cancelled', 'undone'],
  ['collection', 'abandoned', 'undone'],
  ['refund', 'rejected', 'undone'],
  ['payout', 'failed', 'undone'],
  ['collection', 'failed', 'undone'],
  ['refund', 'failed', 'open'],
  ['refund', 'processing', 'open'],
  ['payout', 'pending', 'open'],
  ['payout', null, 'open'],
] as const)('on its day a %s with status %s stands %s', (kind, status, standing) => {
  const row = ourRow(kind, status, {});
  expect([standingAt(row, DAY, DAY), standingAt(row, DAY, '2026-10-11')]).toEqual([standing, standing]);
});

test.each(['collection', 'payout', 'batch', 'top_up'] as const)('before its day a %s is not begun', (kind) => {
  const row = ourRow(kind, 'success', { startDay: '2026-10-01' });
  expect(standingAt(row, DAY, '2026-10-09')).toBe('unborn');
});

test.each([
  ['success', '2026-10-04', 'unborn'],
  ['success', '2026-10-05', 'held'],
  ['success', '2026-10-09', 'held'],
  ['success', '2026-10-10', 'done'],
  ['rejected', '2026-10-09', 'held'],
  ['processing', '2026-10-04', 'unborn'],
  ['processing', '2026-10-05', 'open'],
  ['failed', '2026-10-09', 'open'],
])('a refund with status %s, begun on the 5th and settled on the 10th, stands on %s: %s', (status, until, standing) => {
  expect(standingAt(ourRow('refund', status, { startDay: '2026-10-05' }), DAY, until)).toBe(standing);
});
