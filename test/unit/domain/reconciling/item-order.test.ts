import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareItems, type Item } from '../../../../src/domain/reconciling/break.ts';

const item = fc.record({
  code: fc.constantFrom('stuck' as const, 'fee_mismatch' as const),
  sub: fc.constantFrom(null, 'unaskable'),
  field: fc.constantFrom(null, 'fee', 'status'),
  kind: fc.constantFrom('refund' as const, 'payout' as const),
  environment: fc.constantFrom('test' as const, 'live' as const),
  reference: fc.constantFrom('R1', 'R2', 'R10'),
  currency: fc.constantFrom(null, 'NGN', 'USD'),
  firstSeen: fc.constantFrom('2026-10-09', '2026-10-10'),
  leg: fc.constantFrom(null, 'wallet', 'bank'),
});

const PLACE = { account: 'wallet', effect: 0n, line: null, candidates: [], names: null };

test('the order of breaks depends on what they are about alone, and not on the numbers of their rows', () => {
  const items = fc.uniqueArray(item, { minLength: 2, maxLength: 30, selector: (one) => JSON.stringify(one) });
  const orders = items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  const numbered = (all: readonly (typeof item extends fc.Arbitrary<infer One> ? One : never)[]) =>
    all.map(({ code, sub, field, leg, ...one }, recordId): Item => {
      const facts = { code, sub, field, side: 'ours' as const, ours: null, theirs: null, detail: null };
      const place = leg === null ? null : { ...PLACE, leg };
      return { facts, ...one, recordId, minor: null, place };
    });
  const sorted = (all: Parameters<typeof numbered>[0]) =>
    numbered(all)
      .sort(compareItems)
      .map(({ recordId: _id, ...rest }) => rest);
  const property = fc.property(orders, ([all, other]) => {
    expect(sorted(other)).toEqual(sorted(all));
  });
  fc.assert(property);
});

const facts = { code: 'stuck', sub: 'a', field: 'a', side: 'ours', ours: null, theirs: null, detail: null } as const;
const BASE: Item = {
  ...{ facts, kind: 'payout', environment: 'test', reference: 'R', recordId: 1, currency: 'NGN', minor: null },
  ...{ firstSeen: '2026-10-09', place: { ...PLACE, leg: 'bank' } },
};

test.each<[string, Partial<Item>]>([
  ['environment', { environment: 'live' }],
  ['currency', { currency: null }],
  ['code', { facts: { ...facts, code: 'fee_mismatch' } }],
  ['day', { firstSeen: '2026-10-08' }],
  ['reference', { reference: null }],
  ['kind', { kind: null }],
  ['sub-kind', { facts: { ...facts, sub: null } }],
  ['field', { facts: { ...facts, field: null } }],
  ['leg', { place: { ...PLACE, leg: null } }],
  ['account', { place: { ...PLACE, leg: 'bank', account: 'bank' } }],
])('of two that differ in the %s alone the smaller one, or the one without, comes first', (_what, given) => {
  const first = { ...BASE, ...given };
  expect([compareItems(first, BASE), compareItems(BASE, first)].map(Math.sign)).toEqual([-1, 1]);
});
