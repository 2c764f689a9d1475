import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Appender } from '../../../../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import { logFactsAt, logFileOf, makeLog, openLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import { entryReads } from '../../../../../src/store/sqlite/log/reader.ts';
import { delivery } from '../../../../support/deliveries.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const MEBIBYTE = 1024 * 1024;
let file: string;
let close: (() => void)[] = [];
beforeEach(() => {
  file = join(temporaryFolder({ inMemory: true }), 'tallyhook.inbox.db');
});
afterEach(() => {
  for (const one of close) one();
  close = [];
});

function open({ after = 0, carriedOut = 0, backlogBytes = 64 * MEBIBYTE } = {}): Appender {
  makeLog(file, 'one', after);
  const appender = new Appender(file, { backlogBytes, carriedOut });
  close.push(() => appender.close());
  return appender;
}

const entry = (body = '{}') => packEntry([delivery(body)]);

/** The numbers of the entries, read by a connection of its own. */
function seqs(): number[] {
  const reader = new SQLite(file, { readonly: true });
  const found = reader.prepare<[], number>('SELECT seq FROM entries ORDER BY seq').pluck().all();
  reader.close();
  return found;
}

test('the log lies beside its database', () => {
  expect(['/data/tallyhook.db', '/data/books', '/data/a.db/b.db'].map(logFileOf)).toEqual([
    '/data/tallyhook.inbox.db',
    '/data/books.inbox.db',
    '/data/a.db/b.inbox.db',
  ]);
});

test('a commit syncs: the connection has a write-ahead log and synchronous = FULL', () => {
  open();
  const log = openLog(file);
  expect([log.pragma('journal_mode', { simple: true }), log.pragma('synchronous', { simple: true })]).toEqual([
    'wal',
    2,
  ]);
  log.close();
});

test('entries go on where the database is, and are read on in their order', () => {
  const appender = open({ after: 41 });
  appender.append([entry('a'), entry('b')]);
  appender.append([entry('c')]);
  expect(seqs()).toEqual([42, 43, 44]);
  const log = openLog(file, { readonly: true });
  const { next, last, waiting } = entryReads(log);
  expect(next(42, 1, MEBIBYTE).map(({ seq }) => seq)).toEqual([43]);
  expect(next(41, 99, MEBIBYTE).map(({ seq }) => seq)).toEqual([42, 43, 44]);
  expect([last(), waiting(42).deliveries, waiting(44)]).toEqual([44, 2, { deliveries: 0, sinceMs: null }]);
  log.close();
});

test('an entry is deleted only once it is carried out, and its number never comes again', () => {
  const appender = open();
  appender.append([entry(), entry(), entry()]);
  expect(appender.forget()).toBe(false);
  expect(seqs()).toEqual([1, 2, 3]);
  appender.carriedOut(2);
  appender.append([entry()]);
  expect(seqs()).toEqual([3, 4]);
  appender.carriedOut(4);
  while (appender.forget());
  expect(seqs()).toEqual([]);
  appender.append([entry()]);
  expect(seqs()).toEqual([5]);
  expect(logFactsAt(file)).toMatchObject({
    installation: 'one',
    last: 5,
    forgotten: 4,
    isUnused: false,
    isOffered: false,
  });
});

test('deleting goes in steps', () => {
  const appender = open();
  appender.append(Array.from({ length: 100 }, () => entry()));
  appender.carriedOut(90);
  appender.forget();
  expect(seqs().length).toBeGreaterThan(50);
  while (appender.forget());
  expect(seqs()).toEqual(Array.from({ length: 10 }, (_, n) => 91 + n));
});

test('an entry at or below what was carried out is refused, and nothing is appended', () => {
  const appender = open({ after: 3, carriedOut: 5 });
  expect(() => appender.append([entry()])).toThrow(/goes on at entry 4; the database has carried out 5/);
  expect(seqs()).toEqual([]);
});

test('beyond its bytes the log refuses; once entries are carried out it goes on', () => {
  const appender = open({ backlogBytes: MEBIBYTE });
  const large = 'x'.repeat(300_000);
  const refused = () => {
    for (let n = 0; n < 9; n++) appender.append([entry(large)]);
  };
  expect(refused).toThrow(/receiver\.backlogBytes is 1048576/);
  const kept = seqs().length;
  expect(kept).toBeGreaterThan(2);
  appender.carriedOut(kept);
  while (appender.forget());
  appender.append([entry(large)]);
  expect(seqs()).toEqual([kept + 1]);
});

test('an empty log gives its space back, and no byte of what was deleted is left', () => {
  const appender = open();
  appender.append(Array.from({ length: 20 }, () => entry(`secret ${'x'.repeat(300_000)}`)));
  appender.carriedOut(20);
  while (appender.forget());
  appender.shrink();
  const log = new SQLite(file, { readonly: true });
  expect(log.pragma('page_count', { simple: true })).toBeLessThan(10);
  log.close();
  expect(logFactsAt(file)?.last).toBe(20);
});

test.each(['', '-wal'])('a log whose file (…%s) is deleted or replaced acknowledges nothing', (part) => {
  const appender = open();
  appender.append([entry()]);
  if (part === '') renameSync(file, `${file}.moved`);
  else rmSync(file + part);
  expect(() => appender.append([entry()])).toThrow(/was deleted or moved while the database is open/);
  close = [];
});

test('the making of a log that was cut off is no log', () => {
  new SQLite(file).close();
  expect(logFactsAt(file)).toBeNull();
  makeLog(file, 'two', 7);
  expect(logFactsAt(file)).toMatchObject({ installation: 'two', last: 7, forgotten: 7, isUnused: true });
});
