import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { hasLog, joinLog } from '../../../../../src/store/sqlite/carry-out/join-log.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { Appender } from '../../../../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import { expectBooksOfLog, expectKnown, knownLog } from '../../../../../src/store/sqlite/log/known-log.ts';
import { logFactsAt, makeLog, offerLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import { delivery } from '../../../../support/deliveries.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

let path: string;
let log: string;
beforeEach(() => {
  path = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  log = path.replace('.db', '.inbox.db');
  makeEmptyDatabase(path);
});

function joined(): string {
  return onBooks((books) => joinLog(books));
}

function onBooks<Result>(work: (books: ReturnType<typeof openDatabase>) => Result): Result {
  const books = openDatabase(path);
  try {
    return work(books);
  } finally {
    books.close();
  }
}

/** Appends so many entries; the books have carried out so many. */
function fill({
  appended,
  carriedOut,
  forgotten = 0,
}: {
  appended: number;
  carriedOut: number;
  forgotten?: number;
}): void {
  joined();
  const appender = new Appender(log, { backlogBytes: 2 ** 30, carriedOut: 0 });
  appender.append(Array.from({ length: appended }, () => packEntry([delivery('{}')])));
  appender.carriedOut(forgotten);
  while (appender.forget());
  appender.close();
  onBooks((books) => books.prepare('UPDATE carried_out SET seq = ?').run(carriedOut));
}

const known = () => onBooks((books) => books.prepare('SELECT installation, seq FROM carried_out').get());

test('books that never had a log get one, and know it from then on', () => {
  expect(onBooks(hasLog)).toBe(false);
  expect(joined()).toBe(log);
  const { installation } = logFactsAt(log) ?? {};
  expect(installation).toMatch(/^[0-9a-f]{32}$/);
  expect(known()).toEqual({ installation, seq: 0 });
  expect([joined(), logFactsAt(log)?.installation, onBooks(hasLog)]).toEqual([log, installation, true]);
});

test('a log that was made before a crash, and never used, is taken', () => {
  makeLog(log, 'made before the crash', 0);
  joined();
  expect(known()).toEqual({ installation: 'made before the crash', seq: 0 });
});

test('the log of restored books goes on behind what those had carried out', () => {
  onBooks((books) => books.exec('UPDATE carried_out SET seq = 7'));
  joined();
  expect(logFactsAt(log)).toMatchObject({ last: 7, forgotten: 7 });
});

test('a log that restore offers is taken by books that know none, with what it holds; once', () => {
  fill({ appended: 5, carriedOut: 4, forgotten: 2 });
  offerLog(log, true);
  onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL, seq = 1'));
  joined();
  expect(known()).toEqual({ installation: logFactsAt(log)?.installation, seq: 2 });
  expect(logFactsAt(log)?.isOffered).toBe(false);
});

test('books that carried out more than a log has forgotten never count backwards: its entries get the numbers behind theirs', () => {
  fill({ appended: 5, carriedOut: 4, forgotten: 2 });
  offerLog(log, true);
  onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL, seq = 9'));
  joined();
  expect(known()).toMatchObject({ seq: 9 });
  expect(logFactsAt(log)).toMatchObject({ forgotten: 9, last: 12, isUnused: false });
});

test('a crash between the two commits of taking an offered log leaves it to the next start', () => {
  fill({ appended: 5, carriedOut: 4, forgotten: 2 });
  offerLog(log, true);
  onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL, seq = 1'));
  onBooks((books) => {
    // The commit of the books fails, after everything of its transaction was done.
    books.exec(`
      CREATE TABLE child (id INTEGER UNIQUE, parent INTEGER REFERENCES child (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TEMP TRIGGER crash AFTER UPDATE ON main.carried_out BEGIN INSERT INTO child (parent) VALUES (1); END`);
    expect(() => joinLog(books)).toThrow('FOREIGN KEY');
    expect(hasLog(books)).toBe(true); // so commands do not go on without its deliveries
  });
  joined();
  expect([known(), logFactsAt(log)?.isOffered]).toEqual([
    { installation: logFactsAt(log)?.installation, seq: 2 },
    false,
  ]);
  offerLog(log, true); // the other half of that crash: the books know the log
  joined();
  expect(logFactsAt(log)?.isOffered).toBe(false);
});

test('beside the rest of a log that was moved away none is made, and that rest is named', () => {
  writeFileSync(`${log}-wal`, 'the last entries');
  const refused = { fault: 'wrong_log', message: expect.stringMatching(/is gone, and .*inbox\.db-wal is still here/) };
  expect(() => joined()).toThrow(expect.objectContaining(refused));
  expect(existsSync(log)).toBe(false);
});

test.each<[string, () => void, RegExp, RegExp]>([
  ['is gone', () => rmSync(log), /is gone; it may hold deliveries that were acknowledged/, /Put it back beside/],
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
    'is an older copy',
    () => onBooks((books) => books.exec('UPDATE carried_out SET seq = 9')),
    /is older than the database .*: it ends at entry 5, and the database has carried out 9/,
    /Put the newer log back/,
  ],
  [
    'is newer than the books',
    () => onBooks((books) => books.exec('UPDATE carried_out SET seq = 1')),
    /is older than its log .*: it has carried out 1 entries, and the log begins behind 2/,
    /tallyhook restore FILE/,
  ],
  [
    'belongs to books that know no log',
    () => onBooks((books) => books.exec('UPDATE carried_out SET installation = NULL')),
    /belongs to another database/,
    /Only to begin anew, move the log away/,
  ],
])('a log that %s is refused, with what to do', (_what, change, message, hint) => {
  fill({ appended: 5, carriedOut: 4, forgotten: 2 });
  change();
  const refused = expect.objectContaining({
    fault: 'wrong_log',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
  expect(() => joined()).toThrow(refused);
});

test.each<[string, (good: Buffer) => void, RegExp]>([
  [
    'other bytes',
    (good) => writeFileSync(log, randomBytes(good.length)),
    /tallyhook\.inbox\.db is no log; it may hold/,
  ],
  [
    'a part of it',
    (good) => writeFileSync(log, good.subarray(0, 6_000)),
    /tallyhook\.inbox\.db is damaged; it may hold/,
  ],
  ['a folder', () => mkdirSync(log), /tallyhook\.inbox\.db is no file; it may hold/],
  ['an empty file', () => writeFileSync(log, ''), /tallyhook\.inbox\.db of the database .* is gone; it may hold/],
])('of %s in the place of the log is said that it is lost, and what to do', (_what, put, message) => {
  fill({ appended: 5, carriedOut: 4, forgotten: 2 });
  const good = readFileSync(log);
  rmSync(log);
  put(good);
  expect(() => joined()).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/ut .* back.*: tallyhook events lost-log$/),
      fatal: true,
    }),
  );
});

test('a log on another disk than the books is refused', () => {
  joined();
  const elsewhere = join(temporaryFolder(), 'elsewhere.db');
  copyFileSync(log, elsewhere);
  renameSync(log, `${log}.away`);
  symlinkSync(elsewhere, log);
  expect(() => joined()).toThrow(/lies on another disk than the database/);
});

test('where the database is gone and its log is here, none is made', () => {
  fill({ appended: 1, carriedOut: 0 });
  expect(() => expectBooksOfLog(path)).not.toThrow();
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  expect(() => expectBooksOfLog(path)).toThrow(/is gone, and its log .* is still here/);
  expect(existsSync(path)).toBe(false);
});

test.each(['before', 'after'])('books that other processes move on %s they are read fit their log', (when) => {
  fill({ appended: 5, carriedOut: 3 });
  const books = openDatabase(path);
  const appender = new Appender(log, { backlogBytes: 2 ** 30, carriedOut: 3 });
  const read = knownLog(books);
  const moveOn = () => {
    appender.append([packEntry([delivery('{}')])]);
    books.exec('UPDATE carried_out SET seq = seq + 3');
    appender.carriedOut(read().seq);
    while (appender.forget());
  };
  const known = () => {
    if (when === 'before') moveOn();
    const seen = read();
    if (when === 'after') moveOn();
    return seen;
  };
  expect(() => expectKnown(known, { file: log, books: path })).not.toThrow();
  appender.close();
  books.close();
});

/** The log as kill -9 leaves it: three entries came after the latest move of its write-ahead log. */
function killed(between: (appender: Appender) => void = () => {}): void {
  joined();
  const appender = new Appender(log, { backlogBytes: 2 ** 30, carriedOut: 0 });
  between(appender);
  appender.append([1, 2, 3].map(() => packEntry([delivery('{}')])));
  const parts = ['', '-wal'].map((part) => [log + part, readFileSync(log + part)] as const);
  appender.close();
  for (const [name, bytes] of parts) writeFileSync(name, bytes);
}

const cut = {
  fault: 'wrong_log',
  message: expect.stringContaining('-wal is gone, empty or damaged after an unclean end'),
};
const WAYS_TO_CUT: [string, () => void][] = [
  ['removed', () => rmSync(`${log}-wal`)],
  ['emptied', () => writeFileSync(`${log}-wal`, '')],
  ['overwritten', () => writeFileSync(`${log}-wal`, randomBytes(40_000))],
];

test.each(WAYS_TO_CUT)('a log whose -wal is %s after kill -9 is refused, until it is there again', (_how, lose) => {
  killed();
  const good = readFileSync(`${log}-wal`);
  lose();
  for (let start = 0; start < 2; start++) expect(() => joined()).toThrow(expect.objectContaining(cut));
  writeFileSync(`${log}-wal`, good);
  joined();
  expect(logFactsAt(log)).toMatchObject({ last: 3, isCut: false });
});

test('a -wal that another program moved into its log, as a reader that is the last one does, is not missed', () => {
  killed();
  new SQLite(log).exec('SELECT 1 FROM entries').close();
  expect(existsSync(`${log}-wal`)).toBe(false);
  joined();
  expect(logFactsAt(log)).toMatchObject({ last: 3, isCut: false });
});

test('a log that another program closed stays guarded for the one that goes on', () => {
  killed((appender) => {
    new Appender(log, { backlogBytes: 2 ** 30, carriedOut: 0 }).close();
    appender.renewSeal(); // as in each second
  });
  rmSync(`${log}-wal`);
  expect(() => joined()).toThrow(expect.objectContaining(cut));
});
