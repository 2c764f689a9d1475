import { describe, expect, test } from 'vitest';
import {
  isFinal,
  isGap,
  isSettled,
  LIFECYCLES,
  RECORD_KINDS,
  type RecordKind,
  rankOf,
} from '../../../../src/domain/records/lifecycle.ts';

const REFUND = ['awaiting_settlement', 'pending', 'processing', 'failed', 'rejected', 'success'];
const OTHER = ['pending', 'cancelled', 'abandoned', 'failed', 'success', 'completed', 'reversed'];
const ODD = ['', 'SUCCESS', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'on_hold'];

describe('ranks', () => {
  test('of a refund rise in the order of the design', () => {
    expect(REFUND.map((status) => rankOf('refund', status))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each(['payout', 'collection'] as const)('of a %s rise in the order of the design, two pairs level', (kind) => {
    expect(OTHER.map((status) => rankOf(kind, status))).toEqual([1, 2, 2, 3, 4, 4, 5]);
  });

  test.each(RECORD_KINDS)('an unknown %s status ranks lowest and is neither settled nor final', (kind) => {
    for (const status of ODD) {
      expect(rankOf(kind, status)).toBe(0);
      expect(isSettled(kind, status)).toBe(false);
      expect(isFinal(kind, status)).toBe(false);
    }
  });
});

test.each<[RecordKind, string[], string[]]>([
  ['refund', ['rejected', 'success'], ['rejected', 'success']],
  ['payout', ['failed', 'success', 'completed', 'reversed'], ['reversed']],
  ['collection', ['cancelled', 'abandoned', 'failed', 'success', 'completed', 'reversed'], ['reversed']],
])('a %s is settled in %j and final in %j', (kind, settled, final) => {
  const all = kind === 'refund' ? REFUND : OTHER;
  expect(all.filter((status) => isSettled(kind, status))).toEqual(settled);
  expect(all.filter((status) => isFinal(kind, status))).toEqual(final);
});

test.each(RECORD_KINDS)('every %s status in a move has a rank, and what is final moves nowhere', (kind) => {
  const moves: Readonly<Record<string, readonly string[]>> = LIFECYCLES[kind].moves;
  for (const [from, tos] of Object.entries(moves)) {
    for (const status of [from, ...tos]) expect(rankOf(kind, status)).toBeGreaterThan(0);
  }
  for (const status of LIFECYCLES[kind].final) expect(Object.keys(moves)).not.toContain(status);
  expect(LIFECYCLES[kind].settled).toEqual(expect.arrayContaining([...LIFECYCLES[kind].final]));
});

describe('gaps', () => {
  test('the eight moves of interface 3.2 are no gaps, every other pair of refund statuses is', () => {
    const named = REFUND.flatMap((from) =>
      REFUND.filter((to) => from !== to && !isGap('refund', from, to)).map((to) => `${from} → ${to}`),
    );
    expect(named).toEqual([
      'awaiting_settlement → pending',
      'awaiting_settlement → rejected',
      'pending → processing',
      'pending → rejected',
      'processing → failed',
      'processing → success',
      'failed → processing',
      'failed → rejected',
    ]);
  });

  test.each([
    ['payout', ['pending → failed', 'pending → success', 'success → reversed']],
    [
      'collection',
      ['pending → abandoned', 'pending → cancelled', 'pending → failed', 'pending → success', 'success → reversed'],
    ],
  ] as const)('a %s moves without a gap only as documented', (kind, documented) => {
    const statuses = ['pending', 'cancelled', 'abandoned', 'failed', 'success', 'reversed'];
    const moves = statuses.flatMap((from) =>
      statuses.filter((to) => from !== to && !isGap(kind, from, to)).map((to) => `${from} → ${to}`),
    );
    expect(moves.sort()).toEqual(documented);
  });

  test('staying is no gap', () => {
    for (const status of [...REFUND, ...ODD]) expect(isGap('refund', status, status)).toBe(false);
  });

  test('from a status named like something every object has, any move is a gap', () => {
    for (const from of ODD) for (const kind of RECORD_KINDS) expect(isGap(kind, from, 'success')).toBe(true);
    expect(isGap('payout', 'pending', 'constructor')).toBe(true);
  });
});
