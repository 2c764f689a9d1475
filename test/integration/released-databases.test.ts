import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { command } from '../support/command.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/receiver.ts';
import { type Facts, factsOf } from '../support/released/facts.ts';
import { Serve } from '../support/serve.ts';
import { type Keys, signed } from '../support/signer.ts';

// A database of every released version, made by that version (make-database.ts), is opened with today's program.

interface Released {
  readonly keys: Keys;
  /** A body that was delivered. */
  readonly body: string;
  readonly facts: Facts;
}

const VERSIONS = globSync('*.db.gz', { cwd: packageFile('test/fixtures/released') }).map((name) =>
  basename(name, '.db.gz'),
);

let serve: Serve | undefined;
afterEach(() => serve?.kill());

test('there is a database of every released version', () => {
  const released = [...readFileSync(packageFile('CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+) - /gm)];
  expect(VERSIONS).toContain('0.1.0');
  expect(released.map(([, version]) => version).filter((version) => !VERSIONS.includes(version ?? ''))).toEqual([]);
});

test.each(VERSIONS)('a database of %s is migrated whole, and goes on', async (version) => {
  const fixture = packageFile('test/fixtures/released', version);
  const { keys, body, facts }: Released = JSON.parse(readFileSync(`${fixture}.json`, 'utf8'));
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  writeFileSync(database, gunzipSync(readFileSync(`${fixture}.db.gz`)));
  const env = {
    TALLYHOOK_DATABASE: database,
    TALLYHOOK_TEST_PUBLIC_KEY: keys.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: keys.secretKey,
  };
  const migrated = await command(['migrate', '--json'], { cwd, env });
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  const newest = globSync('migrations/sqlite/*.sql', { cwd: packageFile() }).length;
  expect(JSON.parse(migrated.stdout)).toMatchObject({ schemaVersion: newest });

  const reader = new SQLite(database, { readonly: true });
  expect(factsOf(reader)).toEqual(facts);
  reader.close();

  serve = await Serve.start({ cwd, database, env });
  const headers = Object.entries(signed(body, keys));
  const again = await rawRequest(serve.url, { path: '/webhooks/test', headers, body });
  expect(JSON.parse(again.body)).toMatchObject({ received: true, duplicate: true });
  expect(await serve.stop()).toBe(0);

  const why = await command(['why', 'R-1'], { cwd, env });
  expect(why).toMatchObject({ code: 0, stdout: expect.stringContaining('R-1') });
});
