import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { TestDatabase } from '../support/test-database.ts';

/* Two months of one wallet from closing to ledger: lines that no record explains, one of them claimed, a month opened again. */

const db = new TestDatabase();
const month = new ClosingMonth(db);
afterAll(() => db.remove());
/** Only what is over can be closed. */
const NOVEMBER = '2026-11-01..2026-11-15';
const journal = (...words: string[]) => month.run('report', 'journal', ...words);

/** The cells of a CSV without quotes, by line. */
const rows = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
/** Entry, date, account, debit, credit, source, reverses. */
const short = (csv: string) => rows(csv).map((cells) => [0, 2, 3, 4, 5, 9, 10].map((at) => cells[at]).join(' '));

let kept = '';

test('before the close there are no numbers, and the hint says what to do', async () => {
  await month.import('october.csv', OCTOBER, ['2026-10-31', 'C-2', 'Collection', '', '50.00', '1150.00']);
  await month.reconcile();
  const { code, stderr, stdout } = await journal('2026-10');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Period 2026-10 is not closed, so its journal has no numbers.');
  expect(stderr).toContain('tallyhook report journal 2026-10 --draft');
});

test('a draft carries what is not resolved', async () => {
  const { code, stdout } = await journal('2026-10', '--draft');
  expect(code).toBe(0);
  expect(short(stdout).slice(-4)).toEqual([
    ' 2026-10-31 clearing:sales 100.00  carried ',
    ' 2026-10-31 carried  100.00 carried ',
    ' 2026-10-31 clearing:sales 50.00  carried ',
    ' 2026-10-31 carried  50.00 carried ',
  ]);
  expect(stdout).toContain('Not resolved: missing internal');
});

test('an account that the map does not name is refused, also by the close, and nothing is written', async () => {
  await month.resolveAll();
  const config = join(db.folder, 'other.yaml');
  writeFileSync(config, 'journal: {accounts: {write_off: {USD: losses}}}\n');
  for (const words of [
    ['report', 'journal', '2026-10', '--draft'],
    ['period', 'close', '2026-10', '--as', 'Ada'],
  ]) {
    const { code, stderr } = await month.run(...words, '--config', config);
    expect([words[0], code]).toEqual([words[0], 2]);
    expect(stderr).toContain('journal.accounts.write_off names no account for wallet-main in NGN.');
    expect(stderr).toContain('Add "wallet-main" or NGN to journal.accounts.write_off in tallyhook.yaml');
  }
  expect(await month.json('period', 'show', '2026-10')).toMatchObject({ state: 'open', closing: 0 });
  expect(db.database.prepare('SELECT count(*) FROM journal_entries').pluck().get()).toBe(0);
});

test('the close numbers the entries, and every export gives the same bytes', async () => {
  expect((await month.run('period', 'close', '2026-10', '--as', 'Ada')).code).toBe(0);
  const { code, stdout } = await journal('2026-10');
  expect(code).toBe(0);
  expect(short(stdout)).toEqual([
    '2026-10-00001 2026-10-01 assets:wallet:wallet-main 1000.00  opening ',
    '2026-10-00001 2026-10-01 equity:opening  1000.00 opening ',
    '2026-10-00002 2026-10-01 assets:wallet:wallet-main 100.00  movement ',
    '2026-10-00002 2026-10-01 clearing:sales  100.00 movement ',
    '2026-10-00003 2026-10-31 assets:wallet:wallet-main 50.00  movement ',
    '2026-10-00003 2026-10-31 clearing:sales  50.00 movement ',
    '2026-10-00004 2026-10-31 clearing:sales 100.00  resolution ',
    '2026-10-00004 2026-10-31 write_off  100.00 resolution ',
    '2026-10-00004 2026-10-31 clearing:sales 50.00  resolution ',
    '2026-10-00004 2026-10-31 write_off  50.00 resolution ',
  ]);
  kept = stdout;
  const config = join(db.folder, 'renamed.yaml');
  writeFileSync(config, 'journal: {by: period, accounts: {wallet: "1100 Wallet"}}\n');
  const out = join(db.folder, 'october-journal.csv');
  expect((await journal('2026-10', '--config', config, '--out', out)).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toBe(kept);
});

test('another grouping than that of the close is refused', async () => {
  expect(await journal('2026-10', '--by', 'day')).toMatchObject({ code: 0, stdout: kept });
  const { code, stderr } = await journal('2026-10', '--by', 'period');
  expect(code).toBe(1);
  expect(stderr).toContain('The journal of 2026-10 was numbered by day when the period was closed, once and for all.');
});

test('after a reopening the second close takes back what changed and writes it anew, and leaves the rest', async () => {
  await month.run('period', 'reopen', '2026-10', '--as', 'Ada', '--reason', 'a statement was missing');
  expect((await journal('2026-10')).code).toBe(1);
  await month.import('more.csv', ['2026-10-31', 'C-3', 'Collection', '', '25.00', '1175.00']);
  await month.reconcile();
  await month.resolveAll();
  const config = join(db.folder, 'renamed.yaml');
  expect((await month.run('period', 'close', '2026-10', '--as', 'Ada', '--config', config)).code).toBe(0);
  const { stdout } = await journal('2026-10');
  // The map has another name for the wallet now, so its entries are taken back and written anew under that name.
  expect(stdout.startsWith(kept)).toBe(true);
  const added = rows(stdout.slice(kept.length - 1));
  expect(added.length).toBeGreaterThan(0);
  const numbers = [...new Set(rows(stdout).map(([entry]) => entry))];
  expect(numbers).toEqual(numbers.map((_, at) => `2026-10-${String(at + 1).padStart(5, '0')}`));
  const reversed = rows(stdout).flatMap(([, , date, , , , , , , source, reverses]) =>
    source === 'reversal' ? [`${date} ${reverses}`] : [],
  );
  expect([...new Set(reversed)]).toEqual([
    '2026-10-01 2026-10-00001',
    '2026-10-01 2026-10-00002',
    '2026-10-31 2026-10-00003',
    '2026-10-31 2026-10-00004',
  ]);
});

test('hledger takes October, and November after it', { tags: ['hledger'] }, async () => {
  const october = (await journal('2026-10', '--format', 'hledger')).stdout;
  expect(hledgerCheck(october)).toBeNull();
  expect(hledgerBalances(october)).toContain('1100 Wallet NGN 1175.00');
  await month.import('november.csv', ['2026-11-05', 'C-4', 'Collection', '', '10.00', '1185.00']);
  await month.reconcile('2026-11-01', '2026-11-15');
  await month.resolveAll();
  const config = join(db.folder, 'renamed.yaml');
  const { code, stderr } = await month.run('period', 'close', NOVEMBER, '--as', 'Ada', '--config', config);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const november = (await journal(NOVEMBER, '--format', 'hledger')).stdout;
  expect(hledgerCheck(november)).toBeNull();
  expect(hledgerBalances(november)).toContain('1100 Wallet NGN 1185.00');
  // What October decided stands: November enters its own line alone, without an opening.
  const sources = rows((await journal(NOVEMBER)).stdout).map((cells) => cells[9]);
  expect(new Set(sources)).toEqual(new Set(['movement', 'resolution']));
});

test('the audit covers the entries', async () => {
  expect((await month.run('audit', 'verify')).code).toBe(0);
  db.database.exec("UPDATE journal_lines SET minor = minor + 1 WHERE period = '2026-10' AND number = 1 AND line = 1");
  const { code, firstBad } = await month.json('audit', 'verify');
  expect([code, firstBad]).toEqual([3, expect.objectContaining({ reason: 'subject', key: 'test/2026-10' })]);
});
