import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { joinLog } from '../../src/store/sqlite/carry-out/join-log.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { command } from '../support/command.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Serve, type ServeSetup } from '../support/serve.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { AS_ROOT } from '../support/tools.ts';
import { WITH_MODE_BITS } from '../support/unprivileged.ts';

type Prepare = (cwd: string, database: string) => Partial<ServeSetup> | Promise<Partial<ServeSetup>>;

function makeDatabase(path: string, sql = ''): void {
  makeEmptyDatabase(path);
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

const takenPort = (): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.unref();
      resolve(String(typeof address === 'object' && address?.port));
    });
  });

type Mistakes = Record<string, [Prepare, RegExp, RegExp]>;

const MODE_BITS: Mistakes = {
  'a folder that may not be written': [
    (cwd) => {
      const folder = join(cwd, 'readonly');
      mkdirSync(folder);
      chmodSync(folder, 0o555);
      return { database: join(folder, 'tallyhook.db'), under: WITH_MODE_BITS };
    },
    /The database .*readonly\/tallyhook\.db cannot be made \(EACCES\)/,
    /Give this user write access to .*readonly, or change `database`/,
  ],
  'a database in a folder that may not be written': [
    (cwd) => {
      const folder = join(cwd, 'readonly');
      mkdirSync(folder);
      makeDatabase(join(folder, 'tallyhook.db'));
      chmodSync(folder, 0o555);
      return { database: join(folder, 'tallyhook.db'), under: WITH_MODE_BITS };
    },
    /The database .*readonly\/tallyhook\.db cannot be written \(EACCES\)/,
    /Give this user write access to it and to .*readonly/,
  ],
  'a database file that may not be written': [
    (_cwd, database) => {
      makeDatabase(database);
      chmodSync(database, 0o400);
      return { under: WITH_MODE_BITS };
    },
    /The database .*tallyhook\.db cannot be written \(EACCES\)/,
    /Give this user write access to it/,
  ],
  'a log that may not be written': [
    (_cwd, database) => {
      makeDatabase(database);
      const books = openDatabase(database);
      chmodSync(joinLog(books), 0o400);
      books.close();
      return { under: WITH_MODE_BITS };
    },
    /The log .*tallyhook\.inbox\.db cannot be opened by this user/,
    /let this user read and write the log and its folder/,
  ],
};

const MISTAKES: Mistakes = {
  'a folder that is missing': [
    (cwd) => ({ database: join(cwd, 'no', 'such', 'tallyhook.db') }),
    /The folder .*\/no\/such of the database does not exist/,
    /mkdir -p .*no\/such/,
  ],
  'a folder where the file should be': [(cwd) => ({ database: cwd }), /is not a file/, /Point `database` at a file/],
  'a database of a newer version': [
    (_cwd, database) => {
      makeDatabase(
        database,
        "INSERT INTO schema_migrations (version, name, checksum, applied_at, program) VALUES (99, 'later', 'x', 0, '9.8.7')",
      );
      return {};
    },
    /has schema 99, made by Tallyhook 9\.8\.7; this is Tallyhook [\d.]+, which knows \d+/,
    /Install Tallyhook 9\.8\.7 or newer/,
  ],
  'a file that is no database': [
    (_cwd, database) => {
      writeFileSync(database, 'dear diary '.repeat(1_000));
      return {};
    },
    /tallyhook\.db/,
    /Point `database` at a file that Tallyhook made/,
  ],
  'a database of another program': [
    (_cwd, database) => {
      new SQLite(database).exec('CREATE TABLE songs (name TEXT)').close();
      return {};
    },
    /is a database, but not one of Tallyhook's/,
    /Point `database` at another path/,
  ],
  'a receiver port in use': [
    async () => ({ env: { TALLYHOOK_PORT: await takenPort() } }),
    /The receiver cannot listen on 127\.0\.0\.1:\d+: the port is in use/,
    /Stop what listens there, or change receiver\.port/,
  ],
  'an admin port in use': [
    async () => ({ env: { TALLYHOOK_ADMIN_PORT: await takenPort() } }),
    /The admin cannot listen on 127\.0\.0\.1:\d+: the port is in use/,
    /Stop what listens there, or change admin\.port/,
  ],
};

const ON_OVERLAY: ServeSetup['under'] = [
  'unshare',
  ...[...AS_ROOT, '--mount', 'sh', '-c'],
  // The layers lie on a file system of their own: a user may not have them on that of the machine.
  `mkdir -p "$0/layers" "$0/merged" && mount -t tmpfs none "$0/layers" && mkdir "$0/layers/lower" "$0/layers/upper" "$0/layers/work" &&
   cd "$0/layers" && mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work "$0/merged" && cd "$0" && exec "$@"`,
];
const OVERLAY: Mistakes = {
  'a database on the overlay file system of a container': [
    (cwd) => ({ database: join(cwd, 'merged', 'tallyhook.db'), under: [...ON_OVERLAY, cwd] }),
    /\/merged\/tallyhook\.db lies on overlay, the own layer of a container, .*can be lost\.$/,
    /Put it on a local disk, or on a volume .*tallyhook serve --unsafe-file-system/,
  ],
};

const TITLE = '%s: one sentence, a hint, exit code 2';
test.each(Object.entries(MISTAKES))(TITLE, (_name, mistake) => expectRefused(mistake));
test.each(Object.entries(MODE_BITS))(TITLE, { tags: ['mode-bits'] }, (_name, mistake) => expectRefused(mistake));

test.each(Object.entries(OVERLAY))(TITLE, { tags: ['mounts'] }, (_name, mistake) => expectRefused(mistake));

test('--unsafe-file-system starts on the overlay file system of a container, with a warning', {
  tags: ['mounts'],
}, async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'merged', 'tallyhook.db');
  const serve = await Serve.start({ cwd, database, args: ['--unsafe-file-system'], under: [...ON_OVERLAY, cwd] });
  const warning = serve.logged('the file system is not checked: an acknowledged delivery can be lost');
  expect([warning?.level, await serve.stop()]).toEqual(['warn', 0]);
});

async function expectRefused([prepare, sentence, hint]: Mistakes[string]): Promise<void> {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const { code, stderr } = await run({ cwd, database, ...(await prepare(cwd, database)) });
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^tallyhook: [A-Z`/].*\.$/);
  expect(lines[0]).toMatch(sentence);
  expect(lines[1]).toMatch(hint);
  expect(code).toBe(2);
}

test('all mistakes in the configuration are printed at once, each with its path, value and rule', async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'tallyhook.yaml'),
    `receiver: { bodyLimitBytes: 99, queueLimt: 5, strict: maybe }
log: { level: loud }
keys: { test: [{ publicKey: pk_live_x, secretKey: sk_live_0123456789abcdef }] }
timeZone: Mars/Olympus
`,
  );
  const { code, stderr } = await run({ cwd, database: join(cwd, 'x.db'), env: { TALLYHOOK_PROT: '1' } });
  expect(code).toBe(2);
  for (const part of [
    /receiver\.bodyLimitBytes.*99.*from 1024/,
    /receiver\.queueLimt.*not a setting.*queueLimit/,
    /receiver\.strict.*maybe.*true or false/,
    /log\.level.*loud/,
    /keys\.test\[0\]\.publicKey/,
    /keys\.test\[0\]\.secretKey/,
    /timeZone.*Mars\/Olympus/,
    /TALLYHOOK_PROT.*TALLYHOOK_PORT/,
  ]) {
    expect(stderr).toMatch(part);
  }
  expect(stderr).not.toMatch(/^ +at |0123456789abcdef/m);
  expect(existsSync(join(cwd, 'x.db'))).toBe(false);
});

test('without any key pair: the message names the variables that give one', async () => {
  const cwd = temporaryFolder();
  const env = { TALLYHOOK_TEST_PUBLIC_KEY: '', TALLYHOOK_TEST_SECRET_KEY: '' };
  const { code, stderr } = await run({ cwd, database: join(cwd, 'x.db'), env });
  expect(code).toBe(2);
  expect(stderr).toMatch(/TALLYHOOK_TEST_PUBLIC_KEY/);
  expect(stderr).not.toMatch(/^ +at /m);
});

/** A start in a mount of its own is the real one; the others are carried out in a process of commands. */
async function run(setup: ServeSetup): Promise<{ code: number | null; stderr: string }> {
  const { cwd, database, env, under } = setup;
  if (under === undefined || under === WITH_MODE_BITS) {
    const own = { TALLYHOOK_DATABASE: database, TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0', ...TEST_KEY_ENV };
    return command(['serve'], { cwd, env: { ...own, ...env }, ...(under !== undefined && { under }) });
  }
  const serve = new Serve(setup);
  const { code } = await serve.exited;
  return { code, stderr: serve.stderr };
}
