import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUIET_MS } from '../../../../src/domain/statements/statement-intake.ts';
import { findFiles } from '../../../../src/reconcile/folder/find.ts';
import { type TakenFiles, takeStatements } from '../../../../src/reconcile/folder/take.ts';
import { tryFile } from '../../../../src/reconcile/folder/try.ts';
import { openArchive } from '../../../../src/store/sqlite/read/archive.ts';
import { FixedClock, START_MS } from '../../../support/fixed-clock.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { PROFILE, walletCsv } from '../../../support/statement-files.ts';
import { DropFolder, profileOf } from '../../../support/statements-folder.ts';
import { EXACT } from '../../../support/sweeping.ts';
import { TestDatabase } from '../../../support/test-database.ts';

// A real folder and a real database, by a clock that stands still.

const OLD_MS = START_MS - QUIET_MS;
const ONE = walletCsv([['C-1', 100]]);
const TWO = walletCsv([['C-2', 200]]);

let db: TestDatabase;
let drop: DropFolder;
let clock: FixedClock;
let operations: OpenOperations;
let begins: string[];
beforeEach(() => {
  db = new TestDatabase();
  drop = new DropFolder(join(db.folder, 'drop'));
  clock = new FixedClock();
  operations = openOperations(db.path, EXACT, clock);
  begins = [];
});
afterEach(async () => {
  await operations.close();
  db.remove();
});

async function entries() {
  const archive = openArchive(db.path, clock);
  try {
    return await archive.intake();
  } finally {
    await archive.close();
  }
}

const brief = async () =>
  Object.fromEntries((await entries()).map(({ path, outcome, statement }) => [path, statement ?? outcome]));
const reasonOf = async (path: string) => (await entries()).find((entry) => entry.path === path)?.reason;

async function take(signal = new AbortController().signal): Promise<TakenFiles> {
  const { intake, statements } = operations;
  const recorded: typeof statements = {
    ...statements,
    begin: (order) => {
      begins.push(order.file.name);
      return statements.begin(order);
    },
  };
  return takeStatements(drop.path, await entries(), {
    attempt: (file, profile, known) => tryFile(file, profile, known, { statements: recorded, signal }),
    intake,
    nowMs: () => clock.nowMs(),
    signal,
  });
}

test('a complete file is taken once, stays where it is, and is taken again when its content has changed', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  expect(await take()).toEqual({ taken: 1, unparsed: 0, unbalanced: 0, refused: 0, waiting: 0, stopped: false });
  expect(await take()).toMatchObject({ taken: 0 });
  drop.touch('wallet/a.csv', OLD_MS - 5_000);
  expect(await take()).toMatchObject({ taken: 0 });
  expect(begins).toEqual(['a.csv']);
  drop.put('wallet/a.csv', TWO, OLD_MS);
  expect(await take()).toMatchObject({ taken: 1 });
  expect(await brief()).toEqual({ 'wallet/a.csv': 2 });
});

test('the same file under two names is one statement, and one that was imported by hand is taken', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  drop.put('wallet/b.csv', ONE, OLD_MS);
  expect(await take()).toMatchObject({ taken: 1 });
  expect(await brief()).toEqual({ 'wallet/a.csv': 1, 'wallet/b.csv': 1 });
});

test('a file is left alone until it has been quiet for a minute, also one whose time is ahead of ours', async () => {
  drop.put('wallet/profile.yaml', PROFILE, START_MS + 5);
  drop.put('wallet/young.csv', ONE, OLD_MS + 1);
  drop.put('wallet/ahead.csv', TWO, START_MS + 3_600_000);
  expect(await take()).toMatchObject({ taken: 0, waiting: 2 });
  expect(await reasonOf('wallet/ahead.csv')).toBe('It changed less than a minute ago, so it may not be complete.');
  clock.ms += 1;
  expect(await take()).toMatchObject({ taken: 1, waiting: 1 });
  clock.ms += QUIET_MS - 2;
  expect(await take()).toMatchObject({ taken: 0, waiting: 1 });
  clock.ms += 1;
  expect(await take()).toMatchObject({ taken: 1, waiting: 0 });
});

test('a file that grows while it is read waits, and is whole at the next look', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  const { keep } = operations.statements;
  operations = {
    ...operations,
    statements: {
      ...operations.statements,
      keep: (rows) => {
        appendFileSync(join(drop.path, 'wallet/a.csv'), '2026-10-02,C-9,Collection,,1.00,1002.00\n');
        return keep(rows);
      },
    },
  };
  expect(await take()).toMatchObject({ taken: 0, waiting: 1 });
  expect(await reasonOf('wallet/a.csv')).toMatch(/a\.csv: .*(grows|changed)/);
  operations = { ...operations, statements: { ...operations.statements, keep } };
  drop.touch('wallet/a.csv', OLD_MS);
  expect(await take()).toMatchObject({ taken: 1, waiting: 0 });
  expect(db.database.prepare('SELECT count(*) FROM statement_lines').pluck().get()).toBe(2);
});

test('a refused file is tried again only when its content or its profile has changed', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', 'Nonsense\n1\n', OLD_MS);
  expect(await take()).toMatchObject({ taken: 0, refused: 1 });
  const [refused] = await entries();
  expect(refused).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^a\.csv, row 1.*"Nonsense"/) });
  clock.ms += 1_000;
  drop.touch('wallet/a.csv', OLD_MS - 5_000);
  expect(await take()).toMatchObject({ refused: 1 });
  expect(begins).toEqual(['a.csv']);
  expect(await entries()).toMatchObject([{ sinceMs: START_MS }]);
  // Two lines of another layout.
  drop.put('wallet/profile.yaml', PROFILE.replace('Date,', 'Day,'), OLD_MS);
  expect(await take()).toMatchObject({ refused: 1 });
  expect(begins).toEqual(['a.csv', 'a.csv']);
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  expect(await take()).toMatchObject({ taken: 1, refused: 0 });
});

test('names that stand for something else refuse a file, until what they stand for is removed', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  await take();
  drop.put('wallet/profile.yaml', `${PROFILE}# changed\n`, OLD_MS);
  drop.put('wallet/b.csv', TWO, OLD_MS);
  drop.put('bank/profile.yaml', profileOf('wallet-main', 'bank').replace('kind: wallet', 'kind: bank'), OLD_MS);
  drop.put('bank/c.csv', TWO, OLD_MS);
  expect(await take()).toMatchObject({ taken: 0, refused: 2 });
  expect(await reasonOf('wallet/b.csv')).toMatch(/another content of the profile "wallet-standard"/);
  expect(await reasonOf('bank/c.csv')).toMatch(/the account "wallet-main" is a bank account/);
  rmSync(join(drop.path, 'bank'), { recursive: true });
  while (!(await operations.statements.remove({ statement: 1 }))?.done);
  expect(await take()).toMatchObject({ taken: 1, refused: 0 });
  // What was removed is not taken again by itself.
  expect(await brief()).toEqual({ 'wallet/a.csv': 1, 'wallet/b.csv': 2 });
});

test('a file waits while another process imports into its account', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  const account = { name: 'wallet-main', kind: 'wallet', environment: 'test' } as const;
  const file = { name: 'other.csv', sha256: 'a'.repeat(64), bytes: 1 };
  const profile = { name: 'other', digest: 'b'.repeat(64), text: '' };
  const begun = await operations.statements.begin({ account, file, profile });
  if (begun.outcome !== 'begun') throw new Error(begun.outcome);
  expect(await take()).toMatchObject({ taken: 0, waiting: 1, refused: 0 });
  expect(await reasonOf('wallet/a.csv')).toMatch(/another process has been importing/);
  while (!(await operations.statements.abandon({ statement: begun.statement })).done);
  expect(await take()).toMatchObject({ taken: 1, waiting: 0 });
});

test('what does not belong there is refused by name; files of other programs are left alone', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  for (const name of ['.a.csv', 'a.csv.part', 'a.csv~', '~$a.xlsx', 'Thumbs.db', 'a.tmp', 'b.crdownload'])
    drop.put(`wallet/${name}`, ONE, OLD_MS);
  drop.put('wallet/2026/a.csv', ONE, OLD_MS);
  drop.put('loose.csv', ONE, OLD_MS);
  drop.put('none/a.csv', ONE, OLD_MS);
  drop.put('guess/profile.yaml', PROFILE.replace('NGN', '"confirm: NGN"').replace('csv', '"confirm: csv"'), OLD_MS);
  drop.put('guess/a.csv', ONE, OLD_MS);
  mkdirSync(join(drop.path, 'empty'));
  drop.put('../elsewhere/a.csv', ONE, OLD_MS);
  symlinkSync('../../elsewhere/a.csv', join(drop.path, 'wallet/link.csv'));
  symlinkSync('../elsewhere', join(drop.path, 'linked'));
  expect(await take()).toEqual({ taken: 0, unparsed: 0, unbalanced: 0, refused: 6, waiting: 2, stopped: false });
  expect((await entries()).map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
    ['guess/a.csv', 'waiting', 'guess/profile.yaml cannot be used.'],
    [
      'guess/profile.yaml',
      'refused',
      expect.stringMatching(/line 6, currency is "confirm: NGN".* line 7, file\.format/),
    ],
    ['linked', 'refused', 'It is a symbolic link, which may lead anywhere.'],
    ['loose.csv', 'refused', expect.stringMatching(/^It lies in no sub-folder/)],
    ['none/a.csv', 'waiting', 'none/profile.yaml cannot be used.'],
    ['none/profile.yaml', 'refused', expect.stringMatching(/^It is missing/)],
    ['wallet/2026', 'refused', expect.stringMatching(/^It is a folder/)],
    ['wallet/link.csv', 'refused', 'It is a symbolic link, which may lead anywhere.'],
  ]);
});

test('what was taken stays taken while its profile is missing, and is forgotten when it is moved away', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  await take();
  renameSync(join(drop.path, 'wallet/profile.yaml'), join(drop.path, 'profile.yaml.part'));
  expect(await take()).toMatchObject({ refused: 1, waiting: 0 });
  expect(await brief()).toEqual({ 'wallet/a.csv': 1, 'wallet/profile.yaml': 'refused' });
  rmSync(join(drop.path, 'wallet/a.csv'));
  expect(await take()).toMatchObject({ refused: 0 });
  expect(await brief()).toEqual({});
});

test('a folder that cannot be read, or that holds too many files, is an error, and nothing is forgotten', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  await take();
  drop.put('bank/b.csv', ONE, OLD_MS);
  await expect(findFiles(drop.path, 1)).rejects.toThrow('holds more than 1 files');
  rmSync(drop.path, { recursive: true });
  await expect(take()).rejects.toThrow(`The folder of statements ${drop.path} cannot be read: it does not exist.`);
  expect(await brief()).toEqual({ 'wallet/a.csv': 1 });
});

test('a stop in the middle leaves files for the next look, and nothing of the one that was read', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', ONE, OLD_MS);
  drop.put('wallet/b.csv', TWO, OLD_MS);
  const stop = new AbortController();
  const { keep } = operations.statements;
  const { statements } = operations;
  operations = {
    ...operations,
    statements: {
      ...statements,
      keep: (rows) => {
        if (begins.length === 2) stop.abort();
        return keep(rows);
      },
    },
  };
  expect(await take(stop.signal)).toMatchObject({ taken: 1, stopped: true });
  expect(await brief()).toEqual({ 'wallet/a.csv': 1 });
  operations = { ...operations, statements };
  expect(await take()).toMatchObject({ taken: 1, stopped: false });
  expect(db.database.prepare('SELECT reference FROM statement_lines ORDER BY id').pluck().all()).toEqual([
    'C-1',
    'C-2',
  ]);
});

test('rows that cannot be read, and files that do not add up, are counted', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/a.csv', `${ONE}2026-10-02,X-1,Bonus,,"1.234,56",0\n`, OLD_MS);
  drop.put('wallet/b.csv', `${TWO}2026-10-03,C-3,Collection,,1.00,5.00\n`, OLD_MS);
  expect(await take()).toMatchObject({ taken: 2, unparsed: 1, unbalanced: 1, refused: 0 });
  expect((await take()).unparsed).toBe(0);
});
