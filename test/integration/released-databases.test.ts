import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { afterAll, afterEach, expect, test } from 'vitest';
import { packageFile, packageVersion } from '../../src/package-root.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import { openStore } from '../../src/store/open.ts';
import { joinLog } from '../../src/store/sqlite/carry-out/join-log.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrate, migrations } from '../../src/store/sqlite/engine/migrate.ts';
import { defineRowSum } from '../../src/store/sqlite/engine/row-sums.ts';
import { Appender } from '../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../src/store/sqlite/log/entry.ts';
import { command } from '../support/command.ts';
import { refund } from '../support/deliveries.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { type Facts, factsOf } from '../support/released/facts.ts';
import { Serve } from '../support/serve.ts';
import { type Keys, signed } from '../support/signer.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

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

/** Opens it as the receiver does, which migrates it, and waits until nothing is left to carry out. */
async function carryOutAll(database: string): Promise<void> {
  const inbox = await openStore(database, { zone: 'UTC' }).inbox({ limit: 10, onFatal: () => {} });
  await until(() => read(database, 'SELECT 1 FROM unapplied').length === 0, 'what an earlier version kept is observed');
  await carriedOut(database);
  await inbox.close();
}

const R2 = `
  SELECT r.reported, r.amount_minor AS amountMinor,
    (SELECT count(*) FROM observations o WHERE o.kind = 'refund' AND o.record_id = r.id) AS observations,
    (SELECT group_concat(code) FROM findings f WHERE f.kind = 'refund' AND f.record_id = r.id AND closed_at IS NULL) AS findings
  FROM refunds r WHERE reference = 'R-2'`;

test.each(VERSIONS)(
  'what %s had kept and not applied when it was killed is observed after the upgrade',
  async (version) => {
    const database = open(version);
    const old = new SQLite(database);
    defineRowSum(old);
    const columns = old.prepare("SELECT name FROM pragma_table_info('events')").pluck().all() as string[];
    const { id: _, ...first } = old.prepare("SELECT * FROM events WHERE reference = 'R-1'").get() as Record<
      string,
      unknown
    >;
    const bodyOf = (amount: string) => {
      const body = Buffer.from(String(first.body).replace('R-1', 'R-2').replace('"5.00"', `"${amount}"`));
      return { body, body_digest: createHash('sha256').update(body).digest() };
    };
    const others = columns.filter((name) => name !== 'id');
    const insert = `INSERT INTO events (${others}) VALUES (${others.map((name) => `@${name}`)})`;
    const { lastInsertRowid } = old
      .prepare(insert)
      .run({ ...first, reference: 'R-2', deliveries: 2, ...bodyOf('5.00') });
    const variant = old.prepare('SELECT * FROM variants').get() as Record<string, unknown>;
    const { body, body_digest } = bodyOf('6.00');
    const content_digest = createHash('sha256').update('another content').digest('hex');
    const its = {
      ...variant,
      id: Number(variant.id) + 1,
      event_id: lastInsertRowid,
      content_digest,
      body,
      body_digest,
    };
    const names = Object.keys(variant);
    old.prepare(`INSERT INTO variants (${names}) VALUES (${names.map((name) => `@${name}`)})`).run(its);
    old.close();

    await carryOutAll(database);
    expect(read(database, R2)).toEqual([
      { reported: 'success', amountMinor: null, observations: 2, findings: 'variant,fact_conflict' },
    ]);
  },
);

/** The first schema with a log. */
const WITH_LOG = 18;

test('what waits in the log during a migration is carried out after it', async () => {
  const database = join(temporaryFolder(), 'tallyhook.db');
  const old = openDatabase(database, { create: true });
  migrate(old, 0, migrations().slice(0, WITH_LOG));
  const appender = new Appender(joinLog(old), { backlogBytes: 2 ** 30, carriedOut: 0 });
  const [one, two] = ['R-1', 'R-2'].map((reference) => refund(reference, 'success', { data: { amount: '5.00' } }));
  appender.append([packEntry([one as Delivery]), packEntry([two as Delivery, two as Delivery])]);
  for (const each of [appender, old]) each.close();

  await carryOutAll(database);
  expect(read(database, 'SELECT max(version) AS schema FROM schema_migrations')).toEqual([{ schema: NEWEST }]);
  expect(read(database, 'SELECT sum(deliveries) AS n FROM events')).toEqual([{ n: 3 }]);
  expect(read(database, R2)).toEqual([{ reported: 'success', amountMinor: 500, observations: 1, findings: null }]);
});
