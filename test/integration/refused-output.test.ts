import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExceptionFolder } from '../support/exception-folder.ts';
import { TestDatabase } from '../support/test-database.ts';

// Every step runs a command, which is slow on a busy machine.
let db: TestDatabase;
let folder: ExceptionFolder;
/** Two exceptions; the second row of the sheet is refused, because it was changed since. */
let sheet: string;
beforeEach(async () => {
  db = new TestDatabase();
  folder = new ExceptionFolder(db);
  folder.paid('C-2', 20_000);
  await folder.import([
    ['C-2', 19_900],
    ['C-9', 5_000, '2026-10-20'],
  ]);
  await folder.reconcile();
  const { exceptions } = await folder.json('exceptions', 'list');
  const [one, two] = exceptions as { id: string }[];
  sheet = `id,version,assignee\r\n${one?.id},1,Ben\r\n${two?.id},9,Ben\r\n`;
  writeFileSync(at('q.csv'), sheet);
});
afterEach(() => db.remove());

const at = (name: string) => join(db.folder, name);
const assignees = async () =>
  ((await folder.json('exceptions', 'list')).exceptions as { assignee: string | null }[]).map(
    ({ assignee }) => assignee,
  );
const leftovers = () => readdirSync(db.folder).filter((name) => name.endsWith('.part'));

test.each([
  ['a folder that is not there', 'gone/refused.csv'],
  ['a file in the place of the folder', 'wallet.yaml/refused.csv'],
  ['a folder of this name', 'folder'],
  ['the imported file', 'q.csv'],
  ['the imported file under another name', 'linked.csv'],
  ['the imported file in the place of the unfinished one', 'half'],
  ['another sheet', 'other.csv'],
  ['a file that is no sheet', 'wallet.yaml'],
])('refused rows cannot go to %s: nothing is imported, and the file can be imported later', async (_what, refused) => {
  mkdirSync(at('folder'));
  linkSync(at('q.csv'), at('linked.csv'));
  linkSync(at('q.csv'), at('half.part'));
  writeFileSync(at('other.csv'), 'id,version,assignee,refused\r\nx-000000000000000000000009,1,Ben,stale\r\n');
  const before = [readFileSync(at('wallet.yaml'), 'utf8'), readFileSync(at('other.csv'), 'utf8')];
  const { code, stderr } = await folder.run('exceptions', 'import', 'q.csv', '--refused', refused);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/nothing was imported[\s\S]*--refused/)]);
  expect(await assignees()).toEqual([null, null]);
  expect([readFileSync(at('wallet.yaml'), 'utf8'), readFileSync(at('other.csv'), 'utf8')]).toEqual(before);
  expect(readFileSync(at('q.csv'), 'utf8')).toBe(sheet);
  rmSync(at('half.part'), { force: true });
  expect(leftovers()).toEqual([]);
  expect(await folder.json('exceptions', 'import', 'q.csv', '--refused', 'good.csv')).toMatchObject({
    ...{ applied: true, known: false, refusedFile: 'good.csv', refused: [{ reason: 'stale' }] },
  });
});

test('a former file of the same rows is replaced, and nothing is left beside it', async () => {
  expect((await folder.run('exceptions', 'import', 'q.csv')).code).toBe(3);
  const former = readFileSync(at('q.csv.refused.csv'), 'utf8');
  writeFileSync(at('q.csv'), sheet.replace(',9,', ',8,'));
  expect((await folder.run('exceptions', 'import', 'q.csv')).code).toBe(3);
  expect(readFileSync(at('q.csv.refused.csv'), 'utf8')).toBe(former.replace(',9,', ',8,'));
  expect(leftovers()).toEqual([]);
});
