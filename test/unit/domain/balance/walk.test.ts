import { expect, test } from 'vitest';
import type { BookFile } from '../../../../src/domain/balance/book-file.ts';
import { BookLines } from '../../../../src/domain/balance/book-lines.ts';
import type { Start } from '../../../../src/domain/balance/opening.ts';
import { walk } from '../../../../src/domain/balance/walk.ts';
import { money } from '../../../../src/domain/money/amount.ts';
import { effectOf } from '../../../../src/domain/reconciling/break.ts';
import type { ControlCheck } from '../../../../src/domain/statements/statement.ts';
import { bookFile } from '../../../support/book-files.ts';

/*
 * What the files of a book can say of October. In truth 1,000.00 are there on 1 September, 10.00 came on the 20th, and in October 5.00 on
 * the 3rd, 7.00 on the 12th and 40.00 on the 20th: each line stands at its name.
 */

const TRUTH = {
  s20: ['2026-09-20', 1_000n],
  o3: ['2026-10-03', 500n],
  o12: ['2026-10-12', 700n],
  o20: ['2026-10-20', 4_000n],
} as const;
type Line = keyof typeof TRUTH;
const LINES = Object.keys(TRUTH) as Line[];

/** The balance before a line, in truth; before nothing: at the end. */
function before(line?: Line): bigint {
  const earlier = line === undefined ? LINES : LINES.slice(0, LINES.indexOf(line));
  return earlier.reduce((sum, one) => sum + TRUTH[one][1], 100_000n);
}

interface Said extends Partial<Omit<BookFile, 'lines'>> {
  readonly shows: readonly Line[];
  /** Of these lines, those that cannot be read. */
  readonly hides?: readonly Line[];
}

/** A file of true balances: it opens before its first line, or where it is said, and closes after its last one. */
function said(
  statement: number,
  from: string,
  to: string,
  { shows, hides = [], ...given }: Said,
): BookFile & { shown: readonly Line[] } {
  const shown = shows.filter((line) => !hides.includes(line));
  const unread = hides.map((line) => ({
    ...{ row: 5, column: 'Amount', value: 'x', reason: 'It is no amount.', currency: 'NGN' },
    ...{ date: TRUTH[line][0], fingerprint: line, occurrence: 1 },
  }));
  const sumOf = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + TRUTH[line][1], 0n);
  const opening = given.opening === undefined ? before(shows[0]) : given.opening;
  const closing = opening === null ? null : opening + sumOf(shows);
  const days = { from: `2026-${from}`, to: `2026-${to}` };
  const file = bookFile({
    statement,
    ...days,
    unread,
    opening,
    closing,
    sum: sumOf(shown),
    new: shown.length,
    ...given,
  });
  return { ...file, lines: shown.length, shown };
}

const september = said(1, '09-01', '09-30', { shows: ['s20'] });
const october = said(2, '10-01', '10-31', { shows: ['o3', 'o12', 'o20'] });
const firstHalf = said(3, '10-01', '10-15', { shows: ['o3', 'o12'] });
const secondHalf = said(4, '10-16', '10-31', { shows: ['o20'] });
const closes = (stated: bigint): ControlCheck[] => [
  { control: 'closing', currency: 'NGN', stated, computed: 0n, row: null, cell: { row: 9, column: 'Balance' } },
];

function walked(
  files: readonly ReturnType<typeof said>[],
  start: Start,
  order: { first?: string; isLast?: boolean } = {},
) {
  const shown = LINES.map((line) => ({
    ...{ day: TRUTH[line][0], lines: 1, minor: TRUTH[line][1] },
    statements: files.filter((file) => file.shown.includes(line)).map(({ statement }) => statement),
  }));
  const lines = new BookLines(shown.filter(({ statements }) => statements.length > 0));
  const found = walk({
    ...{ files, lines, start, from: '2026-10-01', until: '2026-10-31', expected: '2026-11-20' },
    ...{ first: order.first ?? '2026-10-01', lastDay: null, rivalsBefore: [], gapsBefore: [] },
  });
  const text = (item: (typeof found.breaks)[number]) => {
    const { facts, firstSeen, isCarried } = item;
    const name = [facts.code, facts.sub, facts.field].filter((one) => one !== null).join(' ');
    return `${isCarried ? 'before: ' : ''}${name} ${firstSeen} ${money(effectOf(item))}`;
  };
  const moved = lines.before('2026-11-01') - lines.before('2026-10-01');
  const steps = found.steps.reduce((sum, { minor }) => sum + minor, 0n);
  const opening = start.how === 'closed' ? start.minor : found.opening;
  const closing = opening === null ? null : opening + moved + steps;
  return { opening, closing, stated: found.closing, breaks: found.breaks.map(text) };
}

const NONE_BEFORE = { rivalsBefore: [], gapsBefore: [] };
const STATED: Start = { how: 'stated' };
const begun = (minor: bigint, open = 0n): Start => ({ how: 'begun', minor, open, day: '2026-09-01' });
const closed = (minor: bigint, isMissing = false): Start => ({ how: 'closed', minor, isMissing });

/** Files, the start; the opening and the closing balance by them, and the breaks. */
const CASES: Record<string, [ReturnType<typeof said>[], Start, bigint | null, bigint | null, readonly string[]]> = {
  'one file of the month': [[october], STATED, 101_000n, 106_200n, []],
  'a file that states no balance': [[{ ...october, opening: null, closing: null }], STATED, null, null, []],
  'a file that reaches back': [
    [said(2, '09-15', '10-31', { shows: ['s20', 'o3', 'o12', 'o20'] })],
    STATED,
    101_000n,
    106_200n,
    [],
  ],
  'two files, one after the other': [[firstHalf, secondHalf], STATED, 101_000n, 106_200n, []],
  'two files that overlap': [
    [firstHalf, said(4, '10-10', '10-31', { shows: ['o12', 'o20'] })],
    STATED,
    101_000n,
    106_200n,
    [],
  ],
  'a file within the days of another one': [
    [october, said(4, '10-10', '10-15', { shows: ['o12'] })],
    STATED,
    101_000n,
    106_200n,
    [],
  ],
  'days between two files, in which nothing moved': [
    [firstHalf, said(4, '10-18', '10-31', { shows: ['o20'] })],
    ...([STATED, 101_000n, 106_200n, ['statement_gap opening 2026-10-18 0.00']] as const),
  ],
  'days between two files, in which something moved': [
    [said(3, '10-01', '10-10', { shows: ['o3'] }), secondHalf],
    ...([STATED, 101_000n, 106_200n, ['statement_gap opening 2026-10-16 7.00']] as const),
  ],
  'the same, where files do not state their days': [
    [
      said(3, '10-03', '10-03', { shows: ['o3'], statesDays: false }),
      said(4, '10-20', '10-20', { shows: ['o20'], statesDays: false }),
    ],
    ...([STATED, 101_000n, 106_200n, ['statement_gap opening 2026-10-20 7.00']] as const),
  ],
  'days at both ends without a file': [
    [said(3, '10-05', '10-20', { shows: ['o12', 'o20'] })],
    ...([
      STATED,
      101_500n,
      106_200n,
      ['statement_gap days 2026-10-04 0.00', 'statement_gap days 2026-10-31 0.00'],
    ] as const),
  ],
  'a month before that closes otherwise: both sides open with the file of the month': [
    [{ ...september, closing: 90_000n }, october],
    ...([STATED, 101_000n, 106_200n, ['statement_gap opening 2026-10-01 0.00']] as const),
  ],
  'a balance of ours that the first file does not have': [
    [september, october],
    ...([begun(100_500n), 101_000n, 106_200n, ['before: statement_gap begin opening 2026-09-01 -5.00']] as const),
  ],
  'a first file weeks after our balance: the day of its balance has the difference': [
    [said(3, '10-05', '10-31', { shows: ['o12', 'o20'] })],
    ...([
      begun(100_000n),
      100_000n,
      106_200n,
      ['statement_gap days 2026-10-04 0.00', 'statement_gap begin opening 2026-10-05 15.00'],
    ] as const),
  ],
  'a gap of the month before': [
    [
      said(1, '09-01', '09-10', { shows: [], opening: 100_000n }),
      said(5, '09-21', '09-30', { shows: [], opening: 101_000n }),
      october,
    ],
    ...([begun(100_000n), 101_000n, 106_200n, ['before: statement_gap opening 2026-09-21 10.00']] as const),
  ],
  'a file whose balances are of before a correction, between two that have it: they contradict each other once': [
    [
      said(3, '10-01', '10-10', { shows: ['o3'] }),
      said(4, '10-11', '10-15', { shows: ['o12'], opening: before('o12') - 500n }),
      secondHalf,
    ],
    ...([STATED, 101_000n, 106_200n, ['statement_gap contradicting opening 2026-10-11 0.00']] as const),
  ],
  'two of them, the second of which is further off': [
    [
      said(3, '10-01', '10-10', { shows: ['o3'] }),
      said(4, '10-11', '10-15', { shows: ['o12'], opening: before('o12') - 500n }),
      said(5, '10-16', '10-25', { shows: ['o20'], opening: before('o20') - 700n }),
      said(6, '10-26', '10-31', { shows: [], opening: before() }),
    ],
    ...([
      STATED,
      101_000n,
      106_200n,
      ['statement_gap contradicting opening 2026-10-11 0.00', 'statement_gap contradicting opening 2026-10-16 0.00'],
    ] as const),
  ],
  'days without a file that moved something, and others that moved it back': [
    [
      said(3, '10-01', '10-05', { shows: ['o3'] }),
      said(4, '10-07', '10-08', { shows: [], opening: before('o12') + 500n }),
      said(5, '10-10', '10-31', { shows: ['o12', 'o20'] }),
    ],
    ...([
      STATED,
      101_000n,
      106_200n,
      ['statement_gap opening 2026-10-07 5.00', 'statement_gap opening 2026-10-10 -5.00'],
    ] as const),
  ],
  'a month that opens otherwise than it was closed': [
    [october],
    ...([closed(100_900n), 100_900n, 106_200n, ['statement_gap opening 2026-10-01 1.00']] as const),
  ],
  'days of a closed month without a file, of which nothing is said yet': [
    [said(1, '09-01', '09-25', { shows: ['s20'] }), october],
    ...([closed(101_000n, true), 101_000n, 106_200n, ['statement_gap opening 2026-10-01 0.00']] as const),
  ],
  'an unreadable row': [
    [{ ...said(2, '10-01', '10-31', { shows: ['o3', 'o12', 'o20'], hides: ['o12'] }) }],
    ...([STATED, 101_000n, 106_200n, ['unparsed Amount 2026-10-12 7.00']] as const),
  ],
  'an unreadable row of a file that states its closing balance alone': [
    [september, { ...said(2, '10-01', '10-31', { shows: ['o3', 'o12', 'o20'], hides: ['o12'] }), opening: null }],
    ...([begun(100_000n), 101_000n, 106_200n, ['unparsed Amount 2026-10-12 7.00']] as const),
  ],
  'an unreadable row that another file shows': [
    [
      said(2, '10-01', '10-31', { shows: ['o3', 'o12', 'o20'], hides: ['o12'] }),
      said(4, '10-10', '10-15', { shows: ['o12'] }),
    ],
    ...([STATED, 101_000n, 106_200n, []] as const),
  ],
  'an unreadable row that two files have': [
    [
      said(3, '10-01', '10-15', { shows: ['o3', 'o12'], hides: ['o12'] }),
      said(4, '10-10', '10-31', { shows: ['o12', 'o20'], hides: ['o12'] }),
    ],
    ...([STATED, 101_000n, 106_200n, ['unparsed Amount 2026-10-12 7.00']] as const),
  ],
  'an unreadable row of the month before, in a balance of ours': [
    [said(1, '09-01', '09-30', { shows: ['s20'], hides: ['s20'] }), { ...october, opening: null, closing: null }],
    ...([begun(100_000n), 101_000n, 106_200n, ['before: unparsed Amount 2026-09-20 10.00']] as const),
  ],
  'a closing balance that the lines do not make': [
    [{ ...october, closing: 106_300n, controls: closes(106_300n) }],
    ...([STATED, 101_000n, 106_300n, ['control_mismatch closing 2026-10-31 1.00']] as const),
  ],
  'the same, beside a file of the same days that adds up': [
    [{ ...firstHalf, closing: 106_300n, controls: closes(106_300n) }, october],
    ...([STATED, 101_000n, 106_200n, ['control_mismatch closing 2026-10-15 0.00']] as const),
  ],
  'the same on the first day of the month': [
    [
      {
        ...said(3, '10-01', '10-01', { shows: [], opening: 101_000n }),
        closing: 101_100n,
        controls: closes(101_100n),
      },
      october,
    ],
    ...([STATED, 101_000n, 106_200n, ['control_mismatch closing 2026-10-01 0.00']] as const),
  ],
  'two files of one place that differ': [
    [october, said(4, '10-01', '10-31', { shows: ['o3', 'o12', 'o20'], opening: 200_000n })],
    ...([
      STATED,
      200_000n,
      205_200n,
      ['statement_gap contradicting lines 2026-10-31 0.00', 'statement_gap contradicting opening 2026-10-01 0.00'],
    ] as const),
  ],
  'files of common days whose balances deny a line: the closing balance is what the last one states': [
    [firstHalf, said(4, '10-10', '10-31', { shows: ['o20'], opening: before('o12') })],
    ...([STATED, 101_000n, 105_500n, ['statement_gap contradicting lines 2026-10-31 -7.00']] as const),
  ],
  'the same, before a file that goes on from both: it takes that back': [
    [
      said(3, '10-01', '10-15', { shows: ['o3', 'o12'] }),
      said(4, '10-10', '10-19', { shows: [], opening: before('o12') }),
      said(5, '10-20', '10-31', { shows: ['o20'] }),
    ],
    ...([STATED, 101_000n, 106_200n, ['statement_gap contradicting lines 2026-10-19 0.00']] as const),
  ],
  'a file within another one that denies its line': [
    [
      said(3, '10-01', '10-31', { shows: ['o3', 'o20'] }),
      said(4, '10-10', '10-15', { shows: ['o12'], opening: before('o12') }),
    ],
    ...([STATED, 101_000n, 105_500n, ['statement_gap contradicting lines 2026-10-15 -7.00']] as const),
  ],
  'a file within another one that brings what its total lacks': [
    [
      { ...said(3, '10-01', '10-31', { shows: ['o3', 'o20'] }), closing: 106_200n, controls: closes(106_200n) },
      said(4, '10-10', '10-15', { shows: ['o12'] }),
    ],
    ...([STATED, 101_000n, 106_200n, ['control_mismatch closing 2026-10-31 0.00']] as const),
  ],
  'a file that goes on after the period, beside one that ends in it': [
    [firstHalf, said(4, '10-10', '11-05', { shows: ['o20'], opening: before('o12') })],
    ...([STATED, 101_000n, 106_200n, ['statement_gap contradicting lines 2026-10-31 0.00']] as const),
  ],
  'a file that lacks a line of another one': [
    [october, { ...said(4, '10-01', '10-31', { shows: ['o3', 'o20'], opening: 101_000n }), new: 0 }],
    ...([STATED, 101_000n, 106_200n, ['statement_gap lacking lines 2026-10-31 0.00']] as const),
  ],
};

test.each(Object.entries(CASES))('%s', (_, [files, start, opening, closing, breaks]) => {
  const first = start.how === 'begun' ? start.day : '2026-10-01';
  const { stated, ...found } = walked(files, start, { first });
  expect(found).toEqual({ opening, closing, breaks });
  expect([closing, null]).toContain(stated);
});

test('the closing balance is what the last file states, whatever its lines make; of files of common days, what all of them make', () => {
  const statedBy = (...files: ReturnType<typeof said>[]) => walked(files, STATED).stated;
  expect(statedBy({ ...october, shown: ['o3'] })).toBe(106_200n);
  expect(statedBy(firstHalf, said(4, '10-10', '10-31', { shows: ['o12', 'o20'] }))).toBe(106_200n);
  expect(statedBy({ ...october, opening: null, closing: null })).toBe(null);
  expect(statedBy(said(2, '10-01', '11-05', { shows: ['o3', 'o12', 'o20'] }))).toBe(null);
  expect(statedBy(september)).toBe(null);
});

test('a file that may still come is no gap, nor are days after the last one of an account that was given up', () => {
  const daysOf = (order: { expected: string; lastDay: string | null }) => {
    const files = [said(3, '10-01', '10-20', { shows: ['o3', 'o12', 'o20'] })];
    const days = { from: '2026-10-01', until: '2026-10-31', first: '2026-10-01' };
    const { breaks } = walk({ files, lines: new BookLines([]), start: STATED, ...NONE_BEFORE, ...days, ...order });
    return breaks.map(({ facts: { detail }, place }) => [detail, place?.names]);
  };
  const until = (day: string) => [[`no statement covers 2026-10-21 to ${day}`, '2026-10-31']];
  expect(daysOf({ expected: '2026-11-20', lastDay: null })).toEqual(until('2026-10-31'));
  expect(daysOf({ expected: '2026-10-26', lastDay: null })).toEqual(until('2026-10-26'));
  expect(daysOf({ expected: '2026-10-20', lastDay: null })).toEqual([]);
  expect(daysOf({ expected: '2026-11-20', lastDay: '2026-10-22' })).toEqual(until('2026-10-22'));
  expect(daysOf({ expected: '2026-11-20', lastDay: '2026-10-20' })).toEqual([]);
  // A statement of later days shows that it goes on.
  expect(daysOf({ expected: '2026-11-20', lastDay: '2026-10-19' })).toEqual(until('2026-10-31'));
});

test('an unreadable row is open since its own day, else since the end of its file or of the period', () => {
  const sinceOf = (date: string | null, to: string) => {
    const file = said(2, '10-01', to, { shows: ['o3'], hides: ['o3'] });
    const own = { ...file, unread: file.unread.map((row) => ({ ...row, date })) };
    return walk({
      ...{
        files: [own],
        lines: new BookLines([]),
        start: STATED,
        ...NONE_BEFORE,
        expected: '2026-10-01',
        lastDay: null,
      },
      ...{ from: '2026-10-01', until: '2026-10-31', first: '2026-10-01' },
    }).breaks.map(({ firstSeen }) => firstSeen);
  };
  expect(sinceOf('2026-10-14', '10-20')).toEqual(['2026-10-14']);
  expect(sinceOf('2026-10-31', '10-14')).toEqual(['2026-10-31']);
  expect(sinceOf('2026-11-02', '10-14')).toEqual(['2026-10-14']);
  expect(sinceOf(null, '10-14')).toEqual(['2026-10-14']);
  expect(sinceOf(null, '11-14')).toEqual(['2026-10-31']);
  // It stands in the month of its day.
  expect(sinceOf('2026-11-02', '11-14')).toEqual([]);
});
