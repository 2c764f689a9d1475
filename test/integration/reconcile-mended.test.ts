import { expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';

/* October's file has a row that cannot be read; another file brings its line. The balances are those of the first file. */

const FIRST = ['2026-10-01', 'C-1', 'Collection', '', '100.00', '1100.00'];
const UNREADABLE = ['2026-10-15', 'C-2', 'Collection', '', '5O.00', '1150.00'];
const READABLE = ['2026-10-15', 'C-2', 'Collection', '', '50.00', '1150.00'];
const LAST = ['2026-10-31', 'C-3', 'Collection', '', '10.00', '1160.00'];
const NOVEMBER = ['2026-11-01', '2026-11-15'] as const;

const FILES = [
  { name: 'the line alone', rows: [READABLE] },
  { name: 'the whole file again', rows: [FIRST, READABLE, LAST] },
];

interface Seen {
  readonly closing: string;
  readonly unexplained: string;
  readonly codes: readonly string[];
}

async function withMonth(body: (month: ClosingMonth) => Promise<void>): Promise<void> {
  await body(await ClosingMonth.of());
}

async function run(month: ClosingMonth, [from, to]: readonly [string, string]): Promise<Seen> {
  const { proof, breaks, carried } = await month.shop.reconcile({ from: from, to: to });
  const [{ rows, unexplained }] = proof;
  const { theirs } = rows.find(({ name }: { name: string }) => name === 'closing');
  const codes = [...breaks, ...carried].map(({ code, reference }) => `${code} ${reference}`);
  return { closing: theirs, unexplained, codes };
}

const november = (month: ClosingMonth, opening = 1160) =>
  month.import(
    'november.csv',
    ['2026-11-02', 'C-4', 'Collection', '', '5.00', `${opening + 5}.00`],
    ['2026-11-15', 'C-5', 'Collection', '', '5.00', `${opening + 10}.00`],
  );

test.each(FILES)('$name mends the row: it counts once', async ({ rows }) => {
  await withMonth(async (month) => {
    await month.import('october.csv', FIRST, UNREADABLE, LAST);
    const before = await run(month, ['2026-10-01', '2026-10-31']);
    expect(before).toMatchObject({ closing: '1160.00', unexplained: '0.00' });
    expect(before.codes).toContain('unparsed null');
    await month.import('mended.csv', ...rows);
    expect(await run(month, ['2026-10-01', '2026-10-31'])).toEqual({
      closing: '1160.00',
      unexplained: '0.00',
      codes: ['missing_internal C-1', 'missing_internal C-2', 'missing_internal C-3'],
    });
  });
});

test.each(FILES)('$name mends the row of a closed period: it counts once in the next one', async ({ rows }) => {
  await withMonth(async (month) => {
    await month.import('october.csv', FIRST, UNREADABLE, LAST);
    await month.reconcile();
    await month.resolveAll();
    await month.shop.close('2026-10', { by: 'Ada' });
    await month.import('mended.csv', ...rows);
    await november(month);
    const seen = await run(month, NOVEMBER);
    expect(seen).toMatchObject({ closing: '1170.00', unexplained: '0.00' });
    expect(seen.codes).toContain('late_arrival C-2');
    expect(seen.codes).not.toContain('unparsed null');
    await month.resolveAll();
    await month.shop.close('2026-11-01..2026-11-15', { by: 'Ada' });
    expect(await month.shop.journal('2026-11-01..2026-11-15', { format: 'hledger' })).toContain(
      'assets:wallet:wallet-main  NGN 0.00 = NGN 1170.00',
    );
  });
});

test('another file mends the row of a closed period whose file goes on into the next one: it counts once', async () => {
  await withMonth(async (month) => {
    const next = ['2026-11-10', 'C-4', 'Collection', '', '5.00', '1165.00'];
    await month.import('october.csv', FIRST, UNREADABLE, LAST, next);
    await month.reconcile();
    await month.resolveAll();
    await month.shop.close('2026-10', { by: 'Ada' });
    const unread = await run(month, NOVEMBER);
    expect(unread).toMatchObject({ closing: '1165.00', unexplained: '0.00' });
    expect(unread.codes.filter((name) => name === 'unparsed null')).toHaveLength(1);
    await month.import('mended.csv', FIRST, READABLE, LAST, next);
    const seen = await run(month, NOVEMBER);
    expect(seen).toMatchObject({ closing: '1165.00', unexplained: '0.00' });
    expect(seen.codes).toContain('late_arrival C-2');
    expect(seen.codes).not.toContain('unparsed null');
  });
});

test('a row stays open while the lines that came are fewer than the unreadable rows', async () => {
  await withMonth(async (month) => {
    const other = ['2026-10-15', 'C-9', 'Payout', '', '-O.00', '1150.00'];
    await month.import('october.csv', FIRST, UNREADABLE, other, LAST);
    await month.import('mended.csv', READABLE);
    const seen = await run(month, ['2026-10-01', '2026-10-31']);
    expect(seen).toMatchObject({ closing: '1160.00', unexplained: '0.00' });
    expect(seen.codes.filter((name) => name === 'unparsed null')).toHaveLength(2);
  });
});

test('an unreadable row that two overlapping files have: the later one opens before it', async () => {
  const early = ['2026-10-10', 'C-9', 'Collection', '', '2O.00', '1120.00'];
  const day = (days: string, reference: string, amount: string, balance: string) => [
    ...[`2026-10-${days}`, reference, 'Collection', '', amount, balance],
  ];
  const [c2, c4, c5] = [
    day('12', 'C-2', '1.00', '1121.00'),
    day('20', 'C-4', '4.00', '1175.00'),
    day('25', 'C-5', '5.0O', '1180.00'),
  ];
  const unreadable = ['2026-10-15', 'C-3', 'Collection', '', '5O.00', '1171.00'];
  const last = day('31', 'C-6', '10.00', '1190.00');
  const readable = ['2026-10-10', 'C-9', 'Collection', '', '20.00', '1120.00'];
  const readableLater = day('25', 'C-5', '5.00', '1180.00');
  for (const [before, after, effects] of [
    [readable, readableLater, ['50.00']],
    [early, readableLater, ['0.00', '70.00']],
    [readable, c5, ['5.00', '50.00']],
    [early, c5, ['0.00', '5.00', '70.00']],
  ] as const) {
    const files = [
      [FIRST, before, c2, unreadable, c4],
      [c2, unreadable, c4, after, last],
    ];
    for (const order of [files, files.toReversed()]) {
      await withMonth(async (month) => {
        for (const [index, rows] of order.entries()) await month.import(`${index}.csv`, ...rows);
        const { proof, breaks } = await month.shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
        const closing = proof[0].rows.find(({ name }: { name: string }) => name === 'closing');
        const found = breaks.filter(({ code }: { code: string }) => code !== 'missing_internal');
        expect(found.map(({ code }: { code: string }) => code)).toEqual(effects.map(() => 'unparsed'));
        expect(found.map(({ effect }: { effect: string }) => effect).toSorted()).toEqual(effects);
        expect([closing.theirs, proof[0].unexplained]).toEqual(['1190.00', '0.00']);
      });
    }
  }
});

const cells = (day: string, reference: string, amount: string, balance: string) => [
  ...[`2026-10-${day}`, reference, 'Collection', '', amount, balance],
];
const MONTH = {
  first: cells('01', 'C-1', '100.00', '1100.00'),
  unread: cells('10', 'C-9', '2O.00', '1120.00'),
  known: cells('10', 'C-9', '20.00', '1120.00'),
  common: cells('12', 'C-2', '1.00', '1121.00'),
  read: cells('15', 'C-3', '50.00', '1171.00'),
  unreadCommon: cells('15', 'C-3', '5O.00', '1171.00'),
  later: cells('20', 'C-4', '4.00', '1175.00'),
  readLate: cells('25', 'C-5', '5.00', '1180.00'),
  unreadLate: cells('25', 'C-5', '5.0O', '1180.00'),
  last: cells('31', 'C-6', '10.00', '1190.00'),
} as const;

/** Opening balances of 1, 12 and 18 October, and what unreadable rows moved in all. */
test.each<[string, (keyof typeof MONTH)[], (keyof typeof MONTH)[], string[], string]>([
  [
    'before the second file begins',
    ['first', 'unread', 'common', 'read', 'later'],
    ['common', 'read', 'later', 'readLate', 'last'],
    ['1000.00', '1100.00', '1151.00'],
    '20.00',
  ],
  [
    'before it and in both',
    ['first', 'unread', 'common', 'unreadCommon', 'later'],
    ['common', 'unreadCommon', 'later', 'unreadLate', 'last'],
    ['1000.00', '1100.00', '1101.00'],
    '75.00',
  ],
  [
    'that the second file begins with',
    ['first', 'unread', 'common', 'unreadCommon', 'later'],
    ['unread', 'common', 'unreadCommon', 'later', 'readLate', 'last'],
    ['1000.00', '1100.00', '1101.00'],
    '70.00',
  ],
  [
    'after a file that lies within the days of the other',
    ['first', 'known', 'common', 'read', 'later', 'unreadLate', 'last'],
    ['common', 'read', 'later'],
    ['1000.00', '1120.00', '1171.00'],
    '5.00',
  ],
  [
    'before a file that lies within the days of the other',
    ['first', 'unread', 'common', 'read', 'later', 'readLate', 'last'],
    ['common', 'read', 'later'],
    ['1000.00', '1100.00', '1151.00'],
    '20.00',
  ],
])(
  'overlapping files, an unreadable row %s: it counts once from whatever day on',
  async (_name, first, second, openings, moved) => {
    await withMonth(async (month) => {
      for (const [index, names] of [first, second].entries()) {
        await month.import(`${index}.csv`, ...names.map((name) => MONTH[name]));
      }
      for (const [index, from] of ['2026-10-01', '2026-10-12', '2026-10-18'].entries()) {
        const { proof, breaks } = await month.shop.reconcile({ from: from, to: '2026-10-31' });
        const theirs = (row: string) => proof[0].rows.find(({ name }: { name: string }) => name === row)?.theirs;
        expect([from, theirs('opening'), theirs('other'), theirs('closing')]).toEqual([
          from,
          openings[index],
          moved,
          '1190.00',
        ]);
        expect(proof[0].unexplained).toBe('0.00');
        expect(breaks.map(({ code }: { code: string }) => code)).not.toContain('statement_gap');
      }
    });
  },
);

test('a file that does not open with the closing balance of the month before is a gap, whether that month is closed or not', async () => {
  for (const isClosed of [false, true]) {
    await withMonth(async (month) => {
      await month.import('october.csv', FIRST, READABLE, LAST);
      await month.reconcile();
      await month.resolveAll();
      if (isClosed) await month.shop.close('2026-10', { by: 'Ada' });
      await november(month, 1170);
      const { breaks, proof } = await month.shop.reconcile({ from: NOVEMBER[0], to: NOVEMBER[1] });
      expect(breaks).toContainEqual(
        expect.objectContaining({ code: 'statement_gap', field: 'opening', ours: '1160.00', theirs: '1170.00' }),
      );
      expect(proof[0].unexplained).toBe('0.00');
    });
  }
});
