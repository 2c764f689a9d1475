import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROBLEM_CODES } from '../../src/confirm/problem.ts';
import { thisMachine } from '../../src/store/this-machine.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { LIVE_KEYS, TEST_KEY_ENV } from '../support/signer.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { WITH_MODE_BITS } from '../support/unprivileged.ts';

const ON_TERMINAL = { tags: ['script'] };
const DAY_MS = 86_400_000;
const DRAWN_AGAIN = '\u001b[H\u001b[J';

let database: TestDatabase;
let terminal: OnTerminal | undefined;
beforeEach(() => {
  database = new TestDatabase();
});
afterEach(() => {
  terminal?.kill();
  terminal = undefined;
  database.remove();
});

const env = () => ({ TALLYHOOK_DATABASE: database.path, ...TEST_KEY_ENV });
const json = async (...args: string[]) => {
  const { code, stdout } = await command([...args, '--json'], { cwd: database.folder, env: env() });
  return [code, JSON.parse(stdout)] as const;
};

/** A refund with two contents under one key, which is a finding. */
function contradiction(): void {
  const one = refund('R1', 'pending', {}, { receivedAtMs: Date.now() - 2 * DAY_MS });
  const other = { ...one, body: Buffer.from(Buffer.from(one.body).toString().replace('50.00', '51.00')) };
  database.keepAndApply(one, other);
}

/** A process that was stopped, refusals, and a record that does not settle. */
function trouble(): void {
  contradiction();
  database.database.exec(`
    INSERT INTO receivers (holder, machine, pid, started_at, seen_at, stopped_at) VALUES ('serve', 'x', 1, 1, 2, 3);
    INSERT INTO checks (kind, record_id, counter, started_at, attempts, outcome, outcome_at)
    SELECT 'refund', id, 1, 1, 5, 'unavailable', 1 FROM refunds;
    INSERT INTO refusals (path, reason, count, first_at, last_at) VALUES ('/webhooks/test', 'no_keys', 3, 1, 2);
    INSERT INTO refused_runs (environment, likeness, count, first_at, last_at, reason, path)
    VALUES ('test', 'ours', 3, ${Date.now()}, ${Date.now()}, 'key_expired', '')`);
}

/** Answers `/readyz` as `serve` does. */
async function aServe(serve: object) {
  const server = createServer((_, response) => response.end(JSON.stringify({ reason: null, serve })));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port: String(port), close: () => new Promise((closed) => server.close(closed)) };
}

test('every field of status --json and health --json is documented', async () => {
  trouble();
  const [code, status] = await json('status');
  expect([code, status.well, status.problems.length > 1]).toEqual([3, false, true]);
  for (const list of ['serve', 'received', 'due', 'findings', 'stuck', 'jobs', 'keys', 'channels'] as const) {
    expect(status[list], list).not.toEqual([]);
  }
  expect(status.refused.runs).toHaveLength(1);
  expect(undocumentedFields(status, ['status'])).toEqual([]);
  const [healthCode, health] = await json('health');
  expect([healthCode, health.problems.length > 0, health.channels.length]).toEqual([3, true, 1]);
  expect(undocumentedFields(health, ['health', 'status'])).toEqual([]);
  for (const { code } of [...status.problems, ...health.problems]) expect(PROBLEM_CODES).toContain(code);
});

test('an environment without a key pair is a problem of status and of health', async () => {
  for (const command of ['status', 'health']) {
    const [code, live] = await json(command, '--environment', 'live');
    expect(code).toBe(3);
    expect(live.problems).toMatchObject([
      { code: 'keys_missing', environment: 'live', next: expect.stringContaining('keys.live') },
    ]);
    expect((await json(command, '--environment', 'test'))[0]).toBe(0);
    expect((await json(command))[0]).toBe(0);
  }
  const options = { cwd: database.folder, env: env() };
  const { code, stdout } = await command(['status', '--environment', 'live'], options);
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/^- live: no key pair is configured: .*\n {2}→ .*keys\.live/m),
  ]);
  expect(stdout).toMatch(/^keys {6}none$/m);
  expect((await json('status', '--environment', 'live'))[1].keys).toEqual([]);

  const keyless = await command(['status', '--json'], { ...options, env: { TALLYHOOK_DATABASE: database.path } });
  expect([keyless.code, JSON.parse(keyless.stdout).problems]).toMatchObject([
    3,
    [{ code: 'keys_missing', environment: null, next: expect.stringContaining('tallyhook init') }],
  ]);
});

test('an environment with keys that has received nothing has a line with the next step', async () => {
  const live = { TALLYHOOK_LIVE_PUBLIC_KEY: LIVE_KEYS.publicKey, TALLYHOOK_LIVE_SECRET_KEY: LIVE_KEYS.secretKey };
  const both = { cwd: database.folder, env: { ...env(), ...live } };
  const before = await command(['status'], both);
  expect(before.code).toBe(0);
  expect(before.stdout).toMatch(/^test {6}no delivery yet: .*\/webhooks\/test.* tallyhook trigger refund\.success$/m);
  expect(before.stdout).toMatch(/^live {6}no delivery yet: .*\/webhooks\/live.* tallyhook doctor --public-url URL$/m);
  const alone = await command(['status', '--environment', 'test'], both);
  expect(alone.stdout).not.toMatch(/^live/m);

  database.keepAndApply(refund('R1', 'success'));
  const after = await command(['status'], { ...both, env: env() });
  expect(after.stdout).toMatch(/^test {6}last received: refund /m);
  expect(after.stdout).not.toMatch(/^live/m);
});

test('--watch draws again, and Ctrl-C ends it with the exit code of the last look', ON_TERMINAL, async () => {
  const args = ['status', '--watch', '--every', '1s'];
  const options = { cwd: database.folder, env: env(), stdout: 'terminal' } as const;
  terminal = new OnTerminal(args, options);
  await terminal.shows(DRAWN_AGAIN);
  await terminal.shows('Everything is well.');
  await terminal.shows(DRAWN_AGAIN);
  contradiction();
  await terminal.shows('needs you:');
  await terminal.shows('tallyhook findings');
  await terminal.typeAt('jobs', '\x03');
  expect((await terminal.ended()).code).toBe(3);

  database.remove();
  database = new TestDatabase();
  terminal = new OnTerminal(args, { ...options, cwd: database.folder, env: env() });
  await terminal.typeAt('Everything is well.', '\x03');
  expect((await terminal.ended()).code).toBe(0);
});

test('a terminal gets a screen of lines, and a pipe every problem and fact on its own line', ON_TERMINAL, async () => {
  trouble();
  terminal = new OnTerminal(['status'], { cwd: database.folder, env: env(), stdout: 'terminal' });
  await terminal.ended();
  const shown = terminal.shown.trimEnd().split('\r\n');
  expect(shown.length).toBeLessThanOrEqual(23);
  expect(shown.filter((line) => line.length > 80)).toEqual([]);
  const { stdout } = await command(['status'], { cwd: database.folder, env: env() });
  expect(stdout).toMatch(
    /^- test: 3 authentic deliveries refused since .*: the key pair is past its notAfter\n {2}→ /m,
  );
  for (const name of ['disk', 'jobs', 'backup']) {
    expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    expect(terminal.shown).toMatch(new RegExp(`^${name} `, 'm'));
  }
});

test('a process that is there and gives no sign of life is not called ended', async () => {
  // As after a SIGSTOP of a minute: this test's own process stands for it.
  database.database
    .prepare("INSERT INTO receivers (holder, machine, pid, started_at, seen_at) VALUES ('serve', ?, ?, 1, 1)")
    .run(thisMachine(), process.pid);
  const { code, stdout } = await command(['status'], { cwd: database.folder, env: env() });
  expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringMatching(new RegExp(`- serve gives no sign of life: .* → Look at process ${process.pid}: ps -o`)),
  ]);
  expect(stdout).not.toContain('Start it');
});

test('a database that is gone or hidden from this user is a failure of status and health, with its cause', {
  tags: ['mode-bits'],
}, async () => {
  const { folder: cwd } = database;
  const at = (path: string) => ({ ...env(), TALLYHOOK_DATABASE: join(cwd, path) });
  for (const name of ['status', 'health']) {
    const ended = await command([name], { cwd, env: at('gone.db') });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('There is no database')]);
  }
  const hidden = join(cwd, 'hidden');
  mkdirSync(hidden);
  renameSync(database.path, join(hidden, 'tallyhook.db'));
  chmodSync(hidden, 0o000);
  const serve = await aServe({ pid: 1, database: 'of another file', outage: null });
  for (const port of ['0', serve.port]) {
    for (const name of ['status', 'health']) {
      const asked = { ...at('hidden/tallyhook.db'), TALLYHOOK_ADMIN_PORT: port };
      const ended = await command([name], { cwd, env: asked, under: WITH_MODE_BITS });
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('cannot be read (EACCES)')]);
    }
  }
  await serve.close();
  chmodSync(hidden, 0o700);
});
