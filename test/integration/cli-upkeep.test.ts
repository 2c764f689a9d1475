import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { lockInstance } from '../../src/store/sqlite/engine/instance-lock.ts';
import { migrate, migrations } from '../../src/store/sqlite/engine/migrate.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { refund, START_MS, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
db.keepAndApply(refund('R1', 'pending'));
afterAll(() => db.remove());
const at = (name: string) => join(db.folder, name);
const run = (database: string, ...args: string[]) =>
  command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: at(database) } });

test('backup, then restore: refused without --yes and while in use, then done', async () => {
  const backup = await run('tallyhook.db', 'backup', 'backup.db', '--json');
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(backup.stdout)).toMatchObject({ file: at('backup.db'), events: 1 });
  expect(undocumentedFields(JSON.parse(backup.stdout), ['backup'])).toEqual([]);
  expect(await run('tallyhook.db', 'backup', 'backup.db')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/exists already\.\n.*--force/),
  });

  const planned = await run('tallyhook.db', 'restore', 'backup.db');
  expect(planned).toMatchObject({ code: 2, stderr: expect.stringMatching(/Nothing was done\.\n.*--yes/) });
  expect(planned.stdout).toMatch(/would be set aside as .*before-restore-\d{8}T\d{6}Z\n.*would be copied/);

  const lock = lockInstance(db.path, 'shared'); // as serve holds it
  expect(await run('tallyhook.db', 'restore', 'backup.db', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in use by another process\.\nStop `tallyhook serve`/),
  });
  lock.release();
  db.database.close(); // restore needs the file alone
  expect(readdirSync(db.folder).filter((name) => name.includes('before-restore'))).toEqual([]);

  const restored = await run('tallyhook.db', 'restore', 'backup.db', '--yes', '--json');
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const result = JSON.parse(restored.stdout);
  expect(result).toMatchObject({ done: true, events: 1 });
  expect(undocumentedFields(result, ['restore'])).toEqual([]);
  expect(existsSync(result.setAside)).toBe(true);
});

test('restore is refused on a machine of a cluster: the others would not have what it brings', async () => {
  const alone = openDatabase(at('cluster.db'), { create: true });
  migrate(alone, START_MS);
  alone.close();
  expect(await run('cluster.db', 'backup', 'of-cluster.db')).toMatchObject({ code: 0 });
  const node = openDatabase(at('cluster.db'));
  node.exec("UPDATE carried_out SET cluster = 'an installation'");
  node.close();
  expect(await run('cluster.db', 'restore', 'of-cluster.db', '--yes')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/is of a machine of a cluster; nothing was changed\.\n.*cluster rebuild/s),
  });
});

test('migrate brings an older database up to date; until then every other command names it', async () => {
  const older = openDatabase(at('older.db'), { create: true });
  migrate(older, START_MS, migrations().slice(0, 1));
  older.close();
  expect(await run('older.db', 'stats')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /has schema 1, made by Tallyhook [\d.]+; this is Tallyhook [\d.]+, which needs \d+\.\nRun: tallyhook migrate\n$/,
    ),
  });
  const migrated = JSON.parse((await run('older.db', 'migrate', '--json')).stdout);
  expect(migrated).toMatchObject({
    schemaVersion: migrations().length,
    applied: migrations()
      .slice(1)
      .map(({ version, name }) => ({ version, name })),
  });
  expect(undocumentedFields(migrated, ['migrate'])).toEqual([]);
  expect(await run('older.db', 'stats')).toMatchObject({ code: 0 });
});

writeFileSync(at('letter.db'), 'Dear database, '.repeat(300));
const stranger = new SQLite(at('stranger.db'));
stranger.exec('CREATE TABLE contacts (name TEXT)');
stranger.close();
const newer = openDatabase(at('newer.db'), { create: true });
migrate(newer, START_MS);
newer.exec(
  "INSERT INTO schema_migrations (version, name, checksum, applied_at, program) VALUES (99, 'later', 'x', 0, '9.8.7')",
);
newer.close();
test.each([
  ['no database', 'none.db', ['events', 'list'], /There is no database at/],
  ['a missing folder', 'nowhere/none.db', ['refunds', 'list'], /There is no database at/],
  ['a file that is no database', 'letter.db', ['findings'], /not a database/],
  ["another application's database", 'stranger.db', ['stats'], /not one of Tallyhook's/],
  [
    'a newer schema',
    'newer.db',
    ['sql', 'SELECT 1'],
    /has schema 99, made by Tallyhook 9\.8\.7; this is Tallyhook [\d.]+, which knows \d+/,
  ],
])('%s: one sentence, a hint, exit 2, no stack trace', async (_what, name, reading, message) => {
  for (const args of [reading, ['backup', 'other.db'], ['migrate']]) {
    const { code, stdout, stderr } = await run(name, ...args);
    expect({ args, code, stdout, stderr }).toEqual({
      args,
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(stderr.trim().split('\n')).toHaveLength(2);
  }
  expect(existsSync(at('other.db'))).toBe(false);
});
