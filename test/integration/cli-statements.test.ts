import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readerOf } from '../support/reader.ts';
import { PROFILE, StatementFolder, walletCsv } from '../support/statement-files.ts';

const SECTIONS = ['statements import', 'statements list, show, remove'];
const newFolder = () => new StatementFolder(temporaryFolder());
const BAD_ROW = '2026-10-02,X-1,Bonus,,"1.234,56",0';

test('a file is imported once; one that overlaps adds what is new; equal payments of one day stay two', async () => {
  const folder = newFolder();
  folder.file(
    'a.csv',
    walletCsv([
      ['C-1', 10_000],
      ['C-1', 10_000],
      ['P-1', -5_050, '2026-10-02'],
    ]),
  );
  const first = await folder.import('a.csv');
  expect(first).toEqual({
    code: 0,
    stdout:
      'Statement 1: a.csv into wallet-main (wallet, test): 3 lines: 3 new, 0 known\n' +
      '  opening 1000.00 + lines 149.50 = closing 1149.50 NGN\n',
    stderr: '',
  });
  expect(await folder.import('a.csv')).toEqual({
    code: 0,
    stdout: 'a.csv is known: it was imported into wallet-main (wallet, test), statement 1. Nothing changed.\n',
    stderr: '',
  });
  // The balances of the lines differ, because this file begins later; their fingerprints do not.
  folder.file(
    'b.csv',
    walletCsv([
      ['C-1', 10_000],
      ['P-1', -5_050, '2026-10-02'],
      ['C-2', 1, '2026-10-03'],
    ]),
  );
  const second = await folder.importJson('b.csv');
  expect(second).toMatchObject({
    statement: 2,
    account: 'wallet-main',
    kind: 'wallet',
    lines: 3,
    new: 1,
    known: 2,
    unparsed: [],
    opening: '1000.00',
    closing: '1049.51',
    controls: [],
    outcome: 'imported',
  });
  expect(undocumentedFields(second, SECTIONS)).toEqual([]);
  expect(await folder.importJson('b.csv')).toMatchObject({
    outcome: 'known',
    statement: 2,
    new: 0,
    known: 3,
    lines: 3,
  });

  const listed = await folder.json('list');
  expect(listed).toMatchObject({
    shown: 2,
    total: 2,
    items: [
      { statement: 2, new: 1 },
      { statement: 1, new: 3 },
    ],
  });
  expect(undocumentedFields(listed, SECTIONS)).toEqual([]);
  expect((await folder.run('list', '--oldest-first')).stdout).toMatch(/^ID .*\n 1 {2}wallet-main .*a\.csv .*\n 2 /);
  const shown = await folder.json('show', '2');
  expect(shown).toMatchObject({ statement: 2, total: 3, more: false, new: 1, unparsed: [] });
  expect(shown.items).toMatchObject([
    { row: 2, reference: 'C-1', amount: '100.00', balance: '1100.00', type: 'collection', date: '2026-10-01' },
    { row: 3, reference: 'P-1', amount: '-50.50', principal: '50.50', balance: '1049.50', type: 'payout' },
    { row: 4, reference: 'C-2', amount: '0.01', balance: '1049.51' },
  ]);
  expect(undocumentedFields(shown, SECTIONS)).toEqual([]);
  expect((await folder.json('show', '1', '--limit', '1')).items).toHaveLength(1);
  expect((await folder.run('show', '1', '--profile')).stdout).toBe(PROFILE);
});

test('a removed statement is gone with its own lines, stays in the list of removed ones, and its file can come again', async () => {
  const folder = newFolder();
  folder.file(
    'a.csv',
    walletCsv([
      ['C-1', 100],
      ['C-2', 200],
    ]),
  );
  folder.file(
    'b.csv',
    walletCsv(
      [
        ['C-2', 200],
        ['C-3', 300],
      ],
      100_100,
    ),
  );
  expect(await folder.import('a.csv', 'b.csv')).toMatchObject({ code: 0 });
  expect(await folder.run('remove', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect((await folder.json('list')).total).toBe(2);
  const removed = await folder.json('remove', '1', '--yes');
  expect(removed).toEqual({
    statement: 1,
    account: 'wallet-main',
    file: 'a.csv',
    lines: 1,
    left: 1,
    matches: 0,
    stopped: false,
  });
  expect(undocumentedFields(removed, SECTIONS)).toEqual([]);
  expect((await folder.json('list')).items).toMatchObject([{ statement: 2 }]);
  expect((await folder.json('list', '--removed')).items).toMatchObject([{ statement: 2 }, { statement: 1 }]);
  expect((await folder.json('show', '2')).items).toHaveLength(2);
  expect((await folder.json('show', '1')).items).toEqual([]);
  expect(await folder.run('remove', '1', '--yes')).toMatchObject({ code: 1, stderr: expect.stringMatching(/already/) });
  expect(await folder.run('remove', '9', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no statement 9/),
  });
  expect(await folder.run('show', 'x')).toMatchObject({ code: 2 });
  expect(await folder.importJson('a.csv')).toMatchObject({ outcome: 'imported', new: 1, known: 1 });
});

test('a dry run says the same and writes nothing, not even a database', async () => {
  const folder = newFolder();
  folder.file(
    'a.csv',
    `${walletCsv([
      ['C-1', 100],
      ['C-2', 200],
    ])}${BAD_ROW}\n`,
  );
  expect(await folder.run('import', 'a.csv', '--profile', 'wallet.yaml', '--dry-run')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^Not imported \(--dry-run\): a\.csv .*: 2 lines: 2 new, 0 known, 1 row not readable\n/,
    ),
  });
  expect(existsSync(folder.database)).toBe(false);
  expect(await folder.import('a.csv')).toMatchObject({ code: 3 });
  folder.file(
    'b.csv',
    walletCsv([
      ['C-2', 200],
      ['C-3', 300],
    ]),
  );
  const before = readFileSync(folder.database);
  const preview = await folder.json('import', 'b.csv', '--profile', 'wallet.yaml', '--dry-run');
  expect(preview).toMatchObject({ outcome: 'previewed', statement: null, new: 1, known: 1 });
  expect(await folder.json('import', 'a.csv', '--profile', 'wallet.yaml', '--dry-run')).toMatchObject({
    outcome: 'known',
  });
  expect(readFileSync(folder.database).equals(before)).toBe(true);
  expect((await folder.json('list')).total).toBe(1);
});

test('each unreadable row is named with its column, value and reason, and the rest is imported: exit code 3', async () => {
  const folder = newFolder();
  folder.file('a.csv', `${walletCsv([['C-1', 100]])}${BAD_ROW}\n`);
  const imported = await folder.import('a.csv');
  expect(imported.code).toBe(3);
  expect(imported.stdout).toMatch(/1 line: 1 new, 0 known, 1 row not readable\n/);
  expect(imported.stdout).toMatch(/\n +3 +Amount +"1\.234,56" +It looks like decimal ","/);
  const shown = await folder.json('show', '1');
  expect(shown.unparsed).toMatchObject([{ row: 3, column: 'Amount', value: '1.234,56' }]);
  expect(undocumentedFields(shown, SECTIONS)).toEqual([]);
  expect(await folder.importJson('a.csv')).toMatchObject({ outcome: 'known', unparsedRows: 1, unparsed: [{ row: 3 }] });
});

test('a balance that the lines do not make is named: exit code 3', async () => {
  const folder = newFolder();
  folder.file(
    'a.csv',
    walletCsv([
      ['C-1', 100],
      ['C-2', 200],
      ['C-3', 300],
    ]).replace('1003.00', '1003.01'),
  );
  const imported = await folder.importJson('a.csv');
  expect(imported.controls).toMatchObject([
    { control: 'running', currency: 'NGN', stated: '1003.01', computed: '1003.00', row: 3 },
  ]);
  expect(undocumentedFields(imported, SECTIONS)).toEqual([]);
  folder.file(
    'b.csv',
    walletCsv([
      ['C-1', 100],
      ['C-2', 200],
      ['C-4', 400],
    ]).replace('1003.00', '1003.01'),
  );
  expect(await folder.import('b.csv')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /does not add up: b\.csv, row 3, column Balance: running NGN from row 3 on: the file says 1003\.01, its lines make 1003\.00/,
    ),
    stderr: expect.stringMatching(
      /Is a line missing or altered before this row\? Ask for the file again, or mend the profile\..*tallyhook statements remove ID/s,
    ),
  });
});

test('another content under a known name of a profile, and an account of another environment or kind, are refused', async () => {
  const folder = newFolder();
  folder.file('a.csv', walletCsv([['C-1', 100]]));
  folder.file('b.csv', walletCsv([['C-2', 200]], 100_100));
  expect(await folder.import('a.csv')).toMatchObject({ code: 0 });
  const refused = async (profile: string, words: RegExp) => {
    folder.file('other.yaml', profile);
    for (const dry of [[], ['--dry-run']]) {
      const ended = await folder.run('import', 'b.csv', '--profile', 'other.yaml', ...dry);
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(words) });
    }
  };
  await refused(`${PROFILE}# changed\n`, /b\.csv was not imported: another content of the profile "wallet-standard"/);
  const renamed = PROFILE.replace('wallet-standard', 'wallet-2');
  await refused(
    renamed.replace('environment: test', 'environment: live'),
    /"wallet-main" are those of a wallet account of test/,
  );
  await refused(renamed.replace('kind: wallet', 'kind: bank'), /is a bank account of test, and/);
  expect((await folder.json('list')).total).toBe(1);
  folder.file('other.yaml', renamed);
  expect(await folder.run('import', 'b.csv', '--profile', 'other.yaml')).toMatchObject({ code: 0 });
});

test('of several files each is by itself: the others are imported, and the exit code is that of the one that failed', async () => {
  const folder = newFolder();
  folder.file('a.csv', walletCsv([['C-1', 100]]));
  folder.file('b.csv', 'Nothing,that,fits\n1,2,3\n');
  folder.file('c.csv', walletCsv([['C-3', 300]]));
  const ended = await folder.run('import', 'a.csv', 'b.csv', 'gone.csv', 'c.csv', '--profile', 'wallet.yaml', '--json');
  expect(ended.code).toBe(2);
  const document = JSON.parse(ended.stdout);
  expect(document).toMatchObject({
    shown: 4,
    items: [
      { file: 'a.csv', outcome: 'imported' },
      { file: 'b.csv', error: { kind: 'usage', exitCode: 2 } },
      { file: 'gone.csv', error: { exitCode: 2 } },
      { file: 'c.csv', outcome: 'imported' },
    ],
  });
  expect(undocumentedFields(document, SECTIONS)).toEqual([]);
  expect(ended.stderr).toMatch(/b\.csv/);
  expect((await folder.json('list')).total).toBe(2);
});

test('words of the type column that the profile does not know are counted, and what they become is said', async () => {
  const folder = newFolder();
  const csv = walletCsv([
    ['C-1', 100],
    ['C-2', 200],
    ['C-3', 300],
  ]);
  folder.file('a.csv', csv.replace('C-2,Collection', 'C-2,Bonus').replace('C-3,Collection', 'C-3,Bonus'));
  const { code, stdout, stderr } = await folder.import('a.csv', '--dry-run');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('type "Bonus" is not in the profile: 2 lines\n'),
  });
  expect(stderr).toContain('unclassified');
  const document = await folder.importJson('a.csv');
  expect(document).toMatchObject({ lines: 3, new: 3, unparsed: [], unknownTypes: [{ word: 'Bonus', lines: 2 }] });
  expect(undocumentedFields(document, SECTIONS)).toEqual([]);
});

test('texts of a bank are shown with account numbers and addresses masked', async () => {
  const folder = newFolder();
  folder.file(
    'a.csv',
    walletCsv([['C-1', 100]]).replace('Collection,,', 'Collection,From 0123456789 ada@example.com REF-20261001000017,'),
  );
  await folder.import('a.csv');
  const masked = 'From ••••••6789 a•••@example.com REF-20261001000017';
  expect((await folder.json('show', '1')).items[0].text).toBe(masked);
  expect((await folder.json('show', '1', '--reveal')).items[0].text).toContain('0123456789');
  const sql = await command(['sql', 'SELECT text FROM statement_lines', '--json'], {
    cwd: folder.cwd,
    env: folder.env,
  });
  expect(sql.stdout).not.toContain('0123456789');
  const reader = readerOf(folder.database);
  expect(reader.prepare('SELECT text FROM statement_lines').pluck().get()).toContain('0123456789');
});
