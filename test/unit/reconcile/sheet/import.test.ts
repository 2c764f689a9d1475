import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Cell } from 'write-excel-file/node';
import { STANDARD_REASONS } from '../../../../src/domain/exceptions/reasons.ts';
import { type ImportOrder, importSheet } from '../../../../src/reconcile/sheet/import.ts';
import { refusedFile } from '../../../../src/reconcile/sheet/refused-file.ts';
import { Queue } from '../../../support/exceptions.ts';
import { FixedClock } from '../../../support/fixed-clock.ts';
import { readBytes } from '../../../support/sheets/judged.ts';
import { savedWorkbook } from '../../../support/sheets/saved-workbook.ts';
import { TestDatabase } from '../../../support/test-database.ts';

let db: TestDatabase;
let queue: Queue;
let folder: string;
const [ONE, TWO, THREE] = ['x-000000000000000000000001', 'x-000000000000000000000002', 'x-000000000000000000000003'];
beforeEach(async () => {
  db = new TestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-import-'));
  queue = new Queue(db.path, new FixedClock(Date.parse('2026-11-02T08:00:00Z')));
  await queue.run([ONE, TWO, THREE].map((id, index) => ({ id, reference: `C-${index}` })));
});
afterEach(() => {
  db.remove();
  rmSync(folder, { recursive: true });
});

/** Imports rows under the header `id, version, resolution, reason_code, assignee, comment`. */
async function imported(rows: readonly string[], over: Partial<ImportOrder> = {}) {
  const path = join(folder, 'sheet.csv');
  writeFileSync(path, ['id,version,resolution,reason_code,assignee,comment', ...rows, ''].join('\r\n'));
  const archive = await queue.store().archive();
  const { exceptions, close } = queue.operations();
  const fixed = { path, by: 'ada', isDry: false, allOrNothing: false, reasons: STANDARD_REASONS, today: '2026-11-02' };
  return importSheet({ ...fixed, ...over }, archive, exceptions).finally(async () => {
    await close();
    await archive.close();
  });
}

const states = async () => {
  const all = await Promise.all([ONE, TWO, THREE].map((id) => queue.exception(id)));
  return all.map((one) => `${one?.version} ${one?.status} ${one?.assignee}`);
};

test('each row is one change: one version more, one line in the log', async () => {
  const result = await imported([`${ONE},1,accept,rounding,Ben,asked`, `${TWO},1,,,Ben,`, `${THREE},1,,,,`]);
  expect(result).toMatchObject({ applied: true, known: false, rows: 3, unchanged: 1, refused: [] });
  expect(await states()).toEqual(['2 resolved Ben', '2 assigned Ben', '1 open null']);
  expect(await queue.exception(ONE)).toMatchObject({ resolution: 'accept', reasonCode: 'rounding', comment: 'asked' });
  expect(await queue.log(ONE)).toEqual(['found null>open by run 1', 'import open>resolved']);
});

const CARRIED = { resolution: 'carry', reasonCode: 'next_period' } as const;
const entries = () =>
  db.database
    .prepare<[], { act: string; touched: number }>(`
      SELECT act, (SELECT count(*) FROM audit_touched t WHERE t.seq = e.seq) AS touched
      FROM audit_entries e WHERE act = 'sheet.import' ORDER BY seq`)
    .all();

test.each([{ allOrNothing: false }, { allOrNothing: true }])(
  'an import is one entry of the audit, with the row by which it is known: %o',
  async (how) => {
    await imported([`${ONE},1,accept,rounding,Ben,asked`, `${TWO},1,,,Ben,`, `${THREE},1,,,,`], how);
    expect(entries()).toEqual([{ act: 'sheet.import', touched: 3 }]);
    expect(await queue.store().auditVerdict({ noted: null })).toMatchObject({ ok: true });
  },
);

test('an import of more rows than one transaction holds has an entry for each 150, and is known at the end', async () => {
  const many = Array.from({ length: 151 }, (_, index) => `x-${String(index).padStart(24, 'a')}`);
  await queue.run(many.map((id) => ({ id, reference: id })));
  const touched = () => entries().map((one) => one.touched);
  const assigned = many.map((id) => `${id},1,,,Ben,`);
  expect(await imported(assigned)).toMatchObject({ applied: true, refused: [] });
  expect(touched()).toEqual([150, 2]);
  // The store refuses the last one.
  const [last] = many.slice(-1);
  await queue.act({
    ...{ id: last ?? '', act: 'resolve', by: 'cleo', reference: null, followUp: null, comment: null },
    ...{ ...CARRIED, attachments: [], lines: [] },
  });
  const rows = many.map((id) => (id === last ? `${id},3,accept,rounding,,` : `${id},2,,,Cleo,`));
  expect(await imported(rows)).toMatchObject({ applied: true, refused: [{ reason: 'state' }] });
  expect(touched()).toEqual([150, 2, 150, 1]);
  expect(await imported(rows)).toMatchObject({ known: true });
});

test('a resolution above the limit of its code is named as one that waits for a second person', async () => {
  const rows = [`${ONE},1,accept,rounding,,`, `${TWO},1,accept,other,,small`];
  for (const isDry of [true, false]) {
    const { changed } = await imported(rows, { isDry });
    expect(changed.map(({ id, waits }) => [id, waits])).toEqual([
      [ONE, true],
      [TWO, false],
    ]);
  }
});

test('the same file again changes and refuses nothing', async () => {
  const rows = [`${ONE},1,,,Ben,`, `${TWO},9,,,Ben,`];
  expect(await imported(rows)).toMatchObject({ applied: true, refused: [{ row: 3, reason: 'stale' }] });
  expect(await imported(rows)).toMatchObject({ applied: false, known: true, rows: 2, changed: [], refused: [] });
  expect(await states()).toEqual(['2 assigned Ben', '1 open null', '1 open null']);
});

test('the same rows in another file are no change, though they are old', async () => {
  await imported([`${ONE},1,,,Ben,asked`]);
  const again = await imported([`${ONE},1,,,Ben,asked`, `${TWO},1,,,,`]);
  expect(again).toMatchObject({ known: false, unchanged: 2, changed: [], refused: [] });
});

test('what a person changed meanwhile is refused with the name; the other rows go on', async () => {
  await queue.act({ id: ONE, act: 'assign', by: 'Cleo', to: 'Dan' });
  const result = await imported([`${ONE},1,,,Ben,`, `${TWO},1,,,Ben,`]);
  expect(result.refused).toMatchObject([
    { row: 2, id: ONE, column: 'version', reason: 'stale', who: 'Cleo', atMs: Date.parse('2026-11-02T08:00:00Z') },
  ]);
  expect(await states()).toEqual(['2 assigned Dan', '2 assigned Ben', '1 open null']);
});

test('a row whose state forbids it is refused, and nothing of the row is kept', async () => {
  await imported([`${ONE},1,accept,rounding,,`]);
  const result = await imported([`${ONE},2,carry,next_period,Ben,why`]);
  expect(result.refused).toMatchObject([{ row: 2, id: ONE, reason: 'state' }]);
  expect(await queue.exception(ONE)).toMatchObject({ version: 2, assignee: null, comment: null });
});

describe('a dry run', () => {
  test('says what each row would do, and writes nothing', async () => {
    const rows = [`${ONE},1,accept,rounding,,`, `${TWO},1,accept,,,`, `${THREE},1,,,,`];
    const dry = await imported(rows, { isDry: true });
    expect(dry).toMatchObject({ applied: false, known: false, unchanged: 1, refused: [{ row: 3, reason: 'missing' }] });
    expect(dry.changed).toMatchObject([
      { row: 2, changes: { resolution: [null, 'accept'], reason_code: [null, 'rounding'] } },
    ]);
    expect(await states()).toEqual(['1 open null', '1 open null', '1 open null']);
    expect(await imported(rows)).toMatchObject({ applied: true, known: false });
  });
});

describe('all or nothing', () => {
  test.each([
    ['a row that cannot be', `${TWO},1,accept,roundin,,`],
    ['a row that its state forbids', `${TWO},2,carry,next_period,,`],
  ])('%s: nothing is applied, and the file is not known', async (_what, refusedRow) => {
    await queue.act(
      ...[TWO].map((id) => ({
        ...{ id, act: 'resolve' as const, by: 'Cleo', resolution: 'accept' as const, reasonCode: 'rounding' },
        ...{ reference: null, comment: null, followUp: null, attachments: [], lines: [] },
      })),
    );
    const rows = [`${ONE},1,,,Ben,`, refusedRow];
    const result = await imported(rows, { allOrNothing: true });
    expect(result).toMatchObject({ applied: false, known: false });
    expect(result.refused).toHaveLength(1);
    expect(await states()).toEqual(['1 open null', '2 resolved null', '1 open null']);
    expect(await imported(rows)).toMatchObject({ known: false, applied: true });
  });

  test('without a refused row all of them are applied, and the file is known', async () => {
    const rows = [`${ONE},1,,,Ben,`, `${TWO},1,,,Ben,`];
    expect(await imported(rows, { allOrNothing: true })).toMatchObject({ applied: true });
    expect(await imported(rows)).toMatchObject({ known: true });
  });
});

test.each(['csv', 'xlsx'] as const)('refused rows come back as a %s file to mend', async (format) => {
  const result = await imported([
    `${ONE},1,accept,roundin,,"=1+1 owed, ""so"""`,
    `${TWO},1,,,Ben,`,
    `${THREE},7,,,0012,'-5`,
  ]);
  const bytes = await refusedFile(result.source, result.header, result.refused, format);
  const { header, rows } = await readBytes(bytes);
  expect(header.names).toEqual(['id', 'version', 'resolution', 'reason_code', 'assignee', 'comment', 'refused']);
  expect(rows.map(({ cells }) => cells.id)).toEqual([ONE, THREE]);
  expect(rows[1]?.cells).toMatchObject({ assignee: '0012', comment: "'-5" });
  if (format !== 'csv') return;
  const text = bytes.toString();
  expect(text).toContain(`formula (comment)`);
  expect(text).not.toMatch(/(^|[,\n])"?[=+@]/m);
});

test.each(['csv', 'xlsx'] as const)(
  'a refused formula of a CSV file is refused again in the %s file until it is replaced',
  async (format) => {
    const first = await imported([`${ONE},1,,,,=1+1 owed`]);
    const bytes = await refusedFile(first.source, first.header, first.refused, format);
    const path = join(folder, `again.${format}`);
    writeFileSync(path, bytes);
    const again = await imported([], { path });
    expect(again).toMatchObject({
      applied: false,
      refused: [{ row: 2, id: ONE, column: 'comment', reason: 'formula' }],
    });
    expect(again.refused[0]?.value).toBe('#FORMULA! =1+1 owed');
    const twice = await refusedFile(again.source, again.header, again.refused);
    expect((await readBytes(twice)).rows[0]?.cells.comment).toBe('#FORMULA! =1+1 owed');
  },
);

test.each(['comment', 'assignee', 'id'])(
  'a refused formula of a workbook in the column %s is refused again',
  async (column) => {
    const names = ['id', 'version', 'assignee', 'comment'];
    const row: Cell[] = [ONE, 1, 'Ben', 'asked'];
    row[names.indexOf(column)] = { value: 'A1&"b"', type: 'Formula' };
    const path = join(folder, `${column}.xlsx`);
    writeFileSync(path, await savedWorkbook([names, row]));
    const first = await imported([], { path });
    expect(first.refused).toHaveLength(1);
    writeFileSync(path, await refusedFile(first.source, first.header, first.refused));
    expect((await imported([], { path })).refused).toMatchObject([{ row: 2, column, reason: 'formula' }]);
  },
);

test('a file of another list is refused as a whole', async () => {
  writeFileSync(join(folder, 'other.csv'), 'reference,comment\nC-1,a\n');
  await expect(imported([], { path: join(folder, 'other.csv') })).rejects.toThrow(/columns id and version/);
});

describe('while another import holds the file', () => {
  const rows = [`${ONE},1,accept,rounding,Ben,asked`, `${TWO},1,,,Ben,`];
  const opened = () => queue.store().operations();
  const digestOf = (all: readonly string[]) =>
    createHash('sha256')
      .update(['id,version,resolution,reason_code,assignee,comment', ...all, ''].join('\r\n'))
      .digest('hex');
  const held = () => db.database.prepare<[], number>('SELECT count(*) FROM exception_sheet_imports').pluck().get();

  test('an import waits for its end, and then finds the file known', async () => {
    const first = await opened();
    const digest = digestOf(rows);
    const begun = await first.exceptions.beginSheet({ digest });
    const sheet = { digest, file: 'sheet.csv', remember: 'cleo', lease: 'lease' in begun ? begun.lease : 0 };
    const acts = [{ id: ONE, act: 'assign', by: 'cleo', to: 'Cleo' } as const];
    let waited = 0;
    const onWait = async () => {
      waited++;
      await first.exceptions.act({ acts, reasons: STANDARD_REASONS, sheet });
      await first.exceptions.endSheet(sheet);
    };
    const second = await imported(rows, { onWait: () => void onWait() });
    expect(second).toMatchObject({ applied: false, known: true, unchanged: 2, changed: [], refused: [] });
    expect([waited, await states()]).toEqual([1, ['2 assigned Cleo', '1 open null', '1 open null']]);
    await first.close();
  });

  test('an import that it waited for and that applied nothing leaves the rows to it', async () => {
    const first = await opened();
    const begun = await first.exceptions.beginSheet({ digest: digestOf(rows) });
    const onWait = () => void first.exceptions.endSheet({ lease: 'lease' in begun ? begun.lease : 0 });
    expect(await imported(rows, { onWait })).toMatchObject({ applied: true, known: false, refused: [] });
    expect(held()).toBe(0);
    await first.close();
  });

  test('another file is imported without waiting, and so is a dry run', async () => {
    const first = await opened();
    await first.exceptions.beginSheet({ digest: digestOf(rows) });
    const onWait = () => expect.unreachable();
    expect(await imported(rows, { onWait, isDry: true })).toMatchObject({ known: false, applied: false });
    expect(await imported(rows.slice(1), { onWait })).toMatchObject({ applied: true });
    expect(held()).toBe(1);
    await first.close();
  });

  test.each([
    ['whose process is gone', 'pid = 2147483646'],
    ['that has not written for a minute', 'leased_until = 0'],
    ['that only a wrong clock could give', 'leased_until = 9007199254740991'],
  ])('a lease %s is taken over, and its import cannot write any more', async (_, change) => {
    const first = await opened();
    const digest = digestOf(rows);
    const begun = await first.exceptions.beginSheet({ digest });
    db.database.exec(`UPDATE exception_sheet_imports SET ${change}`);
    const onWait = () => expect.unreachable();
    expect(await imported(rows, { onWait })).toMatchObject({ applied: true, refused: [] });
    const sheet = { digest, file: 'sheet.csv', lease: 'lease' in begun ? begun.lease : 0 };
    const acts = [{ id: THREE, act: 'assign', by: 'ada', to: 'Ada' } as const];
    await expect(first.exceptions.act({ acts, reasons: STANDARD_REASONS, sheet })).rejects.toThrow(
      'The spreadsheet is not being imported any more: another import of it took over.',
    );
    expect((await states()).at(-1)).toBe('1 open null');
    await first.close();
  });

  test('an import that fails leaves no lease', async () => {
    const prepare = () => Promise.reject(new Error('no space'));
    await expect(imported(rows, { prepare })).rejects.toThrow('no space');
    expect(held()).toBe(0);
  });
});
