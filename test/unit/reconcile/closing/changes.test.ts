import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../../src/reconcile/closing/changes.ts';
import { FILLED_REPORT } from '../../../support/filled-report.ts';

const text = JSON.stringify(FILLED_REPORT);
type Tree = { [name: string]: unknown };
const changed = (change: (report: Tree) => void): string => {
  const report = JSON.parse(text) as Tree;
  change(report);
  return JSON.stringify(report);
};
const at = (tree: unknown, ...steps: (string | number)[]): Tree =>
  steps.reduce<unknown>((node, step) => (node as Tree)[step], tree) as Tree;

test('two closings with the same figures differ in nothing, whoever signed them and when', () => {
  expect(changesBetween(text, text)).toEqual([]);
  const later = changed((report) => {
    report.asAt = '2027-01-01T00:00:00.000Z';
    report.prepared = { who: 'Grace', at: '2027-01-01T00:00:00.000Z' };
  });
  expect(changesBetween(text, later)).toEqual([]);
});

test('a figure is named by what it is about', () => {
  const later = changed((report) => {
    at(report, 'proof', 0, 'rows', 1).ours = '7.00';
  });
  const { environment, account, currency, rows } = FILLED_REPORT.proof[0] ?? {};
  expect(changesBetween(text, later)).toEqual([
    {
      path: `proof[${environment} ${account} ${currency}].rows[${rows?.[1]?.name}].ours`,
      before: rows?.[1]?.ours,
      after: '7.00',
    },
  ]);
});

test('one more element of a list moves no other', () => {
  const more = { environment: 'live', currency: 'KES', amount: '1.00', age: '<24h', collections: 1 };
  const later = changed((report) => {
    (at(report, 'inTransit').byAge as unknown[]).unshift(more);
  });
  expect(changesBetween(text, later)).toEqual([{ path: 'inTransit.byAge[live <24h KES]', before: null, after: more }]);
  expect(changesBetween(later, text)).toEqual([{ path: 'inTransit.byAge[live <24h KES]', before: more, after: null }]);
});

test('any two documents: no change exactly when they say the same', () => {
  const names = fc.constantFrom('figures', 'rows', 'ours', '0');
  const value = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    map: fc.dictionary(names, tie('tree'), { maxKeys: 3 }),
  }));
  const sorted = (tree: unknown): unknown =>
    Array.isArray(tree)
      ? tree.map(sorted)
      : typeof tree === 'object' && tree !== null
        ? Object.fromEntries(
            Object.entries(tree)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([name, item]) => [name, sorted(item)]),
          )
        : tree;
  fc.assert(
    fc.property(value.map, value.map, (one, other) => {
      const found = changesBetween(JSON.stringify({ figures: one }), JSON.stringify({ figures: other }));
      expect(found.length === 0).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
    }),
  );
});

test('an item from before stays the same one when it is resolved', () => {
  const item = { id: 'x-1', reference: 'C-2', date: '2026-09-30', code: 'missing_internal', effect: '50.00' };
  const report = (status: string, resolution: string | null) =>
    JSON.stringify({ carried: { items: [{ ...item, status, resolution }] } });
  expect(changesBetween(report('open', null), report('resolved', 'accept'))).toEqual([
    { path: 'carried.items[C-2 x-1].status', before: 'open', after: 'resolved' },
    { path: 'carried.items[C-2 x-1].resolution', before: null, after: 'accept' },
  ]);
});
