import { userInfo } from 'node:os';
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
    ['C-3', 30_000],
  ]);
  const suggested = { pass: 'amount_and_date', state: 'suggested', reference: 'ORDER-2' } as const;
  await folder.keep({ matches: [{ line: 'C-1' }, { line: 'C-2', ...suggested }, { line: 'C-3' }] });
});
afterAll(() => db.remove());
const SECTION = ['matches list, confirm, undo'];

test('matches are listed with their line, the record, and how they were found', async () => {
  const list = await folder.json('matches', 'list');
  expect(list.items).toEqual([
    expect.objectContaining({ id: 3, reference: 'C-3' }),
    {
      id: 2,
      leg: 'records-wallet',
      kind: 'collection',
      environment: 'test',
      reference: 'ORDER-2',
      recordId: null,
      pass: 'amount_and_date',
      state: 'suggested',
      account: 'wallet-main',
      line: { statement: 1, row: 3 },
      date: '2026-10-01',
      currency: 'NGN',
      amount: '200.00',
      run: 1,
      decision: null,
    },
    expect.objectContaining({ id: 1, reference: 'C-1', state: 'confirmed' }),
  ]);
  expect(undocumentedFields(list, SECTION)).toEqual([]);
  expect((await folder.json('matches', 'list', '--state', 'suggested')).items).toMatchObject([{ id: 2 }]);
  expect((await folder.json('matches', 'list', '--reference', 'C-3')).items).toMatchObject([{ id: 3 }]);
  expect((await folder.json('matches', 'list', '--statement', '2')).items).toEqual([]);
  const { code, stdout } = await folder.run('matches', 'list', '--oldest-first', '--limit', '1');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^ID .*STATE *\n 1 {2}records-wallet {2}test {2}collection C-1 .*100\.00 NGN {2}reference {2}confirmed\n$/,
    ),
  ]);
});

test('a suggestion that a person confirms, and a match that a person undoes, are kept for the next run', async () => {
  const confirmed = await folder.run('matches', 'confirm', '2', '--as', ' Ada\u0301 ', '--comment', 'seen at the bank');
  expect(confirmed).toEqual({
    code: 0,
    stdout:
      'Match 2 confirmed by Ad\u00e1: row 3 of statement 1 belongs to collection ORDER-2 (records-wallet). The next reconcile uses it.\n',
    stderr: '',
  });
  const undone = await folder.json('matches', 'undo', '3');
  expect(undone).toMatchObject({ id: 3, decision: { verdict: 'apart', by: userInfo().username, comment: null } });
  expect(undocumentedFields(undone, SECTION)).toEqual([]);
  const states = (await folder.run('matches', 'list')).stdout;
  expect(states).toMatch(/confirmed by Ad\u00e1/);
  expect(states).toMatch(/undone by /);
  const again = await folder.run('matches', 'undo', '3');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/Match 3 was undone already: by /) });
  expect(await folder.run('matches', 'confirm', '2')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Match 2 was confirmed already: by Ad\u00e1, [\d-]{10} [\d:]{8}\+01:00\./),
  });
  expect(await folder.run('matches', 'confirm', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Match 1 is confirmed already: by the rules \(reference\)/),
  });
});

test('an undoing is taken back, also when a run has ended the match by it', async () => {
  await folder.keep({ ended: [3] });
  expect((await folder.json('matches', 'list')).items).toMatchObject([{ id: 2 }, { id: 1 }]);
  expect(await folder.run('matches', 'confirm', '3', '--as', 'grace')).toMatchObject({ code: 0 });
  expect(await folder.run('matches', 'undo', '3')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Match 3 has ended: run 2 found it no more/),
  });
});

test.each([
  ['an unknown match', ['confirm', '99'], 1, /There is no match 99/],
  ['what is no number', ['undo', 'x-1'], 2, /"x-1" is not a number of a match/],
  ['an empty name', ['undo', '1', '--as', ' '], 2, /The name of who says so is empty/],
  ['an overlong name', ['undo', '1', '--as', 'a'.repeat(101)], 2, /has 101 characters; 100 are allowed/],
  ['no command', [], 2, /Which command of matches\?/],
])('refused: %s', async (_, args, code, message) => {
  expect(await folder.run('matches', ...args)).toMatchObject({ code, stderr: expect.stringMatching(message) });
});

test('why tells of the lines, matches, words of persons and their ends, also without a record', async () => {
  const { code, stdout, stderr } = await folder.run('why', 'C-3');
  expect([code, stderr.split('\n').at(-2)]).toEqual([1, 'There is no record C-3.']);
  const text = stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/g, '');
  expect(text.split('\n').slice(0, -3)).toEqual(
    expect.arrayContaining([
      'Statements that name it, without a record',
      'Run 1 matched it with row 4 of statement 1 (records-wallet, by reference).',
      'Match 3 with row 4 of statement 1 ended: run 2 found it no more.',
      'Statement of wallet-main, 2026-10-01: collection 300.00 NGN (row 4 of statement 1).',
      `${userInfo().username}: row 4 of statement 1 does not belong to it (records-wallet).`,
      'grace: row 4 of statement 1 belongs to it (records-wallet).',
    ]),
  );
  const suggestion = await folder.json('why', 'ORDER-2');
  expect(suggestion).toMatchObject({
    records: [],
    reconciled: [
      { source: 'match', facts: { matchId: 2, state: 'suggested', statement: 1, row: 3, run: 1, ended: false } },
      { source: 'match', facts: { verdict: 'together', by: 'Ad\u00e1', comment: 'seen at the bank' } },
    ],
  });
  expect(undocumentedFields(suggestion, ['why'])).toEqual([]);
});

test('a removed statement says how many matches were undone; they stay in the story', async () => {
  const removed = await folder.run('statements', 'remove', '1', '--yes');
  expect(removed.stdout).toMatch(/; 3 are gone, 0 stay with other statements; 2 matches undone\n$/);
  expect((await folder.json('matches', 'list')).items).toEqual([]);
  const { reconciled } = await folder.json('why', 'C-1');
  expect(reconciled).toMatchObject([
    { source: 'match', facts: { matchId: 1, ended: false } },
    { text: 'Match 1 with row 2 of statement 1 ended: the line was removed with its statement.' },
  ]);
});

test('what persons took apart is listed with who and when, also once a run ended the match, or where none had made one', async () => {
  const other = new TestDatabase();
  const pairs = new ReconciledFolder(other);
  await pairs.import('october.csv', [
    ['C-1', 10_000],
    ['C-3', 30_000],
  ]);
  await pairs.keep({ matches: [{ line: 'C-1' }, { line: 'C-3' }] });
  const undone = () => pairs.json('matches', 'list', '--state', 'undone');
  await pairs.run('matches', 'undo', '2', '--as', 'ada');
  const [pair] = (await undone()).items;
  const decision = { verdict: 'apart', by: 'ada', at: expect.stringMatching(/^\d{4}-/), comment: null };
  expect(pair).toMatchObject({ id: 2, reference: 'C-3', state: 'undone', run: 1, pass: 'reference', decision });
  await pairs.keep({ ended: [2] });
  await pairs.run('matches', 'undo', '1', '--as', 'grace', '--comment', 'not ours');
  const list = await undone();
  expect(list).toMatchObject({ items: [{ id: 1, reference: 'C-1' }, pair], total: 2 });
  expect(undocumentedFields(list, SECTION)).toEqual([]);
  const { stdout } = await pairs.run('matches', 'list', '--state', 'undone', '--reference', 'C-1');
  expect(stdout).toMatch(/ BY .*UNDONE.*\n 1 .*grace {2}\d{4}-/);
  await pairs.run('matches', 'confirm', '1');
  await pairs.undo('C-1', 'ORDER-9', 'grace');
  expect((await undone()).items).toEqual([
    expect.objectContaining({ id: null, reference: 'ORDER-9', line: { statement: 1, row: 2 }, pass: null, run: null }),
    pair,
  ]);
  expect(await pairs.json('matches', 'list', '--state', 'undone', '--leg', 'x')).toMatchObject({ items: [], total: 0 });
  other.remove();
});
