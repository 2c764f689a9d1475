import { expect, test } from 'vitest';
import { formatAmount } from '../../../../src/domain/money/amount.ts';
import type { Item } from '../../../../src/domain/reconciling/break.ts';
import { valueAtRisk } from '../../../../src/reconcile/period/value-at-risk.ts';

const FACTS = { code: 'amount_mismatch', sub: null, field: 'amount', ours: null, theirs: null, detail: null } as const;

function item(reference: string | null, minor: bigint, more: Partial<Item> = {}): Item {
  return {
    ...{ kind: 'collection', environment: 'live', reference, recordId: 1, currency: 'NGN', minor },
    ...{ firstSeen: '2026-10-05', place: null, facts: { ...FACTS, side: 'ours' }, ...more },
  };
}

/** A line that no record has. */
const line = (reference: string | null, minor: bigint, names: string) =>
  item(reference, minor, {
    ...{ kind: null, recordId: null },
    place: { leg: null, account: 'wallet', effect: minor, line: null, candidates: [], names },
  });

const sums = (items: readonly Item[]) =>
  valueAtRisk(items).map(({ currency, records, amount }) => [currency, records, formatAmount(amount)]);

test('a record with two breaks counts once', () => {
  expect(sums([item('C1', 500n), item('C1', 500n), item('C2', 700n)])).toEqual([['NGN', 2, '12.00']]);
});

test('lines without a record count each, also under one reference', () => {
  expect(sums([line('X', 500n, 'a 0'), line('X', 500n, 'b 0'), line(null, 100n, 'c 0')])).toEqual([
    ['NGN', 3, '11.00'],
  ]);
});
