import { expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { undocumentedFields } from '../support/commands.ts';

// Each test imports several files, one command after the other.
type Row = readonly string[];
const line = (day: string, reference: string, amount: string, balance: string): Row => [
  ...[`2026-${day}`, reference, 'Collection', '', amount, balance],
];

/** October with one line that was corrected: 50.00 became 55.00. */
const october = (amount: string, second: string, third: string): Row[] => [
  line('10-01', 'C-1', '100.00', '1100.00'),
  line('10-10', 'C-2', amount, second),
  line('10-31', 'C-3', '10.00', third),
];
const OUTDATED = october('50.00', '1150.00', '1160.00');
const CORRECTED = october('55.00', '1155.00', '1165.00');
const NOVEMBER = [line('11-01', 'C-4', '1.00', '1166.00')];

interface Report {
  readonly breaks: readonly Record<string, string | null>[];
  readonly proof: readonly {
    readonly rows: readonly { readonly name: string; readonly theirs: string }[];
    readonly unexplained: string;
  }[];
}

/** The gaps of a run, and with what the statements open and close. */
async function gaps(month: ClosingMonth, from: string, to: string) {
  const report = (await month.json('reconcile', '--from', from, '--to', to, '--dry-run')) as unknown as Report;
  const [proof] = report.proof;
  const rows = Object.fromEntries((proof?.rows ?? []).map(({ name, theirs }) => [name, theirs]));
  const found = report.breaks.filter(({ code }) => code === 'statement_gap');
  const effects = report.breaks.reduce((sum, { effect }) => sum + Number(effect) * 100, 0) / 100;
  return { gaps: found, closing: rows.closing, other: rows.other, unexplained: proof?.unexplained, effects };
}

test('a corrected export beside the outdated one is named at its import, with what differs and how to go on', async () => {
  const month = await ClosingMonth.of();
  await month.import('outdated.csv', ...OUTDATED);
  const { code, stderr } = await month.tryImport('corrected.csv', CORRECTED);
  expect([code, stderr]).toEqual([
    3,
    [
      '  It shows the same days as statement 1 (outdated.csv) otherwise: 1 line of 50.00 NGN only there; 1 line of 55.00 NGN only here; closing 1160.00 there, 1165.00 here.',
      '  Remove the outdated one: tallyhook statements remove 1 (or 2). Until then the lines of both count.',
      '',
    ].join('\n'),
  ]);
  const json = JSON.parse(
    (await month.tryImport('third.csv', october('56.00', '1156.00', '1166.00'), '--json')).stdout,
  );
  expect(json.rivals).toEqual([
    {
      ...{
        statement: 1,
        file: 'outdated.csv',
        how: 'contradicting',
        currency: 'NGN',
        only: { lines: 1, sum: '50.00' },
      },
      ...{ onlyHere: { lines: 1, sum: '56.00' }, both: { lines: 2, sum: '110.00' } },
    },
    expect.objectContaining({ statement: 2, file: 'corrected.csv' }),
  ]);
  expect(undocumentedFields({ rivals: json.rivals }, ['statements import'])).toEqual([]);
});

const LAST = line('10-31', 'C-3', '10.00', '1165.00');
test.each([
  ['has an unreadable row', LAST.with(4, '1O.00')],
  ['does not add up', LAST.with(5, '1999.00')],
] as const)('of two such files, one that %s is the first to remove', async (_, last) => {
  const month = await ClosingMonth.of();
  const broken = [...CORRECTED.slice(0, 2), last];
  await month.tryImport('whole.csv', OUTDATED);
  const remove = (first: number, second: number) =>
    expect.stringContaining(`Remove the outdated one: tallyhook statements remove ${first} (or ${second}).`);
  expect((await month.tryImport('broken.csv', broken)).stderr).toEqual(remove(2, 1));
  await month.run('statements', 'remove', '1', '--yes');
  expect((await month.tryImport('whole.csv', OUTDATED)).stderr).toEqual(remove(2, 3));
});

test('a run names both files, and closes with what the next file goes on from', async () => {
  const month = await ClosingMonth.of();
  await month.import('outdated.csv', ...OUTDATED);
  await month.tryImport('corrected.csv', CORRECTED);
  await month.import('november.csv', ...NOVEMBER);
  const alone = await gaps(month, '2026-10-01', '2026-10-31');
  expect(alone.gaps).toMatchObject([
    {
      ...{ sub: 'contradicting', field: 'lines', effect: '-55.00', ours: '1215.00', theirs: '1160.00', line: null },
      reason: expect.stringMatching(
        /(outdated|corrected)\.csv \(.*\) and .*1 line of 5[05]\.00 only in .*1 line of 5[05]\.00 only in/,
      ),
      nextStep: expect.stringMatching(/^Remove the outdated file .*tallyhook statements remove NUMBER$/),
    },
  ]);
  const both = await gaps(month, '2026-10-01', '2026-11-30');
  expect(both).toMatchObject({ closing: '1166.00', other: '-50.00', unexplained: '0.00', effects: 166 });
  expect(both.gaps).toMatchObject([{ field: 'lines', ours: '1215.00', theirs: '1165.00' }]);

  await month.run('statements', 'remove', '1', '--yes');
  const mended = await gaps(month, '2026-10-01', '2026-11-30');
  expect(mended).toEqual({ gaps: [], closing: '1166.00', other: '0.00', unexplained: '0.00', effects: 166 });
});

test('files of a day each: the corrected one of a day', async () => {
  const month = await ClosingMonth.of();
  const day = (amount: string, first: string, last: string) => [
    ...[line('10-02', 'C-2', amount, first), line('10-02', 'C-3', '1.00', last)],
  ];
  await month.import('1.csv', line('10-01', 'C-1', '100.00', '1100.00'));
  await month.import('2.csv', ...day('50.00', '1150.00', '1151.00'));
  expect((await month.tryImport('2-corrected.csv', day('55.00', '1155.00', '1156.00'))).stderr).toMatch(
    /statement 2 \(2\.csv\) otherwise/,
  );
  await month.import('3.csv', line('10-03', 'C-4', '10.00', '1166.00'));
  const all = await gaps(month, '2026-10-01', '2026-10-31');
  expect(all).toMatchObject({ closing: '1166.00', other: '-50.00', unexplained: '0.00' });
  expect(all.gaps).toMatchObject([{ field: 'lines', effect: '-50.00' }]);
});

test('a file of the same days that lacks a line is named too, by its import and by each run', async () => {
  const month = await ClosingMonth.of();
  await month.import('outdated.csv', ...OUTDATED);
  const shorter = [line('10-01', 'C-1', '100.00', '1100.00'), line('10-31', 'C-3', '10.00', '1110.00')];
  expect((await month.tryImport('shorter.csv', shorter)).stderr).toContain(
    'otherwise: 1 line of 50.00 NGN only there; closing 1160.00 there, 1110.00 here.',
  );
  const october = await gaps(month, '2026-10-01', '2026-10-31');
  expect(october).toMatchObject({ closing: '1160.00', other: '0.00', unexplained: '0.00', effects: 160 });
  expect(october.gaps).toMatchObject([
    {
      ...{ sub: 'lacking', field: 'lines', effect: '0.00', line: null },
      reason:
        'outdated.csv (2026-10-01 to 2026-10-31, 1000.00 to 1160.00) and shorter.csv (2026-10-01 to 2026-10-31, 1000.00 to 1110.00) show the same days differently: 1 line of 50.00 only in outdated.csv',
      nextStep: expect.stringMatching(/^Remove the outdated file .*tallyhook statements remove NUMBER$/),
    },
  ]);
  await month.import('november.csv', line('11-01', 'C-4', '1.00', '1111.00'));
  const both = await gaps(month, '2026-10-01', '2026-11-30');
  expect(both).toMatchObject({ closing: '1111.00', other: '-50.00', unexplained: '0.00' });
  expect(both.gaps).toMatchObject([
    { sub: 'lacking', field: 'lines' },
    { sub: 'contradicting', field: 'opening', effect: '-50.00' },
  ]);
  await month.run('statements', 'remove', '1', '--yes');
  const mended = await gaps(month, '2026-10-01', '2026-11-30');
  expect(mended).toMatchObject({ gaps: [], closing: '1111.00', other: '0.00', unexplained: '0.00' });
});

test('a file that lacks a line which it has unreadable, and one that adds a line, are not named', async () => {
  const month = await ClosingMonth.of();
  const [first, second, third] = OUTDATED as [Row, Row, Row];
  await month.import('first.csv', first, third.with(5, '1110.00'));
  await month.import('readable.csv', first, second, third);
  const unreadable = await month.tryImport('unreadable.csv', [first, second.with(4, '5O.00'), third]);
  expect(unreadable.stderr).not.toContain('otherwise');
  const { gaps: found, closing } = await gaps(month, '2026-10-01', '2026-10-31');
  expect([found, closing]).toEqual([[], '1160.00']);
});

test('balances that leave no place for the lines of both are named by the import, the run and the check, whatever lines are shared', async () => {
  const month = await ClosingMonth.of();
  const [first, second, third] = OUTDATED as [Row, Row, Row];
  await month.import('a.csv', first, second, line('10-15', 'C-9', '1.00', '1151.00'));
  // It opens on the 5th with 1,100.00, and so denies the 50.00 of the 10th.
  const later = [line('10-05', 'C-5', '2.00', '1102.00'), third.with(5, '1112.00')];
  const { code, stderr } = await month.tryImport('b.csv', later);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(
      'It shows the same days as statement 1 (a.csv) otherwise: 2 lines of 51.00 NGN in all only there; 1 line of 2.00 NGN only here; 2026-10-01 to 2026-10-15 there, 2026-10-05 to 2026-10-31 here; opening 1000.00 there, 1100.00 here; closing 1151.00 there, 1112.00 here.',
    ),
  ]);
  const october = await gaps(month, '2026-10-01', '2026-10-31');
  const files =
    'a.csv (2026-10-01 to 2026-10-15, 1000.00 to 1151.00) and b.csv (2026-10-05 to 2026-10-31, 1100.00 to 1112.00)';
  expect(october).toMatchObject({ closing: '1112.00', other: '-51.00', unexplained: '0.00', effects: 112 });
  expect(october.gaps).toMatchObject([
    {
      ...{ sub: 'contradicting', effect: '-51.00' },
      reason: `${files} show the same days differently: 2 lines of 51.00 in all only in a.csv, 1 line of 2.00 only in b.csv; the lines of both make 1163.00, and the file that ends last closes with 1112.00`,
      nextStep: expect.stringContaining(`Remove the outdated file of ${files} (`),
    },
  ]);
  await month.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  const check = await month.json('period', 'check', '2026-10');
  expect(check).toMatchObject({ ready: false });
});

test('a file that opens otherwise is named', async () => {
  const month = await ClosingMonth.of();
  await month.import('outdated.csv', ...OUTDATED);
  const shifted = OUTDATED.map((row) => [...row.slice(0, 5), `${Number(row[5]) + 1000}.00`]);
  expect((await month.tryImport('shifted.csv', shifted)).stderr).toContain(
    'opening 1000.00 there, 2000.00 here; closing 1160.00 there, 2160.00 here.',
  );
});

test('two equal payments of a day, in files of which one goes on from the other, were counted once: both say so', async () => {
  const month = await ClosingMonth.of();
  await month.import('morning.csv', line('10-02', 'C-1', '100.00', '1100.00'), line('10-03', 'C-2', '5.00', '1105.00'));
  const rest = [line('10-03', 'C-2', '5.00', '1110.00'), line('10-04', 'C-3', '7.00', '1117.00')];
  const { code, stderr } = await month.tryImport('evening.csv', rest);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('1 line of 5.00 NGN of it equals a line there: taken as the same'),
  ]);
  await month.import('next.csv', line('10-05', 'C-4', '1.00', '1118.00'));
  const all = await gaps(month, '2026-10-01', '2026-10-31');
  expect(all).toMatchObject({ closing: '1118.00', other: '5.00', unexplained: '0.00' });
  expect(all.gaps).toMatchObject([
    {
      sub: 'repeating',
      effect: '5.00',
      reason: 'evening.csv goes on from morning.csv, and 1 line of 5.00 is the same in both and was counted once',
    },
  ]);
});

test('files that overlap and agree are not named: a longer one, a later line, halves of a day', async () => {
  const month = await ClosingMonth.of();
  await month.import('until-10.csv', ...OUTDATED.slice(0, 2));
  await month.import('all.csv', ...OUTDATED);
  await month.import('again.csv', ...OUTDATED, line('10-31', 'C-5', '1.00', '1161.00'));
  await month.import('rest.csv', line('10-31', 'C-6', '2.00', '1163.00'));
  const { gaps: found, closing } = await gaps(month, '2026-10-01', '2026-10-31');
  expect([found, closing]).toEqual([[], '1163.00']);
});
