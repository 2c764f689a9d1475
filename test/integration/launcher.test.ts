import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FLAGS_OF_KEPT_CODE, V8_FLAGS } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import { openDatabase, openTransaction } from '../../src/store/sqlite/engine/database.ts';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { PRETENDED } from '../support/older-node.ts';
import { fork, spawn } from '../support/processes.ts';
import { LAUNCHER, SOURCE_LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { carriedOut } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

/** A real one where there is one; else one that pretends, which says its version is 20 and is otherwise this Node. */
const OLDER_NODES: [string, readonly string[]][] = realOlderNodes().map((node) => [`the older ${node}`, [node]]);
if (OLDER_NODES.length === 0)
  OLDER_NODES.push(['a Node that pretends to be 20', [process.execPath, '--import', PRETENDED]]);

function realOlderNodes(): string[] {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const major = (node: string) => Number(/^v(\d+)/.exec(spawnSync(node, ['--version']).stdout.toString())?.[1]);
  return [...new Set(candidates)].filter((node) => existsSync(node) && major(node) < 24).slice(0, 1);
}

const ON_LINUX = { tags: ['linux'] }; // process groups and /proc
const ON_TERMINAL = { tags: ['script'] };

let serve: Serve;
afterEach(async () => {
  if (serve === undefined) return; // nothing was started yet
  if (isThere(serve.pid)) process.kill(serve.pid, 'SIGKILL');
  await serve.kill();
});

const BODY = '{"event":"refund.pending","data":{"refund_reference":"R1"}}';
const send = async () =>
  (await rawRequest(serve.url, { path: '/webhooks', headers: Object.entries(signed(BODY)), body: BODY })).status;
/** A half-sent request, which delays a graceful stop until it is closed. */
async function halfARequest(): Promise<RawConnection> {
  const connection = await RawConnection.open(serve.url);
  connection.socket.write('POST /webhooks/test HTTP/1.1\r\nHost: receiver\r\nContent-Length: 100\r\n\r\nhalf');
  await fetch(`${serve.url}/healthz`); // after this answer the receiver has accepted the connection
  return connection;
}
/** The flags and variables with which the program runs. */
function expectSettings(): void {
  const words = (name: string) => readFileSync(`/proc/${serve.pid}/${name}`, 'utf8').split('\0');
  expect(words('cmdline')).toEqual(expect.arrayContaining(V8_FLAGS));
  expect(words('environ')).toContain('MALLOC_ARENA_MAX=2');
}
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(OLDER_NODES)('kill -9 of the launcher on %s ends the program, too', async (_name, node) => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database, node });
  expect(await send()).toBe(200);
  await carriedOut(database);
  const { pid } = serve;
  serve.child.kill('SIGKILL');
  await until(() => !isThere(pid), 'the program notices');
  expect(audit(database, new Map([[BODY, 1]]))).toMatchObject({ lost: 0, integrity: 'ok' });
});

test.each(OLDER_NODES)(
  '%s hands over to Node 24 with the flags and variables of runtime.js, and passes signals on; SIGTERM to the whole group stops it in order',
  ON_LINUX,
  async (_name, node) => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    serve = await Serve.start({ cwd, database, node });
    expect(serve.pid).not.toBe(serve.child.pid);
    expectSettings();
    expect(await send()).toBe(200);
    serve.child.kill('SIGHUP');
    await until(() => serve.logged('keys reloaded') !== undefined, 'the signal arrives');
    const half = await halfARequest();
    process.kill(-Number(serve.child.pid), 'SIGTERM');
    await until(() => serve.stderr.includes('SIGTERM: stopping'), 'it stops');
    serve.child.kill('SIGHUP'); // passed on behind the SIGTERM, of which a copy would have ended it
    await until(() => serve.ended || serve.allLogged('keys reloaded').length === 2, 'all signals have arrived');
    expect(serve.ended).toBe(false);
    half.close();
    expect(await serve.exited).toEqual({ code: 0, signal: null });
    expect(isThere(serve.pid)).toBe(false);
    expect(existsSync(`${database}-wal`)).toBe(false);
  },
);

test.each(OLDER_NODES)('a second SIGTERM to the launcher on %s stops it at once', async (_name, node) => {
  const cwd = temporaryFolder();
  // The deadline of serve is beyond the time-out of a test.
  writeFileSync(join(cwd, 'tallyhook.yaml'), 'receiver: { shutdownTimeoutMs: 600000 }\n');
  serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), node });
  const half = await halfARequest();
  serve.child.kill('SIGTERM');
  await until(() => serve.stderr.includes('SIGTERM: stopping'), 'it stops');
  serve.child.kill('SIGTERM');
  expect((await serve.exited).code).toBe(1);
  half.close();
  expect(serve.logged('stopped')).toBeUndefined();
});

const THIS_NODE: (typeof OLDER_NODES)[number] = ['this Node', [process.execPath]];

test.each(someOf(1, [...OLDER_NODES, THIS_NODE]))(
  'Ctrl-C on a terminal stops serve once, in order: %s',
  ON_TERMINAL,
  async (_, node) => {
    const cwd = temporaryFolder();
    const shellWords = [...node, LAUNCHER, 'serve', '--json'].map((word) => `'${word}'`);
    const terminal = spawn(
      'script',
      ['--quiet', '--return', '--command', `exec ${shellWords.join(' ')}`, '/dev/null'],
      {
        cwd,
        env: { PATH: process.env.PATH ?? '', TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0', ...TEST_KEY_ENV },
      },
    );
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const exited = once(terminal, 'exit');
    try {
      await until(() => shown.includes('"serving"'), 'it listens');
      terminal.stdin.write('\x03');
      expect(await exited).toEqual([0, null]);
      expect(shown.match(/SIGINT: stopping/g)).toHaveLength(1);
      expect(shown).toContain('"stopped"');
    } finally {
      const pid = Number(/"pid":(\d+)/.exec(shown)?.[1]);
      if (isThere(pid)) process.kill(pid, 'SIGKILL');
      terminal.kill('SIGKILL');
    }
  },
);

test('an import runs with the same flags', ON_LINUX, () => {
  const report = 'data:text/javascript,process.stderr.write(JSON.stringify(process.execArgv)+"\\n")';
  const words = ['--import', report, SOURCE_LAUNCHER, 'statements', 'import', '--help'];
  const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const flags = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(flags.at(-1)).toEqual(expect.arrayContaining(V8_FLAGS));
});

test(
  'on Node 24 serve keeps its process id, its other options and the MALLOC_ARENA_MAX of the user',
  ON_LINUX,
  async () => {
    const cwd = temporaryFolder();
    const node = [process.execPath, '--stack-trace-limit=20'];
    serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), node, env: { MALLOC_ARENA_MAX: '4' } });
    expect(serve.pid).toBe(serve.child.pid);
    const words = (name: string) => readFileSync(`/proc/${serve.pid}/${name}`, 'utf8').split('\0');
    expect(words('cmdline')).toEqual(expect.arrayContaining([...V8_FLAGS, '--stack-trace-limit=20']));
    expect(words('environ')).toContain('MALLOC_ARENA_MAX=4');
  },
);

test('below a parent with a channel serve keeps the channel, and ends when it closes', async () => {
  const cwd = temporaryFolder();
  const env = { PATH: process.env.PATH ?? '', TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0', ...TEST_KEY_ENV };
  const child = fork(LAUNCHER, ['serve'], { cwd, env, silent: true });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'exit');
  await until(() => log.includes('"serving"') || child.exitCode !== null, 'it listens');
  child.disconnect();
  expect(await exited).toEqual([1, null]);
});

test.each(OLDER_NODES)('`npm ci` on %s strips nothing and prints nothing', (_name, [node = '', ...options]) => {
  const { status, stderr } = spawnSync(node, [...options, packageFile('cli/strip.js')]);
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
});

test.each([
  ['is not there', null],
  ['is older', '22.9.0'],
  ['has no program, as after `npm ci --ignore-scripts`', '24.21.0'],
])('an older Node without a newer one is refused in one line: the package `node` %s', (_what, version) => {
  const folder = temporaryFolder();
  const package_ = join(folder, 'node_modules', 'tallyhook');
  for (const name of ['cli/tallyhook.js', 'cli/runtime.js', 'package.json']) {
    cpSync(packageFile(name), join(package_, name));
  }
  const beside = join(folder, 'node_modules', 'node');
  if (version !== null) {
    mkdirSync(join(beside, 'bin'), { recursive: true });
    writeFileSync(join(beside, 'package.json'), JSON.stringify({ name: 'node', version }));
  }
  if (version === '22.9.0') symlinkSync(process.execPath, join(beside, 'bin', 'node'));
  const launcher = join(package_, 'cli', 'tallyhook.js');
  const { status, stderr } = spawnSync(process.execPath, ['--import', PRETENDED, launcher, '--version']);
  expect({ status, stderr: stderr.toString() }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^tallyhook needs Node 24 or newer, .*npm install node@24`\.\n$/),
  });
});

/** A clone with an empty compile cache. */
function cloneWithoutCache(): string {
  const clone = temporaryFolder();
  for (const name of ['cli', 'src', 'migrations', 'templates', 'package.json']) {
    cpSync(packageFile(name), join(clone, name), { recursive: true });
  }
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(packageFile('node_modules')).filter((name) => name !== '.cache')) {
    symlinkSync(packageFile('node_modules', name), join(clone, 'node_modules', name));
  }
  return clone;
}

test('a server uses the code that `npm ci` stripped and kept', async () => {
  const clone = cloneWithoutCache();
  const cache = join(clone, 'node_modules', '.cache', 'tallyhook');
  const kept = () => readdirSync(cache).map((options) => readdirSync(join(cache, options)).length);
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined }; // that of the tests
  expect(spawnSync('npm', ['run', 'dependencies'], { cwd: clone, env }).status).toBe(0);
  const [stripped = 0, ...others] = kept();
  expect(others).toEqual([]);
  const launcher = join(clone, 'cli', 'tallyhook.js');
  for (const node of someOf(1, [[process.execPath, '--import', PRETENDED], [process.execPath]])) {
    serve = await Serve.start({ cwd: clone, database: join(clone, 'tallyhook.db'), node, launcher });
    serve.child.kill('SIGTERM');
    await serve.exited;
  }
  expect(spawnSync(process.execPath, [launcher, 'serve', '--help'], { env }).status).toBe(0);
  expect(spawnSync(process.execPath, [launcher, 'stats', '--help'], { env }).status).toBe(0);
  // As processes of the tests: Node itself uses the variable, before any code can set a flag.
  const asTests = [...FLAGS_OF_KEPT_CODE, launcher, 'stats', '--help'];
  expect(spawnSync(process.execPath, asTests, { env: { ...env, NODE_COMPILE_CACHE: cache } }).status).toBe(0);
  const [after = 0, ...underOtherOptions] = kept();
  expect(underOtherOptions).toEqual([]);
  // Only the command line is new: importing it would start it.
  expect(after - stripped).toBeLessThan(stripped / 5);
});

/** Sends SIGHUP at the moment when main.ts begins to load. */
const HANG_UP_AT_MAIN =
  'data:text/javascript,import{registerHooks}from"node:module";registerHooks({resolve(name,context,next){' +
  'if(name.endsWith("/main.ts"))process.kill(process.pid,"SIGHUP");return next(name,context)}})';

test('a SIGHUP while serve loads does not end it', async () => {
  const cwd = temporaryFolder();
  const node = [process.execPath, '--import', HANG_UP_AT_MAIN];
  serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), node, launcher: SOURCE_LAUNCHER });
  expect(await send()).toBe(200);
});

test(
  'serve on this Node runs with them, too; a SIGHUP while it waits for its database reloads the keys once it listens',
  ON_LINUX,
  async () => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    const other = openDatabase(database, { create: true });
    const lock = openTransaction(other);
    lock.begin();
    serve = new Serve({ cwd, database, node: [process.execPath] });
    await until(() => existsSync(`${database}.lock`), 'serve begins with the database');
    serve.child.kill('SIGHUP');
    lock.rollback();
    other.close();
    await until(() => serve.logged('serving') !== undefined || serve.ended, 'it listens');
    expect(serve.logged('keys reloaded')).toBeDefined();
    expectSettings();
    expect(await send()).toBe(200);
  },
);
