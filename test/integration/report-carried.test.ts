import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { beforeAll, expect, test } from 'vitest';
import { exceptionAnchor } from '../../src/reconcile/report/html/anchors.ts';
import type { CarriedItem, Report } from '../../src/reconcile/report/model.ts';
import { ClosingMonth } from '../support/closing-month.ts';
import { undocumentedFields } from '../support/commands.ts';
import { all, byId, type Element, named, readHtml, tableOf, textOf } from '../support/html.ts';
import { TestDatabase } from '../support/test-database.ts';

/*
 * September has three lines without a record: 100.00 is accepted, 50.00 carried, and a payment of 70.00 is claimed from the service.
 * October opens with what September closed with, and has one line of its own.
 */

const OCTOBER = ['report', 'month', '2026-10'];
let month: ClosingMonth;
let report: Report;
let folder: string;

beforeAll(async () => {
  const db = new TestDatabase();
  folder = db.folder;
  month = new ClosingMonth(db);
  await month.import(
    'september.csv',
    ['2026-09-01', 'C-1', 'Collection', '', '100.00', '1100.00'],
    ['2026-09-12', 'P-1', 'Payout', '', '-70.00', '1030.00'],
    ['2026-09-30', 'C-2', 'Collection', '', '50.00', '1080.00'],
  );
  await month.reconcile('2026-09-01', '2026-09-30');
  await month.claim('P-1');
  await month.resolveAll({ carry: ['C-2'] });
  expect(await month.run('period', 'close', '2026-09', '--as', 'Ada')).toMatchObject({ code: 0 });
  await month.import('october.csv', ['2026-10-03', 'C-3', 'Collection', '', '25.00', '1105.00']);
  await month.reconcile('2026-10-01', '2026-10-31');
  report = await month.json(...OCTOBER);
});

const byReference = (one: CarriedItem) => [one.reference, one];

test('each item from before is named, with its period, its resolution and what it is of the balance', () => {
  const items = Object.fromEntries(report.carried.items.map(byReference));
  const each = { code: 'missing_internal', account: 'wallet-main', currency: 'NGN', since: '2026-09', isInProof: true };
  expect(items).toMatchObject({
    'C-1': { ...each, date: '2026-09-01', effect: '100.00', status: 'resolved', resolution: 'accept' },
    'C-2': { ...each, date: '2026-09-30', effect: '50.00', status: 'open', resolution: null },
    'P-1': { ...each, date: '2026-09-12', effect: '-70.00', status: 'resolved', resolution: 'claim' },
  });
  const [proof] = report.proof;
  expect(proof?.explained).toContainEqual({ by: 'carried', count: 3, effect: '80.00' });
});

test('its JSON is documented', () => {
  const { code: _code, ...printed } = report as Report & { code: number };
  expect(undocumentedFields(printed, ['report month, period, run'])).toEqual([]);
});

test('the counts by code and by age have them apart, and so do the claims that are still owed', () => {
  const { carried, exceptions, controlTotals } = report;
  expect(exceptions.byCode).toMatchObject([{ count: 1, effect: '25.00' }]);
  expect(carried.byCode).toMatchObject([{ code: 'missing_internal', count: 3, open: 1, effect: '80.00' }]);
  expect(carried.byAge).toMatchObject([{ age: '>7d', count: 3, open: 1, effect: '80.00' }]);
  expect(carried.claims).toEqual([{ environment: 'test', currency: 'NGN', claims: 1, amount: '70.00' }]);
  expect(controlTotals).toMatchObject([{ exceptions: 1, effect: '25.00', carried: 3, carriedEffect: '80.00' }]);
});

test('the page counts as many open exceptions as the check of the period', async () => {
  const { items } = await month.shop.check('2026-10');
  const { count } = items.find(({ name }: { name: string }) => name === 'exceptions');
  expect(count).toBe(2);
  const { stdout } = await month.run(...OCTOBER, '--format', 'html');
  expect(textOf(readHtml(stdout))).toContain('2 of 4 exceptions open, 1 from before');
});

test('table, CSV and XLSX name each of them', async () => {
  const ids = report.carried.items.map(({ id }) => id);
  const { stdout: table } = await month.run(...OCTOBER);
  for (const id of ids) expect(table).toContain(id);
  expect(table).toMatch(/\nClaims from before that are still owed\n.*\nNGN +1 +70\.00\n/);
  const { stdout: csv } = await month.run(...OCTOBER, '--format', 'csv');
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  const listed = rows.filter(({ section }) => section === 'carried');
  expect(listed.map(({ detail }) => detail)).toEqual(ids);
  const cellsOf = ({ item, date, effect, reference, since, status, resolution }: Record<string, string>) => {
    return [item, date, effect, reference, since, status, resolution];
  };
  expect(listed.map(cellsOf)).toContainEqual([
    ...['missing_internal', '2026-09-12', '-70.00', 'P-1', '2026-09', 'resolved', 'claim'],
  ]);
  await month.run(...OCTOBER, '--format', 'xlsx', '--out', 'october.xlsx');
  const sheets = await readXlsxFile(join(folder, 'october.xlsx'));
  const [header = [], ...lines] = sheets.find(({ sheet }) => sheet === 'From before')?.data ?? [];
  const column = (name: string) => lines.map((line) => line[header.indexOf(name)]);
  expect(column('Id')).toEqual([...ids, 'Total']);
  expect(column('Effect').at(-1)).toBe(80);
});

test('from the sum of the balance to the row of the bank in three steps', async () => {
  await month.run(...OCTOBER, '--format', 'html', '--out', 'october.html');
  const page = readHtml(readFileSync(join(folder, 'october.html'), 'utf8'));
  const linkOf = (element: Element) => named(element, 'a').map((link) => link.attributes.get('href')?.slice(1) ?? '');
  const [sum] = all(page, (one) => one.name === 'tr' && textOf(one).startsWith('Carried from before (3)'));
  const [anchor = ''] = linkOf(sum as Element);
  const [, ...rows] = tableOf(page, 'From before: wallet-main, NGN');
  expect(rows.at(-1)).toEqual(['Total', '', '', '', '', '', '+80.00', '', '']);
  const block = byId(page, anchor) as Element;
  for (const item of report.carried.items) {
    const [row] = all(block, (one) => one.name === 'tr' && textOf(one).startsWith(item.reference ?? ''));
    const story = exceptionAnchor({ ...item, line: null }) ?? '';
    expect(linkOf(row as Element)).toEqual([story, item.id]);
    expect(textOf(byId(page, item.id) as Element)).toContain(item.id);
    expect(textOf(byId(page, story) as Element)).toMatch(/row \d of september\.csv/);
  }
});

test('of a closed month the items stay as they were; the next one names the period of each', async () => {
  await month.resolveAll({ carry: ['C-2'] });
  expect(await month.run('period', 'close', '2026-10', '--as', 'Ada')).toMatchObject({ code: 0 });
  const closed: Report = await month.json(...OCTOBER);
  await month.import('november.csv', ['2026-11-02', 'C-4', 'Collection', '', '70.00', '1175.00']);
  await month.reconcile('2026-11-01', '2026-11-30');
  const again: Report = await month.json(...OCTOBER);
  expect(again).toEqual(closed);
  expect(again.carried.items).toHaveLength(3);
  const november: Report = await month.json('report', 'month', '2026-11');
  const since = november.carried.items.map(({ reference, since }) => [reference, since]).sort();
  expect(since).toEqual([
    ['C-1', '2026-09'],
    ['C-2', '2026-09'],
    ['C-3', '2026-10'],
    ['P-1', '2026-09'],
  ]);
});
