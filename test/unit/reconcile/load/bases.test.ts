import { expect, test } from 'vitest';
import { Bases, groupOfBreak, lineKey, rowKey } from '../../../../src/reconcile/load/bases.ts';
import type { FrozenGroup, KeptBreak } from '../../../../src/store/runs.ts';

/* Which frozen groups are the base of a group (docs/matching.md, What a close freezes). */

const row = (reference: string) => rowKey({ kind: 'payout', environment: 'test', reference }, 'records-wallet');
const line = (fingerprint: string) => lineKey({ account: 'wallet', fingerprint, occurrence: 1 });

function frozen(ours: readonly string[], lines: readonly string[], minor = -100n): FrozenGroup {
  const [key = ''] = [...ours, ...lines];
  const book = { environment: 'test', account: 'wallet', currency: 'NGN' } as const;
  return { ...book, key, rows: { payouts: minor }, verdicts: [], ours, lines };
}

const NONE = { there: new Set<string>(), judgedAgain: new Set<string>() };

test('a group has the base of its own row and lines, once', () => {
  const [own, other] = [frozen([row('A')], [line('1')]), frozen([row('B')], [])];
  const bases = new Bases([own, other], NONE);
  const members = { ours: [row('A')], lines: [line('1')] };
  expect(bases.take(members)).toEqual([own]);
  expect(bases.take(members)).toEqual([]);
  expect(bases.left()).toEqual([other]);
});

test('groups that were merged have their bases together', () => {
  const both = [frozen([row('A')], []), frozen([], [line('1')], 100n)];
  expect(new Bases(both, NONE).take({ ours: [row('A')], lines: [line('1')] })).toEqual(both);
});

test('the base of a group that was split is that of the row that names it, whichever part comes first', () => {
  const one = frozen([row('A')], [line('1')]);
  const bases = new Bases([one], { ...NONE, there: new Set([row('A')]) });
  expect(bases.take({ ours: [row('B')], lines: [line('1')] })).toEqual([]);
  expect(bases.take({ ours: [row('A')], lines: [] })).toEqual([one]);
});

test('once its row is gone, the base is that of what shares a line with it', () => {
  const one = frozen([row('A')], [line('1')]);
  expect(new Bases([one], NONE).take({ ours: [row('B')], lines: [line('1')] })).toEqual([one]);
});

test('what stands as it was frozen is left', () => {
  const one = frozen([row('A')], []);
  const bases = new Bases([one], NONE);
  bases.leave(bases.take({ ours: [row('A')], lines: [] }));
  expect(bases.left()).toEqual([one]);
});

test('a group is split once a row or a line of it is in another one, and not once it is gone', () => {
  const tie = frozen([row('A'), row('B')], [line('1')]);
  const isSplit = (there: readonly string[], lines: readonly string[]) =>
    new Bases([tie], { ...NONE, there: new Set(there) }).isSplit(tie, { ours: [row('A')], lines });
  expect(isSplit([row('A'), row('B'), line('1')], [line('1')])).toBe(true);
  expect(isSplit([row('A'), line('1')], [])).toBe(true);
  expect(isSplit([row('A'), line('1')], [line('1')])).toBe(false);
});

test('a row has a name in each leg', () => {
  expect(rowKey({ kind: 'payout', environment: 'test', reference: 'A' }, 'records-ledger')).not.toBe(row('A'));
});

const KEPT: KeptBreak = {
  ...{ id: 'x-1', code: 'missing_external', sub: null, leg: 'records-wallet', side: 'ours', kind: 'payout' },
  ...{ environment: 'test', account: 'wallet', reference: 'A', field: 'reference', currency: 'NGN', ours: '1.00' },
  ...{ theirs: null, variance: null, effect: '1.00', line: null, candidates: [], date: '2026-10-01' },
  ...{ firstSeen: '2026-10-02', reason: '', nextStep: '', recordId: 1 },
};

test('a break of a version before is the base of its row, else of its line; one of a file, or that moves nothing, is none', () => {
  const book = { environment: 'test', account: 'wallet', currency: 'NGN' };
  expect(groupOfBreak(KEPT)).toMatchObject({
    ...book,
    key: row('A'),
    rows: { payouts: 100n },
    ours: [row('A')],
    lines: [],
  });
  const place = { statement: 1, row: 2, fingerprint: '1', occurrence: 1 };
  const strange = groupOfBreak({ ...KEPT, kind: null, code: 'missing_internal', line: place });
  expect(strange).toMatchObject({ key: line('1'), rows: { other: 100n }, ours: [], lines: [line('1')] });
  const none = [
    { effect: '0.00' },
    { code: 'unparsed', line: place },
    { code: 'statement_gap' },
    { account: null },
    { currency: null },
    { leg: null },
  ];
  for (const over of none) expect([over, groupOfBreak({ ...KEPT, ...over })]).toEqual([over, null]);
});
