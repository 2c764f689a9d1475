import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { someOf } from '../support/random-runs.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';

// "A finance user beside the service" of docs/operations.md: two users with a group in common, and the modes that stand there.

const AS_ROOT = { tags: ['root'] };
const [SERVICE, FINANCE, STRANGER, GROUP] = [61_001, 61_002, 61_003, 61_100];
const root = temporaryFolder();
const folder = join(root, 'state');
const home = join(root, 'finance');
const database = join(folder, 'tallyhook.db');
/** Compiled code of these users: they may not write to that of the clone, and without it each start takes seconds. */
const compiled = { NODE_COMPILE_CACHE: join(root, 'compiled') };

/** Runs as this user with the group, and the umask that most systems give people. */
const as = (user: number, group = GROUP) =>
  ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--'].concat(
    'sh',
    '-c',
    `umask ${user === SERVICE ? '007' : '022'}; exec "$@"`,
    'sh',
  );
const finance = (args: readonly string[], user = FINANCE, group = GROUP) =>
  command(args, {
    cwd: user === FINANCE ? home : root,
    under: as(user, group),
    env: { TALLYHOOK_DATABASE: database, ...compiled },
  });

let serve: Serve;
const start = () => Serve.start({ cwd: folder, database, under: as(SERVICE), env: { ...TEST_KEY_ENV, ...compiled } });

beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  chmodSync(root, 0o755);
  mkdirSync(compiled.NODE_COMPILE_CACHE);
  chmodSync(compiled.NODE_COMPILE_CACHE, 0o1777);
  for (const [path, owner, mode] of [
    [folder, SERVICE, 0o2770],
    [home, FINANCE, 0o700],
  ] as const) {
    mkdirSync(path);
    chownSync(path, owner, GROUP);
    chmodSync(path, mode);
  }
  serve = await start();
  for (const status of ['pending', 'success']) await deliver(status);
  await carriedOut(database);
});

async function deliver(status: string) {
  const body = `{"event":"refund.${status}","data":{"refund_reference":"R1","status":"${status}","amount":"10.00","currency":"NGN"}}`;
  const answer = await rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  expect(answer.status).toBe(200);
}

function facts(...names: string[]): string[] {
  return names.map((name) => {
    const { mode, gid } = statSync(`${database}${name}`);
    return `${name} ${(mode & 0o777).toString(8)} ${gid}`;
  });
}

const READING: [string[], RegExp][] = [
  [['events', 'list'], /refund\.success/],
  [['why', 'R1'], /R1/],
  [['reconcile', '--from', '2026-01-01', '--to', '2026-12-31'], /break|not confirmed/i],
  [['sql', 'SELECT count(*) AS n FROM events'], /2/],
  [['totals', '--from', '2026-01-01', '--to', '2026-12-31'], /./],
  [['refunds', 'list'], /R1/],
];

test.each(someOf(4, READING))('beside serve the finance user runs: %s', AS_ROOT, async (args, shows) => {
  const { code, stdout, stderr } = await finance(args);
  expect([code, stderr]).toEqual([
    expect.toSatisfy((one) => one === 0 || one === 3),
    expect.not.stringMatching(/denied|EACCES|cannot/),
  ]);
  expect(stdout).toMatch(shows);
});

test('the finance user writes beside serve, and serve goes on', AS_ROOT, async () => {
  const { code, stderr } = await finance([
    'track',
    'refund',
    'R2',
    '--environment',
    'test',
    '--amount',
    '1.00',
    '--currency',
    'NGN',
  ]);
  expect([stderr, code]).toEqual(['', 0]);
  await deliver('failed');
  expect(facts('', '-wal', '-shm', '.lock')).toEqual([
    ` 660 ${GROUP}`,
    `-wal 660 ${GROUP}`,
    `-shm 660 ${GROUP}`,
    `.lock 660 ${GROUP}`,
  ]);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'what the finance user opens first after %s, serve opens after',
  AS_ROOT,
  async (signal) => {
    process.kill(serve.pid, signal);
    await serve.exited;
    expect((await finance(['refunds', 'list'])).code).toBe(0);
    expect((await finance(['track', 'refund', `R-${signal}`, '--environment', 'test'])).code).toBe(0);
    serve = await start();
    await deliver('rejected');
  },
);

test(
  'restore makes a database in a folder of another user, as serve does, and takes none from its owner',
  AS_ROOT,
  async () => {
    const elsewhere = join(root, 'elsewhere');
    const backup = join(elsewhere, 'backup.db');
    mkdirSync(elsewhere);
    chmodSync(elsewhere, 0o777); // root's; other users may make files there
    const run = (user: number, ...args: string[]) =>
      command(args, {
        cwd: elsewhere,
        under: as(user),
        env: { TALLYHOOK_DATABASE: join(elsewhere, 'tallyhook.db'), ...compiled },
      });
    expect((await finance(['backup', backup], SERVICE)).code).toBe(0);
    expect(await run(SERVICE, 'restore', backup, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(join(elsewhere, 'tallyhook.db')).uid).toBe(SERVICE);
    chmodSync(backup, 0o644);
    const refused = await run(STRANGER, 'restore', backup, '--yes');
    expect(refused.code).not.toBe(0);
    expect(statSync(join(elsewhere, 'tallyhook.db')).uid).toBe(SERVICE);
  },
);

test('a user outside the group reads nothing; doctor finds nothing wrong with the modes', AS_ROOT, async () => {
  const { code, stderr } = await finance(['events', 'list'], STRANGER, STRANGER);
  expect([code, stderr]).toEqual([2, expect.stringContaining('EACCES')]);
  const { stdout } = await command(['doctor'], {
    cwd: folder,
    under: as(SERVICE),
    env: { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV, ...compiled },
  });
  expect(stdout).toMatch(/ok +database mode.*0660/);
});
