import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { reports } from '../../../../src/config/sections/reports.ts';
import { reportCsv } from '../../../../src/reconcile/report/csv.ts';
import { isZero, negated, rateOf, sumOf } from '../../../../src/reconcile/report/decimal.ts';
import { exceptionSums } from '../../../../src/reconcile/report/exception-sums.ts';
import type { ExceptionSum, ReportedException } from '../../../../src/reconcile/report/model.ts';
import { reportText } from '../../../../src/reconcile/report/month.ts';
import { currenciesOf, ofCurrency } from '../../../../src/reconcile/report/of-currency.ts';
import { movesBalance } from '../../../../src/reconcile/report/proven.ts';
import { REPORT_FORMATS } from '../../../../src/reconcile/report/render.ts';
import { type Column, columnsFor } from '../../../../src/reconcile/report/table.ts';
import { reportTables } from '../../../../src/reconcile/report/tables/chapters.ts';
import { reportWorkbook } from '../../../../src/reconcile/report/xlsx.ts';
import { FILLED_EXCEPTIONS, FILLED_REPORT, FILLED_SHOWN, FILLED_SIGN_OFF } from '../../../support/filled-report.ts';

describe('decimal texts', () => {
  test.each([
    [[], '0.00'],
    [['0.10', '0.20'], '0.30'],
    [['-0.01', '0.00'], '-0.01'],
    [['1.5', '-1.50'], '0.00'],
    [['0.00000001', '1.00'], '1.00000001'],
    [['999999999999999999.99', '999999999999999999.99'], '1999999999999999999.98'],
    [['-0.05', '-0.5'], '-0.55'],
  ])('%j add up to %s', (amounts, sum) => {
    expect(sumOf(amounts)).toBe(sum);
  });

  test.each([
    ['0.00', '0.00'],
    ['12.50', '-12.50'],
    ['-12.50', '12.50'],
    ['-0.05', '0.05'],
  ])('%s negated is %s', (amount, negative) => {
    expect(negated(amount)).toBe(negative);
  });

  test('zero is zero with and without its sign', () => {
    expect(['0.00', '-0.00', '0.01', '-0.10'].map(isZero)).toEqual([true, true, false, false]);
  });

  test.each([
    [0, 0, null],
    [1, 0, '100.00'],
    [0, 3, '0.00'],
    [2, 1, '66.66'],
    [999_999, 1, '99.99'],
    [311, 1, '99.67'],
  ])('%i matched and %i not are %s per cent: 100.00 is all of them', (matched, unmatched, rate) => {
    expect(rateOf(matched, unmatched)).toBe(rate);
  });
});

test('exceptions add up by code, age and resolution; one that waits for its second person is open', () => {
  const sums = exceptionSums(movesBalance(FILLED_REPORT.proof));
  for (const one of FILLED_EXCEPTIONS) sums.add(one);
  const { exceptions, claimed, late, totals, digest } = sums.figures();
  expect(exceptions.byAge).toEqual(FILLED_REPORT.exceptions.byAge);
  expect(exceptions.byResolution).toEqual(FILLED_REPORT.exceptions.byResolution);
  expect(exceptions.byCode.toSorted(byCode)).toEqual([...FILLED_REPORT.exceptions.byCode].sort(byCode));
  expect([claimed, late]).toEqual([FILLED_REPORT.fees.claimed, FILLED_REPORT.late]);
  expect(totals).toMatchObject([{ count: 6, open: 3, variance: '16.13', effect: '-731.13' }]);
  const waiting = exceptionSums(movesBalance(FILLED_REPORT.proof));
  for (const one of FILLED_EXCEPTIONS) waiting.add({ ...one, needsApproval: one.status === 'resolved' });
  expect(waiting.figures().totals).toMatchObject([{ open: 6 }]);
  expect(waiting.figures().claimed).toEqual([]);
  expect(waiting.figures().digest).not.toBe(digest);
  const moved = exceptionSums(movesBalance(FILLED_REPORT.proof));
  for (const one of FILLED_EXCEPTIONS) moved.add({ ...one, line: { statement: 9, row: 9 } });
  expect(moved.figures().digest).toBe(digest);
});

test('the effect of an account without a balance proof stands apart, so that the sums tie to the proofs', async () => {
  const [, charge] = FILLED_EXCEPTIONS as [ReportedException, ReportedException];
  const outside = { ...charge, id: 'x-0b', account: 'settled', leg: 'records-settlement', effect: '-90.00' };
  const sums = exceptionSums(movesBalance(FILLED_REPORT.proof));
  for (const one of [...FILLED_EXCEPTIONS, outside]) sums.add(one);
  const { exceptions, totals } = sums.figures();
  const explained = FILLED_REPORT.proof.flatMap((one) => one.explained.filter(({ by }) => by === 'exceptions'));
  const tied = { effect: sumOf(explained.map(({ effect }) => effect)), effectOutside: '-90.00' };
  expect(totals).toMatchObject([{ count: 7, ...tied }]);
  const sumsOf = (rows: readonly ExceptionSum[]) => ({
    effect: sumOf(rows.map(({ effect }) => effect)),
    effectOutside: sumOf(rows.map(({ effectOutside }) => effectOutside)),
  });
  for (const rows of [exceptions.byCode, exceptions.byAge, exceptions.byResolution]) expect(sumsOf(rows)).toEqual(tied);
  const sheets = await readXlsxFile(
    await reportWorkbook({
      ...FILLED_SHOWN,
      report: { ...FILLED_REPORT, exceptions },
      async *exceptions() {
        yield* [...FILLED_EXCEPTIONS, outside];
      },
    }),
  );
  for (const name of ['Exceptions', 'Exceptions by code', 'Exceptions by age']) {
    const [header = [], ...rows] = sheets.find(({ sheet }) => sheet === name)?.data ?? [];
    const total = rows.at(-1) ?? [];
    const shown = ['Effect', 'Outside the proof'].map((column) => total[header.indexOf(column)]);
    expect(shown).toEqual([Number(tied.effect), -90]);
  }
});

const byCode = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);

test('the CSV is one table of RFC 4180: each row has each column, amounts are numbers, control totals come last', () => {
  const text = reportCsv(FILLED_REPORT, FILLED_SIGN_OFF);
  expect(text.split('\r\n').every((line) => !line.includes('\n'))).toBe(true);
  const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
  const sections = [...new Set(rows.map(({ section }) => section))];
  expect([sections[0], sections.at(-1)]).toEqual(['report', 'control_total']);
  const amounts = rows.flatMap(({ ours, theirs, difference, variance, effect, amount }) => {
    return [ours, theirs, difference, variance, effect, amount].filter((one) => one !== undefined && one !== '');
  });
  expect(amounts.length).toBeGreaterThan(100);
  for (const amount of amounts) expect(amount).toMatch(/^-?\d+\.\d{2}$/);
  const closing = rows.filter(({ section, item }) => section === 'proof' && item === 'closing');
  expect(closing.map(({ account, currency, theirs }) => [account, currency, theirs])).toEqual([
    ['bank-main', 'NGN', '150025.00'],
    ['wallet-main', 'NGN', '212.62'],
    ['wallet-main', 'USD', '60.00'],
  ]);
});

test('a name that a spreadsheet would run is neutral in CSV and XLSX', async () => {
  const who = '=HYPERLINK("http://a.example")';
  const report = { ...FILLED_REPORT, prepared: { who, at: FILLED_REPORT.asAt } };
  expect(reportCsv(report, null)).toContain(`"'=HYPERLINK(""http://a.example"")"`);
  const sheets = await readXlsxFile(await reportWorkbook({ ...FILLED_SHOWN, report }));
  const cells = sheets.flatMap(({ data }) => data.flat()).filter((cell) => typeof cell === 'string');
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
});

test('the workbook has a sheet for each part, control totals last; amounts and days are typed, ids are texts; totals per currency', async () => {
  const sheets = await readXlsxFile(await reportWorkbook(FILLED_SHOWN));
  expect([sheets[0]?.sheet, sheets.at(-1)?.sheet]).toEqual(['Report', 'Control totals']);
  const list = sheets.find(({ sheet }) => sheet === 'Exceptions')?.data ?? [];
  const [header = [], ...rows] = list;
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
  expect(column('Id')).toEqual([...FILLED_EXCEPTIONS.map(({ id }) => id), 'Total']);
  expect(column('Reference')).toContain(`'=R-1"><b>`);
  expect(column('Effect')).toEqual([25, -15, -40, -700, 0, -1.13, -731.13]);
  expect(column('Variance').at(-1)).toBe(16.13);
  expect(column('Date')[1]).toEqual(new Date('2026-10-20T00:00:00Z'));
  const again = await reportWorkbook(FILLED_SHOWN);
  expect((await reportWorkbook(FILLED_SHOWN)).equals(again)).toBe(true);
});

test('more exceptions than a sheet holds are refused before they are gathered, with what to do', async () => {
  let read = 0;
  const endless = {
    ...FILLED_SHOWN,
    async *exceptions(): AsyncGenerator<ReportedException> {
      for (;;) {
        read++;
        yield FILLED_EXCEPTIONS[0] as ReportedException;
      }
    },
  };
  await expect(reportWorkbook(endless)).rejects.toMatchObject({
    name: 'SheetTooLongError',
    kind: 'usage',
    hint: expect.stringContaining('--split-by currency'),
  });
  expect(read).toBeLessThan(1_048_576);
});

test('the parts of a report by currency have each figure once', async () => {
  const shown = { ...FILLED_SHOWN, text: reportText(FILLED_REPORT) };
  expect(currenciesOf(FILLED_REPORT)).toEqual(['NGN', 'USD']);
  const parts = currenciesOf(FILLED_REPORT).map((currency) => ofCurrency(shown, currency));
  expect(parts.flatMap(({ report }) => report.proof)).toEqual(FILLED_REPORT.proof);
  expect(parts.flatMap(({ report }) => report.controlTotals)).toEqual(FILLED_REPORT.controlTotals);
  const rows = await Promise.all(parts.map(({ exceptions }) => Array.fromAsync(exceptions())));
  expect(rows.map(({ length }) => length)).toEqual([6, 0]);
  expect(JSON.parse(parts[1]?.text ?? '')).toEqual(parts[1]?.report);
});

test('the configuration takes every form that there is', () => {
  expect(reports.parse({ formats: [...REPORT_FORMATS] }).formats).toEqual([...REPORT_FORMATS]);
  expect(reports.safeParse({ formats: ['pdf'] }).success).toBe(false);
});

describe('each column of each table is in each form', () => {
  const tables = reportTables(FILLED_REPORT, FILLED_SIGN_OFF).map((table) => [table.name, table] as const);

  test.each(tables)('%s', (_, table) => {
    const { columns, rows, csv } = table;
    expect(csv).toBeDefined();
    // A column may stand in CSV as several, by what its row is.
    const isInCsv = (column: Column<unknown>) =>
      column.csv !== undefined ||
      rows.every((row) => columns.some((one) => one.csv !== undefined && one.value(row) === column.value(row)));
    expect(columns.filter((column) => !isInCsv(column)).map(({ heading }) => heading)).toEqual([]);
    const wanted = columns.filter(({ heading, isRare }) => heading !== null && isRare !== true);
    for (const on of ['sheet', 'terminal', 'page'] as const) {
      const shown = columnsFor(table, on);
      const isLeftOut = ({ isDetail, isLinked }: Column<unknown>) =>
        (on !== 'sheet' && isDetail === true) || (on === 'page' && isLinked === true);
      expect(wanted.filter((column) => !shown.includes(column) && !isLeftOut(column))).toEqual([]);
    }
  });
});
