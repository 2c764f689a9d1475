import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { joinLog } from '../../../../../src/store/sqlite/carry-out/join-log.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { Appender } from '../../../../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import { makeLog, offerLog, openLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import { examine } from '../../../../../src/store/sqlite/upkeep/examine.ts';
import { delivery } from '../../../../support/deliveries.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

// What doctor says of the log. Five entries were appended, two are deleted, the third is carried out.

let path: string;
let log: string;
beforeEach(() => {
  path = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  log = path.replace('.db', '.inbox.db');
  makeEmptyDatabase(path);
  const books = openDatabase(path);
  joinLog(books);
  books.exec('UPDATE carried_out SET seq = 3');
  books.close();
  const appender = new Appender(log, { backlogBytes: 2 ** 30, carriedOut: 0 });
  appender.append(Array.from({ length: 5 }, () => packEntry([delivery('{}'), delivery('{}')])));
  appender.carriedOut(2);
  while (appender.forget());
  appender.close();
});

function onBooks(work: (books: ReturnType<typeof openDatabase>) => unknown): void {
  const books = openDatabase(path);
  work(books);
  books.close();
}

const change = (sql: string) => {
  const writer = openLog(log);
  writer.exec(sql);
  writer.close();
};
const checks = () =>
  examine(path, { deep: false }).filter(({ name }) => /\blog\b/.test(name) && name !== 'write-ahead log');

test('a sound log: whose it is, how far it is carried out, and what waits', () => {
  expect(checks()).toMatchObject([
    { name: 'log', status: 'ok', detail: expect.stringMatching(/is of this database: entry 5, carried out up to 3/) },
    { name: 'file system of the log', status: 'ok' },
    { name: 'entries of the log', status: 'ok', detail: expect.stringMatching(/^4 deliveries wait/) },
  ]);
});

test.each<[string, () => void, RegExp, RegExp]>([
  ['is gone', () => rmSync(log), /is gone; it may hold/, /Is it lost for good: tallyhook events lost-log/],
  [
    'is of another installation',
    () => {
      rmSync(log);
      makeLog(log, 'another', 0);
    },
    /belongs to another database/,
    /Put the database of this log back/,
  ],
  [
    'is older than the books',
    () => onBooks((books) => books.exec('UPDATE carried_out SET seq = 9')),
    /is older than the database/,
    /Put the newer log back/,
  ],
  [
    'is newer than the books',
    () => onBooks((books) => books.exec('UPDATE carried_out SET seq = 1')),
    /is older than its log/,
    /tallyhook restore FILE/,
  ],
  [
    'lies on another disk',
    () => {
      const elsewhere = join(temporaryFolder(), 'elsewhere.db');
      copyFileSync(log, elsewhere);
      rmSync(log);
      symlinkSync(elsewhere, log);
    },
    /lies on another disk than the database/,
    /Put both into one folder/,
  ],
  [
    'lacks an entry',
    () => change('DELETE FROM entries WHERE seq = 4'),
    /entry 4 is missing before 5/,
    /put the whole log back/,
  ],
  [
    'is damaged in its structure',
    () => {
      const bytes = readFileSync(log);
      bytes.writeUInt32BE(5, 36); // the number of its free pages
      writeFileSync(log, bytes);
    },
    /freelist/i,
    /put the whole log back/,
  ],
  [
    'has an entry of other bytes',
    () => change("UPDATE entries SET bytes = CAST(bytes || x'00' AS BLOB) WHERE seq = 5"),
    /entry 5 cannot be read: its bytes do not match their digest/,
    /events list --aside/,
  ],
  [
    'belongs to books that know none',
    () => onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL')),
    /belongs to another database/,
    /or move the log away/,
  ],
  [
    'is there without its books',
    () => {
      for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
    },
    /is gone, and its log .* is still here/,
    /Put the database back beside its log/,
  ],
])('a log that %s is a failed check, with what to do', (_what, act, detail, hint) => {
  act();
  const failed = checks().filter(({ status }) => status === 'failed');
  expect(failed).toMatchObject([{ detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) }]);
});

test('a log that restore kept waits for the next start', () => {
  offerLog(log, true);
  onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL'));
  expect(checks()).toMatchObject([
    { name: 'log', status: 'ok', detail: expect.stringContaining('waits for the next start') },
  ]);
});

test('examining changes nothing of the log', () => {
  const before = readFileSync(log);
  checks();
  expect(readFileSync(log).equals(before)).toBe(true);
});
