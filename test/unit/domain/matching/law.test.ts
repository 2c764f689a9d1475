import { expect, test } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { type AtTwoDates, changeOf, type Moved } from '../../../../src/domain/matching/law.ts';
import { linePostings } from '../../../../src/domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import { octoberTerms, ourRow, theirLine } from '../../../support/matching/groups.ts';

/*
 * Law 1 of docs/matching.md, cell by cell: what a group of a row of ours and the lines of a column is to October. Each is judged at the end of
 * September and at the end of October; a sale and a line are of 100.00, a refund holds and gives back 10.00. A refund whose hold was never
 * released comes to what it should without a line of its payment.
 */

const SALE = { amount: '100.00' };
const REFUND = { amount: '10.00', reserved: '10.00' };
const ROWS: Readonly<Record<string, OurRow | null>> = {
  'sale of September': ourRow('collection', 'success', { ...SALE, day: '2026-09-20' }),
  'sale of October': ourRow('collection', 'success', { ...SALE, day: '2026-10-10' }),
  'sale of November': ourRow('collection', 'success', { ...SALE, day: '2026-11-02' }),
  'failed in September': ourRow('collection', 'failed', { ...SALE, day: '2026-09-20' }),
  'no row': null,
  'refund held in September': ourRow('refund', 'processing', { ...REFUND, day: '2026-09-20' }),
  'held in September, paid in October': ourRow('refund', 'success', {
    ...REFUND,
    ...{ startDay: '2026-09-20', day: '2026-10-10' },
  }),
};

/** Lines of a sale and of a refund: `9` is of September, `10` of October, `11` of November. */
const DATES = { 9: '2026-09-20', 10: '2026-10-10', 11: '2026-11-02' } as const;
const line = (month: keyof typeof DATES, type: TheirLine['type'], amount: string, row: number) =>
  theirLine(type, amount, { date: DATES[month], row });
const LINES: Readonly<Record<string, (kind: OurRow['kind']) => TheirLine[]>> = {
  'no line': () => [],
  '9': (kind) => [kind === 'refund' ? line(9, 'reserve', '-10.00', 2) : line(9, 'collection', '100.00', 2)],
  '10': (kind) =>
    kind === 'refund'
      ? [line(10, 'reserve', '-10.00', 2), line(10, 'release', '10.00', 3), line(10, 'refund', '-10.00', 4)]
      : [line(10, 'collection', '100.00', 2)],
  '11': (kind) => [kind === 'refund' ? line(11, 'refund', '-10.00', 2) : line(11, 'collection', '100.00', 2)],
  '9 and 10': (kind) =>
    kind === 'refund'
      ? [line(9, 'reserve', '-10.00', 2), line(10, 'release', '10.00', 3), line(10, 'refund', '-10.00', 4)]
      : [line(9, 'collection', '100.00', 2), line(10, 'collection', '100.00', 3)],
};

const TABLE = `
                                   | no line | 9       | 10      | 11      | 9 and 10
sale of September                  | carried | past    | settled | carried | new
sale of October                    | new     | settled | agrees  | new     | changed
sale of November                   | past    | carried | new     | past    | changed
failed in September                | past    | carried | new     | past    | changed
no row                             | past    | carried | new     | past    | changed
refund held in September           | carried | past    | changed | carried | new
held in September, paid in October | changed | past    | settled | changed | agrees
`;

const [columns = [], ...cells] = TABLE.split('\n')
  .filter((text) => text !== '')
  .map((text) => text.split('|').map((cell) => cell.trim()));

function twoDates(row: OurRow | null, lines: readonly TheirLine[]): AtTwoDates {
  const at = (until: string) => {
    if (row !== null) return judgeGroup(row, lines, octoberTerms({ until, judgedDay: until, shownFrom: () => '' }));
    const theirs = lines.filter(({ date }) => date <= until).flatMap((one) => linePostings(one, null));
    return { ours: [], theirs, verdicts: theirs };
  };
  const [eve, now] = [at('2026-09-30'), at('2026-10-31')];
  const moved: Moved = { eve, now };
  const [wasOpen, isOpen] = [eve.verdicts.length > 0, now.verdicts.length > 0];
  return { from: '2026-10-01', moved: [moved], wasOpen, isOpen, isLate: false };
}

test.each(cells.map(([name = '', ...words]) => ({ name, words })))('$name: $words', ({ name, words }) => {
  const row = ROWS[name] ?? null;
  const changes = columns.slice(1).map((column) => {
    return changeOf(twoDates(row, LINES[column]?.(row?.kind ?? 'collection') ?? []));
  });
  expect(changes).toEqual(words);
});

test('the table has every row and column', () => {
  expect(cells.map(([name]) => name).toSorted()).toEqual(Object.keys(ROWS).toSorted());
  expect([cells.length, columns.length - 1]).toEqual([Object.keys(ROWS).length, Object.keys(LINES).length]);
});

test('what became known after a close is late, whatever the two dates say', () => {
  for (const wasOpen of [true, false])
    for (const isOpen of [true, false])
      expect(changeOf({ from: '2026-10-01', moved: [], wasOpen, isOpen, isLate: true })).toBe('late');
});

test('what a side moved and took back in one row of the proof is no change', () => {
  const posting = (minor: bigint, day: string) => ({ row: 'payouts' as const, day, minor });
  const eve = { ours: [], theirs: [posting(5n, '2026-09-20')] };
  const moved = (...more: ReturnType<typeof posting>[]) => [
    { eve, now: { ours: [], theirs: [...eve.theirs, ...more] } },
  ];
  const both = { from: '2026-10-01', wasOpen: true, isOpen: true, isLate: false };
  expect(changeOf({ ...both, moved: moved(posting(7n, '2026-10-10'), posting(-7n, '2026-10-11')) })).toBe('carried');
  expect(changeOf({ ...both, moved: moved(posting(7n, '2026-10-10'), posting(-6n, '2026-10-11')) })).toBe('changed');
});
