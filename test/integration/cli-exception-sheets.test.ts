import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import readXlsxFile from 'read-excel-file/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { undocumentedFields } from '../support/commands.ts';
import { ExceptionFolder } from '../support/exception-folder.ts';
import { TestDatabase } from '../support/test-database.ts';

// Every step runs a command, which is slow on a busy machine.
const HEADER =
  'id,version,code,what,side,reference,date,currency,ours,theirs,variance,effect,age_days,next_step,status,resolution,reason_code,assignee,comment,follow_up';

let db: TestDatabase;
let folder: ExceptionFolder;
beforeEach(async () => {
  db = new TestDatabase();
  folder = new ExceptionFolder(db);
  for (const [reference, minor] of [
    ['C-1', 10_000],
    ['C-2', 20_000],
    ['C-3', 30_000],
  ] as const)
    folder.paid(reference, minor);
  await folder.import([
    ['C-1', 10_000],
    ['C-2', 19_900],
    ['C-9', 5_000, '2026-10-20'],
  ]);
  await folder.reconcile();
});
afterEach(() => db.remove());

const inFolder = (name: string) => join(db.folder, name);
/** What a claim needs. */
const OWED = { comment: 'ref: CLM-7; not paid', follow_up: '2026-12-01' };

type Row = Record<string, string>;
const rowsOf = (name: string): Row[] => parse(readFileSync(inFolder(name)), { bom: true, columns: true });
const write = (name: string, rows: readonly Row[]) =>
  writeFileSync(inFolder(name), stringify([...rows], { header: true, bom: true, record_delimiter: '\r\n' }));

test('a person exports, fills, looks, imports, and mends what was refused', async () => {
  expect((await folder.run('exceptions', 'export', '--out', 'q.csv')).code).toBe(0);
  const text = readFileSync(inFolder('q.csv'), 'utf8');
  expect(text.split('\r\n')[0]).toBe(`\uFEFF${HEADER}`);
  const all = rowsOf('q.csv');
  const total = all.at(-1);
  expect(all.map(({ id, reference }) => (id === 'total' ? id : reference)).toSorted()).toEqual([
    'C-2',
    'C-3',
    'C-9',
    'total',
  ]);
  // 199.00 and 50.00 by them, 200.00 and 300.00 by us; −1.00, −300.00 and +50.00 are what the balances lack.
  expect(total).toMatchObject({ what: '3', currency: 'NGN', ours: '500.00', theirs: '249.00', effect: '-251.00' });

  const fill = (row: Row): Row => {
    if (row.reference === 'C-2') return { ...row, resolution: 'accept', reason_code: 'rounding', comment: '=1+1' };
    if (row.reference === 'C-3')
      return { ...row, resolution: 'claim', reason_code: 'service_error', assignee: 'Ben', ...OWED };
    return row.reference === 'C-9' ? { ...row, effect: '0.00', comment: 'mine' } : row;
  };
  write('filled.csv', all.map(fill).toReversed());
  const dry = await folder.run('exceptions', 'import', 'filled.csv', '--dry-run', '--json');
  expect(dry.code).toBe(3);
  const shown = JSON.parse(dry.stdout);
  expect(shown).toMatchObject({
    file: 'filled.csv',
    applied: false,
    known: false,
    rows: 3,
    unchanged: 0,
    refusedFile: null,
  });
  expect(shown.changed).toMatchObject([
    { changes: { resolution: [null, 'claim'], reason_code: [null, 'service_error'], assignee: [null, 'Ben'] } },
  ]);
  expect(undocumentedFields({ ...shown, changed: [] }, ['exceptions export, import'])).toEqual([]);
  expect(rowsOf('q.csv')).toEqual(all);

  const { code, stdout } = await folder.run('exceptions', 'import', 'filled.csv');
  expect([code, stdout]).toEqual([3, expect.stringContaining('3 rows; 1 changed, 0 without a change, 2 refused.')]);
  const alone = await folder.run('exceptions', 'import', 'filled.csv.refused.csv', '--dry-run');
  expect([alone.code, alone.stdout]).toEqual([
    3,
    expect.stringContaining('2 rows; 0 would change, 0 without a change, 2 refused.'),
  ]);
  const tried = await folder.run('exceptions', 'import', 'filled.csv.refused.csv', '--refused', 'again.csv');
  expect(tried.stdout).toContain('2 rows; 0 changed, 0 without a change, 2 refused.');
  const refused = rowsOf('filled.csv.refused.csv');
  expect(refused.map(({ reference, refused }) => [reference, refused?.split(':')[0]]).toSorted()).toEqual([
    ['C-2', 'formula (comment)'],
    ['C-9', 'locked (effect)'],
  ]);
  expect(await folder.json('exceptions', 'import', 'filled.csv')).toMatchObject({
    known: true,
    changed: [],
    refused: [],
  });

  write(
    'mended.csv',
    refused.map((row) => (row.reference === 'C-2' ? { ...row, comment: 'bank fee' } : { ...row, effect: '50.00' })),
  );
  const mended = await folder.json('exceptions', 'import', 'mended.csv', '--as', 'Cleo');
  expect(mended).toMatchObject({ applied: true, rows: 2, refused: [], refusedFile: null });
  const { exceptions } = await folder.json('exceptions', 'list', '--status', 'resolved');
  expect(exceptions).toMatchObject([
    { reference: 'C-2', resolution: 'accept', reasonCode: 'rounding', comment: 'bank fee', version: 2 },
    { reference: 'C-3', resolution: 'claim', assignee: 'Ben', version: 2 },
  ]);
});

test('XLSX: typed amounts and days, ids as text, words to choose from, and back again without a change', async () => {
  expect((await folder.run('exceptions', 'export', '--out', 'q.xlsx')).code).toBe(0);
  const sheets = await readXlsxFile(inFolder('q.xlsx'));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['exceptions', 'words']);
  const [header = [], ...rows] = sheets[0]?.data ?? [];
  expect(header.join(',')).toBe(HEADER);
  const of = (column: string) => rows.map((row) => row[header.indexOf(column)]);
  expect(of('effect').toSorted()).toEqual([-1, -251, -300, 50]);
  expect(
    of('date')
      .slice(0, 3)
      .every((day) => (day as unknown) instanceof Date),
  ).toBe(true);
  expect(
    of('id')
      .slice(0, 3)
      .every((id) => /^x-[0-9a-f]{24}$/.test(String(id))),
  ).toBe(true);
  expect(sheets[1]?.data.slice(0, 2)).toEqual([
    ['resolution', 'reason_code', 'goes with', 'needs'],
    ['accept', 'rounding', 'accept', null],
  ]);
  const back = await folder.json('exceptions', 'import', 'q.xlsx');
  expect(back).toMatchObject({ applied: false, rows: 3, unchanged: 3, changed: [], refused: [] });
  await folder.run('exceptions', 'export', '--out', 'again.xlsx');
  expect(readFileSync(inFolder('again.xlsx')).equals(readFileSync(inFolder('q.xlsx')))).toBe(true);
});

test('the claims of a period are a file per currency, with what is owed in all', async () => {
  await folder.run('exceptions', 'export', '--out', 'q.csv');
  const claimed = {
    resolution: 'claim',
    reason_code: 'service_error',
    comment: 'ref: CLM-7; came short',
    follow_up: '2026-12-01',
  };
  write(
    'f.csv',
    rowsOf('q.csv').map((row) => (row.reference === 'C-9' ? row : { ...row, ...claimed })),
  );
  await folder.run('exceptions', 'import', 'f.csv');
  const { files } = await folder.json('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  expect(files).toEqual([{ file: 'claims/claims-2026-10-NGN.csv', currency: 'NGN', claims: 2, difference: '301.00' }]);
  expect(undocumentedFields(files, ['exceptions export, import'])).toEqual([]);
  const rows = rowsOf('claims/claims-2026-10-NGN.csv');
  expect(Object.keys(rows[0] ?? {}).join(',')).toBe(
    'id,reference,date,charged,schedule,difference,currency,evidence,claim,basis,state',
  );
  expect(rows).toMatchObject([
    { reference: 'C-2', charged: '-199.00', schedule: '-200.00', difference: '1.00', claim: 'CLM-7' },
    { reference: 'C-3', charged: '0.00', schedule: '-300.00', difference: '300.00', claim: 'CLM-7' },
    { id: 'total', reference: '2', charged: '-199.00', schedule: '-500.00', difference: '301.00', currency: 'NGN' },
  ]);
  expect(rows.map(({ state, basis }) => [state, basis])).toEqual([
    ['claimed', 'record'],
    ['claimed', 'record'],
    ['', ''],
  ]);
  expect(rows[0]?.evidence).toContain('wallet-1.csv, row 3');
  expect(rows[0]?.evidence).not.toContain('statement 1');

  // C-3 comes after all: its claim stays in the file that was sent.
  await folder.import([['C-3', 30_000, '2026-10-21']]);
  await folder.reconcile();
  await folder.run('exceptions', 'export', '--claims', '2026-10', '--out', 'claims');
  expect(rowsOf('claims/claims-2026-10-NGN.csv')).toEqual(
    rows.map((row) => (row.reference === 'C-3' ? { ...row, state: 'closed' } : row)),
  );
  const none = await folder.run('exceptions', 'export', '--claims', '2026-09', '--out', 'none');
  expect([none.code, existsSync(inFolder('none'))]).toEqual([0, false]);
});

test.each([
  [['export', '--out', 'q.ods'], /which format/],
  [['export', '--out', 'q.csv', '--format', 'xlsx'], /--format is xlsx/],
  [['export', '--claims', 'October', '--out', 'x'], /no period/],
  [['import', 'gone.csv'], /gone\.csv.*cannot be read/],
  [['import', 'wallet.yaml'], /columns id and version/],
])('%j is a mistake of use', async (args, message) => {
  const { code, stderr } = await folder.run('exceptions', ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
