import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import type { Archive } from '../../../../../src/store/archive.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { lockInstance } from '../../../../../src/store/sqlite/engine/instance-lock.ts';
import { migrations } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { backUp } from '../../../../../src/store/sqlite/upkeep/backup.ts';
import { planRestore, restore } from '../../../../../src/store/sqlite/upkeep/restore.ts';
import { refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';
import { allBodies } from '../../../../support/walking.ts';

const made: TestDatabase[] = [];
const database = (...references: string[]): TestDatabase => {
  const db = new TestDatabase();
  made.push(db);
  if (references.length > 0) db.keepAndApply(...references.map((reference) => refund(reference, 'pending')));
  return db;
};
afterEach(() => {
  for (const db of made.splice(0)) db.remove();
});

const everything = async (path: string): Promise<unknown> => {
  const archive: Archive = openArchive(path);
  const page = { limit: 10_000, order: 'oldest' } as const;
  const [events, records] = [await allBodies(archive), await archive.records('refund', {}, page)];
  await archive.close();
  return { events, records };
};
const references = (path: string): string[] => {
  const db = openDatabase(path, { readonly: true });
  const found = db.prepare<[], string>('SELECT reference FROM events ORDER BY id').pluck().all();
  db.close();
  return found;
};

test('a backup is complete, private, checked, and leaves nothing beside it', async () => {
  const db = database('R1', 'R2');
  const file = join(db.folder, 'backup.db');
  expect(backUp(db.path, file, { force: false })).toEqual({
    file,
    bytes: statSync(file).size,
    events: 2,
    schemaVersion: migrations().length,
    lastReceivedAtMs: START_MS,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(db.folder).filter((name) => name.includes('backup'))).toEqual(['backup.db']);
  expect(await everything(file)).toEqual(await everything(db.path));
});

test('an existing file is kept, unless it is to be replaced', () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  writeFileSync(file, 'precious');
  expect(() => backUp(db.path, file, { force: false })).toThrow(/exists already/);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect(backUp(db.path, file, { force: true }).events).toBe(1);
});

test.each([
  ['the database itself', (db: TestDatabase) => db.path, /is the database itself/],
  ['its write-ahead log', (db: TestDatabase) => `${db.path}-wal`, /is the database itself/],
  ['its log', (db: TestDatabase) => db.path.replace('.db', '.inbox.db'), /is the log of the database/],
  ['a part of its log', (db: TestDatabase) => db.path.replace('.db', '.inbox.db-wal'), /is the log of the database/],
  ['a folder', (db: TestDatabase) => db.folder, /is not a file/],
  ['a missing folder', (db: TestDatabase) => join(db.folder, 'no', 'b.db'), /folder does not exist/],
])('a backup is refused as %s', (_what, target, message) => {
  const db = database('R1');
  expect(() => backUp(db.path, target(db), { force: true })).toThrow(message);
  expect(references(db.path)).toEqual(['R1']);
});

test('restore puts the backup in place and sets the database aside, log and all', async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  const wanted = await everything(db.path);
  db.keepAndApply(refund('R2', 'pending'));
  const later = await everything(db.path);
  db.database.close();
  const { setAside } = await restore(db.path, file, { nowMs: START_MS });
  expect(setAside).toBe(`${db.path}.before-restore-20261120T100000Z`);
  expect(await everything(db.path)).toEqual(wanted);
  expect(await everything(setAside ?? '')).toEqual(later);
  expect(statSync(db.path).mode & 0o777).toBe(0o600);
  expect(readdirSync(db.folder).filter((name) => name.includes('restoring'))).toEqual([]);
  const restored = openDatabase(db.path);
  expect(restored.pragma('quick_check', { simple: true })).toBe('ok');
  restored.close();
});

/** Per table that knows processes, how many of its rows name one or are leased by one. */
function processesOf(path: string): Record<string, number> {
  const file = openDatabase(path, { readonly: true });
  const columns = file
    .prepare<[], { table: string; column: string }>(`
      SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.name IN ('pid', 'leased_until') ORDER BY t.name, c.name`)
    .all();
  const tables = Map.groupBy(columns, ({ table }) => table);
  const counts = [...tables].map(([table, own]) => {
    const held = own.map(({ column }) => `coalesce(${column}, 0) <> 0`).join(' OR ');
    return [table, file.prepare(`SELECT count(*) FROM ${table} WHERE ${held}`).pluck().get()] as const;
  });
  const running = file.prepare<[], number>('SELECT count(*) FROM job_runs WHERE outcome IS NULL').pluck().get() ?? 0;
  file.close();
  return { ...Object.fromEntries(counts), running };
}

test('a copy knows no process of the original: no receiver, no run under way, no lease; restored where no database is', async () => {
  const db = database('R1');
  db.database.pragma('foreign_keys = OFF'); // the leases alone matter here
  db.database.exec(`
    INSERT INTO receivers (holder, machine, pid, started_at, seen_at) VALUES ('serve', 'm', 24645, 1, 1);
    INSERT INTO jobs (name, run, leased_until) VALUES ('backup', 1, 9e12);
    INSERT INTO job_runs (run, job, cause, holder, started_at, machine, pid) VALUES (1, 'backup', 'schedule', 'serve', 1, 'm', 24645);
    INSERT INTO checks (kind, record_id, counter, started_at, attempts, leased_until) VALUES ('refund', 1, 1, 1, 1, 9e12);
    INSERT INTO accounts (name, kind, environment, importing, leased_until, machine, pid)
    VALUES ('a', 'bank', 'test', 1, 9e12, 'm', 24645);
    INSERT INTO reconciliation_runs
      (from_day, to_day, zone, cut_off_minutes, as_at, what, rules_digest, begun_at, leased_until, machine, pid, first_match,
       first_break)
    VALUES ('2026-10-01', '2026-10-31', 'UTC', 0, 1, '', 'r', 1, 9e12, 'm', 24645, 1, 1);
    INSERT INTO outbox (webhook_id, target, environment, kind, reference, replay, type, state, is_first, created_at, due_at, leased_until)
    VALUES ('msg_1', 'shop', 'test', 'refund', 'R1', 0, 'refund.pending', 'waiting', 1, 1, 9e12, 9e12);
    INSERT INTO alert_notices (alert_id, channel, change, state, made_at, due_at, leased_until)
    VALUES (1, 'log', 'opened', 'waiting', 1, 1, 9e12);
    INSERT INTO exception_sheet_imports (digest, leased_until, machine, pid) VALUES ('d', 9e12, 'm', 24645)`);
  const there = processesOf(db.path);
  expect(Object.entries(there).filter(([, count]) => count !== 1)).toEqual([]); // a new such table needs a row here
  const none = Object.fromEntries(Object.keys(there).map((table) => [table, 0]));

  const backup = join(db.folder, 'backup.db');
  backUp(db.path, backup, { force: false });
  expect(processesOf(backup)).toEqual(none);
  expect(processesOf(db.path)).toEqual(there);

  // As a version before this one made it.
  const older = join(db.folder, 'older.db');
  db.database.prepare('VACUUM INTO ?').run(older);
  expect(processesOf(older)).toEqual(there);
  const rehearsal = join(db.folder, 'rehearsal', 'tallyhook.db');
  mkdirSync(dirname(rehearsal));
  expect((await restore(rehearsal, older, { nowMs: START_MS })).setAside).toBeNull();
  expect(processesOf(rehearsal)).toEqual(none);
  expect(await everything(rehearsal)).toEqual(await everything(db.path));
  const archive = openArchive(rehearsal);
  const { receivers, jobs } = await archive.systemState({ stuckBeforeMs: 0 });
  expect([receivers, jobs.map(({ held, last }) => ({ held, last }))]).toEqual([[], [{ held: null, last: null }]]);
  await archive.close();
});

const SERVICE = 12_345; // any user but this one
const factsOf = (file: string) => {
  const { uid, gid, mode } = statSync(file);
  return { uid, gid, mode: (mode & 0o777).toString(8) };
};

test('a database that root restores has the owner and mode of the one it replaces, and so has its lock', {
  tags: ['root'],
}, async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  db.database.close();
  rmSync(`${db.path}.lock`, { force: true });
  chownSync(db.path, SERVICE, SERVICE);
  chmodSync(db.path, 0o640);
  await restore(db.path, file, { nowMs: START_MS });
  expect(factsOf(db.path)).toEqual({ uid: SERVICE, gid: SERVICE, mode: '640' });
  expect(factsOf(`${db.path}.lock`)).toMatchObject({ uid: SERVICE, gid: SERVICE });
});

test('where there is no database, root restores it for the owner of the folder', { tags: ['root'] }, async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  const elsewhere = join(db.folder, 'elsewhere');
  mkdirSync(elsewhere);
  chownSync(elsewhere, SERVICE, SERVICE);
  const path = join(elsewhere, 'tallyhook.db');
  await restore(path, file, { nowMs: START_MS });
  expect(factsOf(path)).toEqual({ uid: SERVICE, gid: SERVICE, mode: '600' });
  expect(factsOf(`${path}.lock`)).toMatchObject({ uid: SERVICE });
});

test('a damaged database can be replaced, and two restores within a second keep what each replaced', async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  db.database.close();
  const aside: (string | null)[] = [];
  for (const contents of ['one', 'two']) {
    writeFileSync(db.path, contents);
    aside.push((await restore(db.path, file, { nowMs: START_MS })).setAside);
    expect(references(db.path)).toEqual(['R1']);
  }
  const name = `${db.path}.before-restore-20261120T100000Z`;
  expect(aside).toEqual([name, `${name}-2`]);
  expect(aside.map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['one', 'two']);
});

const damagedCopy = (db: TestDatabase): string => {
  const file = join(db.folder, 'damaged.db');
  backUp(db.path, file, { force: false });
  const bytes = readFileSync(file);
  for (let page = 2; page * 4096 < bytes.length; page++) bytes.fill(0xff, page * 4096, page * 4096 + 64);
  writeFileSync(file, bytes);
  return file;
};
const letter = (db: TestDatabase): string => {
  const file = join(db.folder, 'letter.db');
  writeFileSync(file, 'not a database at all '.repeat(50));
  return file;
};
const strangers = (db: TestDatabase): string => {
  const file = join(db.folder, 'stranger.db');
  const stranger = new SQLite(file);
  stranger.exec('CREATE TABLE contacts (name TEXT)');
  stranger.close();
  return file;
};
const newer = (db: TestDatabase): string => {
  const file = join(db.folder, 'newer.db');
  backUp(db.path, file, { force: false });
  const copy = openDatabase(file);
  copy.exec(
    "INSERT INTO schema_migrations (version, name, checksum, applied_at, program) VALUES (99, 'later', 'x', 0, '9.8.7')",
  );
  copy.close();
  return file;
};

const foreignSchema = (db: TestDatabase): string => {
  const file = join(db.folder, 'other-schema.db');
  backUp(db.path, file, { force: false });
  const copy = openDatabase(file);
  copy.exec("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1");
  copy.close();
  return file;
};

const refusal = (fault: string, message: RegExp, hint: RegExp) => ({
  fault,
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

test.each<[string, (db: TestDatabase) => string, Record<'fault' | 'message' | 'hint', unknown>]>([
  [
    'of another program version with its own first migration',
    foreignSchema,
    refusal('other', /is not the one of this Tallyhook/, /./),
  ],
  [
    'no file',
    (db) => join(db.folder, 'none.db'),
    refusal('no_database', /^There is no backup at .*none\.db; nothing was changed\.$/, /backupFolder/),
  ],
  [
    'a letter',
    letter,
    refusal('no_database', /letter\.db is no backup of Tallyhook; nothing was changed\.$/, /`tallyhook backup`/),
  ],
  [
    "another application's",
    strangers,
    refusal('no_database', /stranger\.db is no backup of Tallyhook; nothing was changed\.$/, /`tallyhook backup`/),
  ],
  [
    'damaged',
    damagedCopy,
    refusal('corrupt', /^The backup .*damaged\.db is damaged; nothing was changed\.$/, /^Use another backup/),
  ],
  ['of a newer schema', newer, refusal('newer_schema', /./, /./)],
])('a backup that is %s is refused and spoken of as a backup, and nothing is made or changed', async (...row) => {
  const [, backupOf, refused] = row;
  const db = database('R1');
  const backup = backupOf(db);
  rmSync(`${db.path}.lock`, { force: true });
  const files = () => readdirSync(db.folder).filter((name) => !/-(?:shm|wal)$/.test(name)); // of a sound backup that was read
  const before = files();
  await expect(restore(db.path, backup, { nowMs: START_MS })).rejects.toMatchObject(refused);
  expect(files()).toEqual(before);
  expect(references(db.path)).toEqual(['R1']);
});

test('neither a plan nor a restore takes the database itself for a backup', async () => {
  const db = database('R1');
  for (const attempt of [planRestore, restore])
    await expect(attempt(db.path, db.path, { nowMs: START_MS })).rejects.toThrow(/is the database itself/);
  expect(references(db.path)).toEqual(['R1']);
});

test('a damaged log refuses a restore; discarded, it is kept beside the present database', async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  db.keepAndApply(refund('R2', 'pending'));
  db.database.close();
  const log = db.path.replace('.db', '.inbox.db');
  writeFileSync(log, 'no log at all '.repeat(50));
  await expect(restore(db.path, file, { nowMs: START_MS })).rejects.toThrow(
    expect.objectContaining({ fault: 'corrupt', hint: expect.stringMatching(/--discard-log/) }),
  );
  expect(references(db.path)).toEqual(['R1', 'R2']);
  const done = await restore(db.path, file, { nowMs: START_MS, discardLog: true });
  expect(done.log).toEqual({ deliveries: null, discarded: true, missing: null, carriedFrom: null });
  expect([references(db.path), existsSync(log)]).toEqual([['R1'], false]);
  expect(readFileSync(`${done.setAside}.inbox.db`, 'utf8')).toMatch(/^no log at all/);
});

test('restore is refused while another process holds the database, and changes nothing', async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  const lock = lockInstance(db.path, 'shared');
  await expect(restore(db.path, file, { nowMs: START_MS })).rejects.toThrow(
    expect.objectContaining({ fault: 'locked', hint: 'Stop `tallyhook serve`, then try again.' }),
  );
  lock.release();
  // Without the lock file the engine's own locks still show that it is open.
  rmSync(`${db.path}.lock`);
  await expect(restore(db.path, file, { nowMs: START_MS })).rejects.toThrow(
    expect.objectContaining({ fault: 'locked' }),
  );
  expect(existsSync(`${db.path}.before-restore-20261120T100000Z`)).toBe(false);
});

test("restore never replaces another application's database", async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  const victim = strangers(db);
  const before = readFileSync(victim);
  await expect(restore(victim, file, { nowMs: START_MS })).rejects.toThrow(/not one of Tallyhook's/);
  expect(readFileSync(victim)).toEqual(before);
});

test('a restore that fails in the middle leaves the database and the log as they were', async () => {
  const db = database('R1');
  const file = join(db.folder, 'backup.db');
  backUp(db.path, file, { force: false });
  db.database.close();
  writeFileSync(db.path, 'ruined'); // a damaged database is set aside with its log
  writeFileSync(`${db.path}-wal`, 'its log');
  const log = db.path.replace('.db', '.inbox.db');
  writeFileSync(log, 'the log of deliveries');
  // A folder where the log would be set aside: giving the second names fails half-way.
  mkdirSync(`${db.path}.before-restore-20261120T100000Z-wal`);
  await expect(restore(db.path, file, { nowMs: START_MS, discardLog: true })).rejects.toThrow(/it is as it was/);
  const left = [db.path, `${db.path}-wal`, log].map((one) => readFileSync(one, 'utf8'));
  expect(left).toEqual(['ruined', 'its log', 'the log of deliveries']);
  const beside = readdirSync(dirname(db.path)).filter((name) => /restoring|before-restore/.test(name));
  expect(beside).toEqual(['tallyhook.db.before-restore-20261120T100000Z-wal']);
});
