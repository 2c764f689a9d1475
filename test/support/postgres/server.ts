import type { ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import { POSTGRES_USER, postgresProgram } from '../../../cli/commands/demo/machines/postgres.ts';
import { temporaryFolder } from '../folder.ts';
import { freePort } from '../free-port.ts';
import { killGroup, spawn, startFor } from '../processes.ts';
import { until } from '../wait.ts';

/** A folder with `initdb` and `postgres` of another PostgreSQL than that of the development dependency. */
const OTHER_PROGRAMS = process.env.TALLYHOOK_TEST_POSTGRES;
const USER = POSTGRES_USER;

/** What every server of the tests has; tests add their own. */
const SETTINGS = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  shared_buffers: '16MB',
  wal_level: 'replica',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '100ms',
};

export type Settings = Readonly<Record<string, string>>;

/** A real PostgreSQL server of a test, on a port of its own, with the superuser `postgres` and no passwords. */
export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  readonly #isShared: boolean;
  #process: ChildProcess | null = null;
  #log = '';

  private constructor(folder: string, port: number, isShared = false) {
    this.folder = folder;
    this.port = port;
    this.#isShared = isShared;
  }

  /** A server with an empty folder, started. A shared one lives as long as this process. */
  static async start(settings: Settings = {}, isShared = false): Promise<PostgresServer> {
    const server = await PostgresServer.#made(settings, isShared);
    await server.resume();
    return server;
  }

  /** A primary, a replica of it, and one of that, all started; `settings` are those of the primary. */
  static async startThree(settings: Settings = {}) {
    const primary = await PostgresServer.#made(settings);
    const [replica, second] = [await primary.copy(), await primary.copy()];
    await primary.resume();
    await replica.follow(primary, 'replica');
    await second.follow(replica, 'second');
    return { primary, replica, second };
  }

  /** A primary and a replica of it, both started; `settings` are those of the primary. */
  static async startPair(settings: Settings = {}) {
    const primary = await PostgresServer.#made(settings);
    const replica = await primary.copy();
    await primary.resume();
    await replica.follow(primary, 'replica');
    return { primary, replica };
  }

  static async #made(settings: Settings, isShared = false): Promise<PostgresServer> {
    const folder = ownFolder();
    cpSync(await template(), folder, { recursive: true });
    const server = new PostgresServer(folder, Number(await freePort()), isShared);
    server.set({ ...SETTINGS, ...settings });
    return server;
  }

  /** A copy of the folder of this server, which is stopped. */
  async copy(): Promise<PostgresServer> {
    const folder = ownFolder();
    cpSync(this.folder, folder, { recursive: true });
    own(folder);
    return new PostgresServer(folder, Number(await freePort()));
  }

  /** Starts this server as a replica of another one, which waits for it by its name. */
  async follow(primary: PostgresServer, name: string): Promise<void> {
    writeFileSync(join(this.folder, 'standby.signal'), '');
    this.set({
      primary_conninfo: `'host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}'`,
      synchronous_standby_names: "''",
    });
    await this.resume();
  }

  /** The address of `cluster.url`. */
  url(database: string, role = 'postgres'): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  /** Writes settings; a running server reads them at `reload` or at its next start. */
  set(settings: Settings): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    appendFileSync(join(this.folder, 'postgresql.conf'), lines.join(''));
  }

  async reload(settings: Settings): Promise<void> {
    this.set(settings);
    await this.sql('SELECT pg_reload_conf()');
    const [[name, value] = ['port', String(this.port)]] = Object.entries(settings);
    const isRead = async () =>
      (await this.sql<{ value: string }>(`SELECT current_setting('${name}') AS value`))[0]?.value;
    await until(async () => (await isRead()) === value.replaceAll("'", ''), `${name} is read`);
  }

  /** Starts the server again in its folder. */
  async resume(): Promise<void> {
    own(this.folder);
    this.#log = '';
    const path = await program('postgres');
    const start = () => spawnAsUser(path, ['-D', this.folder, '-p', String(this.port)]);
    const child = this.#isShared ? startFor('worker', start) : start();
    this.#process = child;
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-20_000);
    });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended:\n${this.#log}`);
      return /ready to accept (?:read-only )?connections/.test(this.#log);
    }, 'PostgreSQL starts');
  }

  /** `immediate` as `pg_ctl stop -m immediate`: no checkpoint, every connection is cut. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    }
    killGroup(child);
  }

  /** Stops the processes as they are, or lets them go on: the machine hangs. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  unpause(): void {
    this.#signal('SIGCONT');
  }

  /** Kills -9 the process of one connection of this program: the server then ends all of them, and recovers. */
  async killBackend(program: string): Promise<void> {
    const [one] = await this.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = '${program}' ORDER BY backend_start DESC LIMIT 1`,
    );
    if (one !== undefined) process.kill(one.pid, 'SIGKILL');
  }

  /** The last entry of the log in a database. */
  async head(database = 'postgres'): Promise<number> {
    const [row] = await this.sql<{ seq: string }>('SELECT seq FROM tallyhook.head', { database });
    return Number(row?.seq);
  }

  async promote(): Promise<void> {
    await this.sql('SELECT pg_promote(true)');
  }

  /** Runs one statement as the superuser, or as another role. */
  async sql<Row extends QueryResultRow>(
    text: string,
    { database = 'postgres', role = 'postgres' } = {},
  ): Promise<Row[]> {
    const client = new Client({ connectionString: this.url(database, role) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** An empty database of this server, by a name that no other has. */
  async database(): Promise<string> {
    const name = `d${++databases}_${process.pid}`;
    await this.sql(`CREATE DATABASE ${name}`);
    return name;
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    for (const one of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(one, signal);
      } catch {
        // it has ended
      }
    }
  }
}

let databases = 0;

/** One server for all test files of this process; each test takes a database of its own. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= PostgresServer.start({}, true);
  return shared;
}
let shared: Promise<PostgresServer> | undefined;

/** A folder as `initdb` makes it, made once per process: others are copies. */
function template(): Promise<string> {
  made ??= makeTemplate();
  return made;
}
let made: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const folder = ownFolder();
  const args = [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--data-checksums',
  ];
  const path = await program('initdb');
  const child = startFor('worker', () => spawnAsUser(path, args));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${output}`);
  return folder;
}

function spawnAsUser(path: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return spawn(path, args, { ...USER, cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The path of a program of PostgreSQL. */
async function program(name: 'initdb' | 'postgres'): Promise<string> {
  if (OTHER_PROGRAMS !== undefined) return join(OTHER_PROGRAMS, name);
  return postgresProgram(name);
}

function ownFolder(): string {
  const folder = join(temporaryFolder({ inMemory: true }), 'data');
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(dirname(folder), 0o711);
  own(folder);
  return folder;
}

/** Gives all of the folder to the user that the server runs as. */
function own(folder: string): void {
  if (!('uid' in USER)) return;
  const { uid, gid } = USER as { uid: number; gid: number };
  chownSync(folder, uid, gid);
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(parentPath, name), uid, gid);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
