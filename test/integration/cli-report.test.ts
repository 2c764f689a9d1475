import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import readXlsxFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { reportBySchedule } from '../../src/jobs/report.ts';
import type { Report } from '../../src/reconcile/report/model.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { undocumentedFields } from '../support/commands.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { ReconciledFolder } from '../support/kept-run.ts';
import { smtpServer } from '../support/smtp.ts';
import { collection, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const folder = new ReconciledFolder(db);
afterAll(() => db.remove());
const OCTOBER = ['--from', '2026-10-01', '--to', '2026-10-31'];
const inFolder = (name: string) => join(db.folder, name);

test('before the first run a report says what to do, and ends with 1', async () => {
  await folder.import('october.csv', [
    ['C-1', 10_000],
    ['=C-2', 20_050, '2026-10-07'],
  ]);
  expect(await folder.run('report', 'month', '2026-10')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /No run of exactly the days of 2026-10 .*tallyhook reconcile --from 2026-10-01 --to 2026-10-31/s,
    ),
  });
  expect(await folder.run('report', 'run')).toMatchObject({ code: 1, stderr: expect.stringContaining('No run') });
});

test.each([
  [['month', '2026-13'], '"2026-13" is no period.'],
  [['month', '2026-10', '--set', 'shop'], 'There is no set of accounts "shop".'],
  [['month', '2026-10', '--split-by', 'currency'], '--split-by currency writes several files.'],
  [['month', '2026-10', '--json', '--format', 'csv'], '--json and --format csv: give one of them.'],
  [['run', 'x'], '"x" is no number of a run.'],
])('report %j is refused: %s', async (words, message) => {
  expect(await folder.run('report', ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test('there is no run 99', async () => {
  expect(await folder.run('report', 'run', '99')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no run 99'),
  });
});

const of = async (...words: string[]) => (await folder.run('report', ...words)).stdout;

test('a month is shown as a table, with a line for each figure; its JSON is documented, and month and period are one report', async () => {
  db.keepAndApply(
    collection('C-1', 'success', { data: { amount: '100.00', currency: 'NGN', paid_at: '2026-10-01T10:00:00Z' } }),
  );
  await folder.run('reconcile', ...OCTOBER);
  const table = await of('month', '2026-10');
  expect(table).toMatch(/^Report of 2026-10\nmonth +2026-10\n/);
  expect(table).toMatch(/\nBalance of wallet-main, NGN\n/);
  expect(table).toMatch(/\nOpening +1000\.00 +1000\.00 +0\.00\n/);
  expect(table).toMatch(/\nExceptions \(1\) +200\.50\nUnexplained +0\.00\n/);
  expect(table).toMatch(/\nControl totals\n.*\nNGN .*\n$/);
  const json = await of('month', '2026-10', '--json');
  expect(undocumentedFields(JSON.parse(json), ['report month, period, run'])).toEqual([]);
  expect(await of('period', '2026-10-01..2026-10-31', '--format', 'json')).toBe(json);
  expect(JSON.parse(json) as Report).toMatchObject({
    ...{ report: 'month', period: '2026-10', set: 'test', environment: 'test', prepared: null, approved: null },
    controlTotals: [
      { currency: 'NGN', lines: 2, moved: '300.50', unexplained: '0.00', exceptions: 1, effect: '200.50' },
    ],
  });
  const run = JSON.parse(await of('run', '--json')) as Report;
  expect(run).toMatchObject({ report: 'run', period: '2026-10', set: null, environment: null });
});

test('files are whole, of this user alone, typed, and neutral; a file for each currency on request', async () => {
  const csv = await folder.run('report', 'month', '2026-10', '--format', 'csv', '--out', 'october.csv');
  expect(csv).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Written: october.csv') });
  const text = readFileSync(inFolder('october.csv'), 'utf8');
  expect(text.startsWith('\uFEFFsection,environment,')).toBe(true);
  expect(text.split('\r\n').at(-2)).toMatch(/^control_total,test,,NGN,exceptions,,,1,1?,/);
  expect(statSync(inFolder('october.csv')).mode & 0o777).toBe(0o600);
  await folder.run('report', 'month', '2026-10', '--format', 'xlsx', '--out', 'october.xlsx');
  const sheets = await readXlsxFile(inFolder('october.xlsx'));
  const list = sheets.find(({ sheet }) => sheet === 'Exceptions')?.data ?? [];
  const [header = [], first = [], total = []] = list;
  const cell = (row: readonly unknown[], name: string) => row[header.indexOf(name)];
  expect([cell(first, 'Reference'), cell(first, 'Theirs'), cell(first, 'Effect')]).toEqual(["'=C-2", 200.5, 200.5]);
  expect(cell(first, 'Date')).toEqual(new Date('2026-10-07T00:00:00Z'));
  expect([cell(total, 'Id'), cell(total, 'Currency'), cell(total, 'Effect')]).toEqual(['Total', 'NGN', 200.5]);
  expect(sheets.at(-1)?.sheet).toBe('Control totals');
  await folder.run('report', 'month', '2026-10', '--format', 'html', '--split-by', 'currency', '--out', 'split.html');
  expect(readdirSync(db.folder).filter((name) => name.startsWith('split'))).toEqual(['split-NGN.html']);
});

test('a closed month is printed as it was frozen, byte for byte; the other forms also show who approved it', async () => {
  const [found] = (await folder.json('exceptions', 'list')).exceptions;
  await folder.run(
    'exceptions',
    'resolve',
    found.id,
    '--resolution',
    'accept',
    '--reason-code',
    'bank_charge',
    '--as',
    'Ada',
  );
  expect(await folder.run('period', 'close', '2026-10', '--as', 'Ada')).toMatchObject({ code: 0 });
  expect(await folder.run('period', 'approve', '2026-10', '--as', 'Bola')).toMatchObject({ code: 0 });
  const { digest } = await folder.json('period', 'show', '2026-10');
  const frozen = await of('month', '2026-10', '--json');
  expect(createHash('sha256').update(frozen).digest('hex')).toBe(digest);
  expect(JSON.parse(frozen)).toMatchObject({ prepared: { who: 'Ada' }, approved: null });
  const table = await of('month', '2026-10');
  expect(table).toMatch(/\nprepared by +Ada\nprepared at .*\napproved by +Bola\napproved at /);
  expect(table).toContain(digest);
  for (let run = 0; run < 11; run++) await folder.run('reconcile', '--from', '2026-11-01', '--to', '2026-11-01');
  expect(await of('month', '2026-10')).toBe(table);
});

let mails: Awaited<ReturnType<typeof smtpServer>>;
beforeAll(async () => {
  mails = await smtpServer();
});

test('the job writes the last month and mails it, once until something changes', async () => {
  writeFileSync(
    inFolder('tallyhook.yaml'),
    `database: ${db.path}
alerts: {mail: {host: 127.0.0.1, port: ${mails.port}, security: none, from: tallyhook@shop.example, to: [ops@shop.example]}}
reports: {folder: papers, formats: [json, html], mail: [finance@shop.example]}
`,
  );
  const config = loadConfig({ env: {}, cwd: db.folder });
  expect(config.schedule.report).toBe('0 7 * * *');
  const clock = new FixedClock(Date.parse('2026-11-03T06:00:00Z'));
  const operations = await storeOf(config, { clock }).operations();
  const signal = new AbortController().signal;
  const job = () => reportBySchedule({ config, operations, clock, signal, cutOff: signal, onWarning: () => {} });
  try {
    expect(await job()).toMatchObject({
      outcome: 'done',
      detail: '2026-10 of test: 2026-10-test.json, 2026-10-test.html',
    });
    expect(await job()).toMatchObject({ outcome: 'done', detail: '2026-10 of test: as before' });
  } finally {
    await operations.close();
  }
  expect(readFileSync(inFolder('papers/2026-10-test.json'), 'utf8')).toBe(await of('month', '2026-10', '--json'));
  expect(mails.mails).toMatchObject([{ to: ['finance@shop.example'], from: 'tallyhook@shop.example' }]);
  expect(mails.mails[0]?.text).toMatch(/Subject: \[Tallyhook\] Report of 2026-10, test\r?\n/);
  expect(mails.mails[0]?.text).toMatch(/filename=2026-10-test\.json/);
});
