import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { afterAll, afterEach, expect, test } from 'vitest';
import { packageFile, packageVersion } from '../../src/package-root.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { type Facts, factsOf } from '../support/released/facts.ts';
import { Serve } from '../support/serve.ts';
import { type Keys, signed } from '../support/signer.ts';
import { TestDatabase } from '../support/test-database.ts';

// A database of every version before this one, made by that version (make-database.ts), is opened with today's program. The name of a
// fixture is its version; 0.1.0-schema13 is of the last commit before 0.2.0.

interface Released {
  readonly keys: Keys;
  /** A body that was delivered. */
  readonly body: string;
  /** Of the audit chain; absent where there is none yet. */
  readonly auditKey?: string;
  readonly facts: Facts;
}

const VERSIONS = globSync('*.db.gz', { cwd: packageFile('test/fixtures/released') }).map((name) =>
  basename(name, '.db.gz'),
);

const NEWEST = globSync('*.sql', { cwd: packageFile('migrations/sqlite') }).length;

/** A database that begins with today's program. */
const fresh = new TestDatabase();
afterAll(() => fresh.remove());

let serve: Serve | undefined;
afterEach(() => serve?.kill());

function open(version: string): string {
  const database = join(temporaryFolder(), 'tallyhook.db');
  writeFileSync(database, gunzipSync(readFileSync(packageFile('test/fixtures/released', `${version}.db.gz`))));
  return database;
}

/** What `sql` returns of a database, read by the tests' own means. */
function read(database: string, sql: string): unknown[] {
  const reader = new SQLite(database, { readonly: true });
  const rows = reader.prepare(sql).all();
  reader.close();
  return rows;
}

test('there is a database of every version before this one', () => {
  const released = [...readFileSync(packageFile('CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+) - /gm)];
  const before = released.map(([, version = '']) => version).filter((version) => version !== packageVersion());
  expect(before).toContain('0.1.0');
  expect(before.filter((version) => !VERSIONS.includes(version))).toEqual([]);
});

test('once this version is released, a new migration is of the next one: raise `version` in package.json', () => {
  const released = VERSIONS.filter((version) => version === packageVersion());
  const schemas = released.map((version) =>
    read(open(version), 'SELECT max(version) AS schema FROM schema_migrations'),
  );
  expect(schemas).toEqual(released.map(() => [{ schema: NEWEST }]));
});

const CONTENTS = 'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM variants) AS n';

test.each(VERSIONS)('a database of %s is migrated whole, and goes on', async (version) => {
  const fixture = packageFile('test/fixtures/released', version);
  const { keys, body, auditKey, facts }: Released = JSON.parse(readFileSync(`${fixture}.json`, 'utf8'));
  const database = open(version);
  const cwd = dirname(database);
  if (auditKey !== undefined) writeFileSync(join(cwd, 'audit.key'), auditKey, { mode: 0o600 });
  const env = {
    TALLYHOOK_DATABASE: database,
    TALLYHOOK_TEST_PUBLIC_KEY: keys.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: keys.secretKey,
  };
  const migrated = await command(['migrate', '--json'], { cwd, env });
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(migrated.stdout)).toMatchObject({ schemaVersion: NEWEST });

  const reader = new SQLite(database, { readonly: true });
  expect(factsOf(reader, Object.keys(facts))).toEqual(facts);
  reader.close();
  const definitions = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name';
  expect(read(database, definitions)).toEqual(read(fresh.path, definitions));
  if (auditKey !== undefined) expect(await command(['audit', 'verify'], { cwd, env })).toMatchObject({ code: 0 });

  const before = read(database, CONTENTS);
  serve = await Serve.start({ cwd, database, env });
  const headers = Object.entries(signed(body, keys));
  const again = await rawRequest(serve.url, { path: '/webhooks/test', headers, body });
  expect(again.status).toBe(200);
  await carriedOut(database);
  expect(read(database, CONTENTS)).toEqual(before); // it is a duplicate
  expect(await serve.stop()).toBe(0);

  const why = await command(['why', 'R-1'], { cwd, env });
  expect(why).toMatchObject({ code: 0, stdout: expect.stringContaining('R-1') });
});
