import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { undocumentedFields } from '../support/commands.ts';
import { holdWrites } from '../support/held-write.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { readerOf } from '../support/reader.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const db = new TestDatabase();
const month = new ClosingMonth(db);
afterAll(() => db.remove());

const NAME = 'Adaeze-Okonkwo-Canary';
const SAID = 'Said-In-A-Comment-Canary';
const APART = 'Decided-Apart-Canary';
const LATER = 'November-Canary';
const ERASE = ['--texts-older', '0d', '--reports-older', '0d'];
const fileHas = (text: string) =>
  [db.path, `${db.path}-wal`].some((path) => existsSync(path) && readFileSync(path).includes(text));
const verified = async () => expect(await month.json('audit', 'verify')).toMatchObject({ code: 0, ok: true });
/** What a run of November finds: its figures and its matches, without what each run has of its own. */
const november = async () => {
  const report = await month.json('reconcile', '--from', '2026-11-01', '--to', '2026-11-20', '--dry-run');
  const { run: _, asAt: __, ...found } = report;
  return found;
};

test('a closed month, with texts, comments and a report in the folder', async () => {
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'reports: { folder: reports, formats: [json, html] }\n');
  await month.import(
    'october.csv',
    ['2026-10-01', 'C-1', 'Collection', NAME, '100.00', '1100.00'],
    ['2026-10-31', 'C-2', 'Collection', `${NAME} again`, '50.00', '1150.00'],
  );
  await month.reconcile();
  const { exceptions } = await month.json('exceptions', 'list');
  expect(exceptions).toHaveLength(2);
  for (const { id } of exceptions) expect((await month.run('exceptions', 'comment', id, SAID)).code).toBe(0);
  const apart = ['matches', 'undo', '1:2', '--reference', 'C-1', '--comment', APART];
  expect([0, 1, 2]).toContain((await month.run(...apart)).code);
  await month.resolveAll();
  expect(await month.json('period', 'close', '2026-10', '--as', 'Ada')).toMatchObject({ code: 0, state: 'closed' });
  await month.import('november.csv', ['2026-11-02', 'C-3', 'Collection', LATER, '10.00', '1160.00']);
  expect([0, 3]).toContain((await month.run('schedule', 'run', 'report')).code);
  expect(existsSync(join(db.folder, 'reports', '2026-10-test.html'))).toBe(true);
  expect(fileHas(NAME) && fileHas(SAID) && fileHas(LATER)).toBe(true);
});

test('a dry run counts and changes nothing', async () => {
  const found = await month.json('prune', ...ERASE, '--dry-run');
  expect(found).toMatchObject({ code: 0, pruned: false, before: null, lines: 2, comments: 2, reports: 1, records: 0 });
  expect(undocumentedFields(found, ['prune'])).toEqual(['code']);
  const young = await month.json('prune', '--texts-older', '60d', '--reports-older', '60d', '--dry-run');
  expect(young).toMatchObject({ lines: 0, comments: 0, reports: 0 });
  expect((await month.run('prune', ...ERASE, '--dry-run')).stdout).toMatch(
    /^The texts of 2 lines and 2 comments of closed periods that ended before .* would be erased\n1 frozen report /,
  );
  expect(fileHas(NAME)).toBe(true);
});

test('texts, comments and reports go; figures, digests, matching and the audit stay as they were', async () => {
  const [shown, found] = [await month.json('period', 'show', '2026-10'), await november()];
  const lines = db.database.prepare('SELECT id, fingerprint, amount_minor, reference FROM imported_lines ORDER BY id');
  const before = lines.all();
  const done = await month.json('prune', ...ERASE, '--yes', '--as', 'Grace');
  expect(done).toMatchObject({ code: 0, pruned: true, lines: 2, comments: 2, reports: 1, files: 2, rewritten: true });
  expect(undocumentedFields(done, ['prune'])).toEqual(['code']);
  await verified();
  expect([NAME, SAID].map(fileHas)).toEqual([false, false]);
  expect(fileHas(LATER)).toBe(true);
  expect(lines.all()).toEqual(before);
  expect(await november()).toEqual(found);
  const { reportErasedAt, ...after } = await month.json('period', 'show', '2026-10');
  expect(after).toEqual(shown);
  expect(reportErasedAt).toMatch(/^\d{4}-/);
  const acts = db.database.prepare("SELECT who, subject FROM audit_entries WHERE act = 'prune' ORDER BY seq").all();
  const today = expect.stringMatching(/^prune:\d{4}-\d\d-\d\d$/);
  expect(acts).toEqual([today, 'texts:1', today, today].map((subject) => ({ who: 'Grace', subject })));
});

test('what was erased is named as erased', async () => {
  const { digest } = await month.json('period', 'show', '2026-10');
  expect(await month.run('report', 'month', '2026-10')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`report of 2026-10 was erased by prune on .*its sha256 was ${digest}`)),
  });
  expect((await month.run('period', 'show', '2026-10')).stdout).toMatch(/report +erased .*; its digest stays/);
  const { exceptions } = await month.json('exceptions', 'list', '--status', 'resolved');
  const { stdout } = await month.run('exceptions', 'show', exceptions[0].id);
  expect(stdout).toContain('it was erased');
  expect(existsSync(join(db.folder, 'reports', '2026-10-test.html'))).toBe(false);
  expect((await month.run('schedule', 'run', 'report')).code).toBe(0);
});

test('again there is nothing to do, and a period that is opened and closed again names the digest before', async () => {
  expect(await month.json('prune', ...ERASE, '--yes')).toMatchObject({ lines: 0, comments: 0, reports: 0, files: 0 });
  const { digest } = await month.json('period', 'show', '2026-10');
  expect((await month.run('period', 'reopen', '2026-10', '--reason', 'again')).code).toBe(0);
  await month.reconcile();
  await month.resolveAll();
  const closed = await month.json('period', 'close', '2026-10', '--as', 'Ada');
  expect(closed).toMatchObject({ code: 0, closing: 2 });
  expect(closed.changes).toEqual([{ path: 'digest', before: digest, after: closed.digest }]);
  await verified();
});

test('SIGKILL between two pieces: the audit agrees, and the next prune does the rest', async () => {
  const many = new TestDatabase();
  const other = new ClosingMonth(many);
  const count = 600; // two pieces
  const rows = Array.from({ length: count }, (_, n) => [
    ...['2026-10-02', `C-${n}`, 'Collection', `${NAME} ${n}`, '1.00', `${1_001 + n}.00`],
  ]);
  await other.import('october.csv', ...rows);
  await other.reconcile();
  for (let done = 0; done < count; done += 500) await other.resolveAll();
  expect(await other.json('period', 'close', '2026-10', '--as', 'Ada')).toMatchObject({ code: 0 });
  const inSecondPiece = '(SELECT count(*) FROM imported_lines WHERE text IS NULL) = 550';
  const release = holdWrites(many.path, {
    after: 'UPDATE OF text ON imported_lines',
    when: inSecondPiece,
    lasts: 'for ever',
  });
  const child = spawn(process.execPath, [LAUNCHER, 'prune', '--texts-older', '0d', '--yes'], {
    cwd: many.folder,
    env: { PATH: process.env.PATH ?? '', ...other.env },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const reader = readerOf(many.path);
  const left = reader.prepare<[], number>('SELECT count(*) FROM imported_lines WHERE text IS NOT NULL').pluck();
  await until(() => (left.get() ?? 0) < count, 'the first piece is erased');
  child.kill('SIGKILL');
  await ended;
  release();
  expect(left.get()).toBeGreaterThan(0);
  expect(await other.json('audit', 'verify')).toMatchObject({ code: 0, ok: true });
  const rest = left.get();
  expect(await other.json('prune', '--texts-older', '0d', '--yes')).toMatchObject({ lines: rest, rewritten: true });
  expect(await other.json('audit', 'verify')).toMatchObject({ code: 0, ok: true });
  reader.close();
  expect(readFileSync(many.path).includes(NAME)).toBe(false);
  many.remove();
});
