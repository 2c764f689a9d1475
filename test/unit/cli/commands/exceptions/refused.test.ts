import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRefused } from '../../../../../cli/commands/exceptions/refused.ts';
import { headerOf } from '../../../../../src/reconcile/sheet/read/header.ts';
import { readSource } from '../../../../../src/reconcile/sheet/read/source.ts';
import { refusedOutput } from '../../../../../src/reconcile/sheet/refused-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyhook-refused-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test('rows that cannot be written after all are printed, as a file that can be imported', async () => {
  const path = join(folder, 'q.csv');
  writeFileSync(path, 'id,version,assignee\r\nx-1,1,Ben\r\nx-2,9,Ben\r\n');
  const source = await readSource(path);
  const header = headerOf(source);
  const place = await refusedOutput(join(folder, 'r.csv'), { path: path, header, rows: [] });
  const printed: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  rmSync(join(folder, 'r.csv.part'));
  const refused = [
    { row: 3, id: null, column: null, value: null, reason: 'stale', who: null, atMs: null, message: 'old' },
  ];
  const about = { applied: true, known: false, rows: 2, unchanged: 0, changed: [] } as const;
  const imported = { ...about, source, header, refused: refused as never };
  expect(await keepRefused(place, imported)).toBeNull();
  await place.close();
  const text = printed.join('').slice(printed.join('').indexOf('\uFEFF'));
  expect(parse(text, { bom: true, columns: true })).toMatchObject([
    { version: '9', assignee: 'Ben', refused: 'stale: old' },
  ]);
});
