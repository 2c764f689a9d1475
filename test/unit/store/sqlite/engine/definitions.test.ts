import { rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../../../../src/package-root.ts';
import { openStore } from '../../../../../src/store/open.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import {
  definitionsDigest,
  definitionsOf,
  expectDefinitions,
} from '../../../../../src/store/sqlite/engine/definitions.ts';
import { type Migration, migrate } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
const made: TestDatabase[] = [];
beforeEach(() => {
  db = new TestDatabase();
  made.push(db);
});
afterAll(() => {
  for (const each of made) each.remove();
});

const TRIGGER = 'CREATE TRIGGER keep_nothing AFTER INSERT ON events BEGIN DELETE FROM events WHERE id = NEW.id; END';

test.each([
  ['a trigger', TRIGGER, 'trigger keep_nothing on events'],
  ['a view', 'CREATE VIEW paid AS SELECT * FROM refunds', 'view paid'],
  ['an index', 'CREATE UNIQUE INDEX once ON refunds (amount_minor)', 'index once on refunds'],
  ['a table', 'CREATE TABLE notes (text)', 'table notes'],
  ['a column', 'ALTER TABLE events ADD COLUMN seen INTEGER', 'table events is changed'],
  ['an index taken out', 'DROP INDEX refunds_due', 'index refunds_due is missing'],
  ['a view of ours changed', 'DROP VIEW runs; CREATE VIEW runs AS SELECT 1', 'view runs is changed'],
])('%s that the migrations did not make is refused by name', (_what, sql, named) => {
  db.database.exec(sql);
  expect(definitionsOf(db.database).faults).toEqual([named]);
  expect(() => expectDefinitions(db.database)).toThrow(`is not as Tallyhook made it: ${named}.`);
});

test('the newest schema is known by its digest: `npx vitest run engine/definitions -u` writes it with a new migration', async () => {
  const file = packageFile('migrations', 'sqlite', 'DEFINITIONS_SHA256');
  await expect(`${definitionsDigest(db.database)}\n`).toMatchFileSnapshot(file);
});

test('a database as the migrations made it is fit, with statistics of the engine, too, and at an older schema', () => {
  db.database.exec('ANALYZE');
  expect(definitionsOf(db.database).faults).toEqual([]);
  const step = (version: number, sql: string): Migration => ({ version, name: `step${version}`, sql, checksum: sql });
  const [first, second] = [
    step(1, 'CREATE TABLE a (x INTEGER PRIMARY KEY)'),
    step(2, 'CREATE TABLE b (x INTEGER PRIMARY KEY)'),
  ];
  const older = openDatabase(join(db.folder, 'older.db'), { create: true });
  migrate(older, 0, [first]);
  expect(() => expectDefinitions(older, [first, second])).not.toThrow();
  older.exec('CREATE TABLE b (x INTEGER PRIMARY KEY)');
  expect(() => expectDefinitions(older, [first, second])).toThrow('table b');
  older.close();
});

test('no start, no migration and no restore takes a database with a foreign trigger; it can be taken out again', async () => {
  const backup = join(db.folder, 'backup.db');
  db.database.exec(TRIGGER);
  db.database.close();
  const store = openStore(db.path);
  const refused = { fault: 'changed_schema', message: expect.stringContaining('trigger keep_nothing on events') };
  await expect(store.inbox({ limit: 10, onFatal: () => {} })).rejects.toMatchObject(refused);
  await expect(store.upkeep.migrate()).rejects.toMatchObject(refused);
  await store.upkeep.backUp(backup, { force: false }); // what there is can always be saved
  rmSync(db.path);
  await expect(store.upkeep.restore(backup)).rejects.toMatchObject({
    fault: 'changed_schema',
    message: `The backup ${backup} is not as Tallyhook made it: trigger keep_nothing on events; nothing was changed.`,
  });
  const other = new SQLite(backup); // without our function of sums
  other.exec('DROP TRIGGER keep_nothing');
  other.close();
  expect(await store.upkeep.restore(backup)).toMatchObject({ database: db.path });
  const inbox = await store.inbox({ limit: 10, onFatal: () => {} });
  await inbox.close();
});
