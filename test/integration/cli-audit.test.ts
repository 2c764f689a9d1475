import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { undocumentedFields } from '../support/commands.ts';
import { ReconciledFolder } from '../support/kept-run.ts';
import { TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const folder = new ReconciledFolder(db);
beforeAll(async () => {
  await folder.import('october.csv', [
    ['C-1', 10_000],
    ['C-2', 20_000],
  ]);
  await folder.keep({ matches: [{ line: 'C-1', state: 'suggested' }, { line: 'C-2' }] });
  expect(await folder.run('matches', 'confirm', '1', '--as', 'Ada')).toMatchObject({ code: 0 });
  expect(await folder.run('matches', 'undo', '2', '--as', ' Bob ')).toMatchObject({ code: 0 });
});
afterAll(() => db.remove());

const SECTION = ['audit list, verify, export, head'];
const tampered = async <Result>(sql: string, back: string, work: () => Promise<Result>): Promise<Result> => {
  db.database.exec(sql);
  try {
    return await work();
  } finally {
    db.database.exec(back);
  }
};

test('the list names who did what, the latest first, each entry with all that its hash is made of', async () => {
  const list = await folder.json('audit', 'list');
  expect(list.items.map(({ seq, act, subject }: Record<string, unknown>) => [seq, act, subject])).toEqual([
    [5, 'match.undo', 'decision:2'],
    [4, 'match.confirm', 'decision:1'],
    [3, 'rules.use', 'rules:d'],
    [2, 'statement.import', 'statement:1'],
    [1, 'profile.use', expect.stringMatching(/^profile:[0-9a-f]{64}$/)],
  ]);
  expect(Object.keys(list.items[0])).toEqual([
    ...['seq', 'at', 'who', 'act', 'subject', 'before', 'after', 'previous', 'hash'],
  ]);
  expect(undocumentedFields(list, SECTION)).toEqual([]);
  const seqs = async (...filter: string[]) =>
    (await folder.json('audit', 'list', ...filter)).items.map(({ seq }: { seq: number }) => seq);
  expect(await seqs('--who', 'ADA')).toEqual([4]);
  expect(await seqs('--act', 'match.undo', '--act', 'rules.use')).toEqual([5, 3]);
  expect(await seqs('--subject', 'statement:1')).toEqual([2]);
  expect(await seqs('--until', '2020-01-01')).toEqual([]);
  expect(await seqs('--limit', '2', '--oldest-first')).toEqual([1, 2]);
  expect(await seqs('--after', '3')).toEqual([2, 1]);
  expect((await folder.run('audit', 'list', '--who', 'bob')).stdout).toMatch(/ 5 .* Bob {2}match\.undo {2}decision:2/);
});

test('the export is what the head is the end of: each hash can be computed from its line alone', async () => {
  const { code, stdout, stderr } = await folder.run('audit', 'export');
  const lines = stdout.trimEnd().split('\n');
  let previous = null;
  for (const line of lines) {
    const { hash, ...rest } = JSON.parse(line);
    const names = Object.keys(rest).sort();
    const canonical = `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(rest[name])}`).join(',')}}`;
    expect([rest.previous, createHash('sha256').update(canonical).digest('hex')]).toEqual([previous, hash]);
    previous = hash;
  }
  const head = await folder.json('audit', 'head');
  expect(head).toEqual({
    head: `5:${previous}`,
    at: expect.any(String),
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(undocumentedFields(head, SECTION)).toEqual([]);
  expect([code, stderr]).toEqual([0, `5 entries exported; head 5:${previous}\n`]);
  expect((await folder.run('audit', 'head')).stdout).toContain(`5:${previous}`);
  expect(await folder.run('audit', 'export', '--format', 'csv', '--out', 'chain.csv')).toMatchObject({ code: 0 });
  const csv = readFileSync(join(db.folder, 'chain.csv'), 'utf8').split('\n');
  expect(csv[0]).toBe('"seq","at","who","act","subject","before","after","previous","hash"');
  expect(csv).toHaveLength(7);
});

test('verify says that all is as it was left, also of a head noted before, and ends with 3 when something is not', async () => {
  const { head } = await folder.json('audit', 'head');
  const whole = await folder.json('audit', 'verify', '--head', head);
  expect(whole).toEqual({
    ok: true,
    entries: 5,
    head,
    covers: expect.arrayContaining(['imported_lines']),
    firstBad: null,
  });
  expect(undocumentedFields(whole, SECTION)).toEqual([]);
  expect(await folder.run('audit', 'verify')).toEqual({
    code: 0,
    stdout: `The audit chain is whole: 5 entries, head ${head}\nEvery row of ${whole.covers.length} tables is as its last entry left it.\n`,
    stderr: '',
  });
  const change = [
    "UPDATE imported_lines SET amount_minor = 1 WHERE reference = 'C-1'",
    "UPDATE imported_lines SET amount_minor = 10000 WHERE reference = 'C-1'",
  ] as const;
  const bad = await tampered(...change, () => folder.run('audit', 'verify', '--json'));
  const firstBad = { seq: 2, table: 'imported_statements', key: '1', reason: 'subject' };
  expect([bad.code, JSON.parse(bad.stdout)]).toEqual([3, { ...whole, ok: false, firstBad }]);
  const told = await tampered(...change, () => folder.run('audit', 'verify'));
  expect(told.stdout).toBe(
    'The audit chain is bad (subject): imported_statements 1 is not as entry 2 left it: that row, or one that belongs to it in ' +
      'imported_lines, imported_overlaps, imported_unparsed, statement_balances, statement_controls, accounts.\n',
  );
  const dropped = ['ALTER TABLE exception_log RENAME TO other', 'ALTER TABLE other RENAME TO exception_log'] as const;
  const without = await tampered(...dropped, () => folder.run('audit', 'verify'));
  expect(without).toMatchObject({
    code: 3,
    stdout: 'The audit chain is bad (missing): table exception_log is missing: nothing can be compared without it.\n',
  });
  const other = await folder.run('audit', 'verify', '--head', `3:${'0'.repeat(64)}`);
  expect(other).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('the noted head is not in the chain: entry 3'),
  });
  expect(await folder.run('audit', 'verify', '--head', '5')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no head/),
  });
});

test('while the key is gone nothing is done, acts and verify end with 2 and say which file to put back, and status tells it', async () => {
  const key = join(db.folder, 'audit.key');
  renameSync(key, `${key}.moved`);
  for (const words of [
    ['matches', 'confirm', '2'],
    ['statements', 'remove', '1', '--yes'],
    ['reconcile', '--from', '2026-10-01', '--to', '2026-10-31'],
    ['audit', 'verify'],
  ]) {
    expect(await folder.run(...words), words.join(' ')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/audit\.key, is gone\.[\s\S]*Put your copy of .*audit\.key back/),
    });
  }
  const told = `- The key of the audit chain is gone: ${key}; acts that must be entered are refused`;
  const status = await folder.run('status');
  expect([status.code, status.stdout]).toEqual([3, expect.stringContaining(told)]);
  renameSync(`${key}.moved`, key);
  expect((await folder.run('status')).stdout).not.toContain('key of the audit chain');
  expect(await folder.run('audit', 'verify')).toMatchObject({ code: 0 });
  expect((await folder.json('audit', 'list')).total).toBe(5);
});

test('a removal is entered by the person who did it, and the chain stays whole', async () => {
  expect(await folder.run('statements', 'remove', '1', '--yes', '--as', 'Ada')).toMatchObject({ code: 0 });
  const { items } = await folder.json('audit', 'list', '--limit', '1');
  expect(items).toMatchObject([{ seq: 6, who: 'Ada', act: 'statement.remove', subject: 'statement:1' }]);
  expect(await folder.run('audit', 'verify')).toMatchObject({ code: 0 });
});
