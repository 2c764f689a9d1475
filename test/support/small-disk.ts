import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { packageFile } from '../../src/package-root.ts';
import { CommandRunner, endedOf } from './command-runner.ts';
import { spawn } from './processes.ts';
import type { SetClock } from './set-clock.ts';
import type { Ended } from './tallyhook.ts';
import { AS_ROOT } from './tools.ts';

/** A file system of its own, of a size and a number of files, at a folder that only its processes see so. */
export class SmallDisk {
  /** The folder, for the processes of the disk. */
  readonly folder: string;
  /** The same folder, from outside. */
  readonly seen: string;
  /** A program that runs another one there. */
  readonly under: readonly string[];
  readonly #runner: CommandRunner;

  private constructor(folder: string, runner: CommandRunner) {
    this.folder = folder;
    this.#runner = runner;
    const { pid } = runner.child;
    this.seen = `/proc/${pid}/root${folder}`;
    const asItself = AS_ROOT.length > 0 ? ['--user', '--preserve-credentials'] : [];
    // The working folder of a process that enters is the one below the disk.
    const there = ['sh', '-c', 'cd "$0" && exec "$@"', folder];
    this.under = ['nsenter', '--target', `${pid}`, ...asItself, '--mount', ...there];
  }

  /** `clock`: of the process that carries out the commands there. */
  static async make(folder: string, options: string, clock?: SetClock): Promise<SmallDisk> {
    const mountThere = `mount -t tmpfs -o ${options} none "$0" && exec "$@"`;
    const under = ['unshare', ...AS_ROOT, '--mount', 'sh', '-c', mountThere, folder];
    const runner = new CommandRunner({ under, ...(clock && { clock }) });
    return new SmallDisk(folder, await runner.ready());
  }

  /** Carries out one command there, one after the other. */
  async command(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> {
    const order = { args, cwd, env: { PATH: process.env.PATH ?? '', ...env }, columns: undefined };
    return endedOf(await this.#runner.carryOut(order));
  }

  /** Runs statements on a database there: its path does not lead there from outside. */
  sql(file: string, ...statements: readonly string[]): void {
    this.run(SQL, ENGINE, packageFile('src/store/sqlite/engine/row-sums.ts'), file, ...statements);
  }

  /** Runs a script of Node there, and waits for its end. */
  run(script: string, ...args: readonly string[]): void {
    const [program = '', ...words] = this.under;
    const all = [...words, process.execPath, '-e', script, '--', ...args];
    const { status, stderr } = spawnSync(program, all, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Starts a script of Node there that says `ready`. */
  async start(script: string, ...args: readonly string[]): Promise<ChildProcess> {
    const [program = '', ...words] = this.under;
    const child = spawn(program, [...words, process.execPath, '-e', script, '--', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    return child;
  }
}

export const ENGINE = packageFile('node_modules/better-sqlite3');
const SQL = `
  const [, engine, sums, file, ...statements] = process.argv;
  const database = new (require(engine))(file, { timeout: 10_000 });
  import(sums).then(({ defineRowSum }) => {
    defineRowSum(database);
    for (const one of statements) database.exec(one);
  });`;

/** Holds the write lock of a database until it is killed. */
export const HOLD_THE_LOCK = `
  const database = new (require(process.argv[1]))(process.argv[2], { timeout: 10_000 });
  database.exec('BEGIN IMMEDIATE');
  console.log('ready');
  setInterval(() => {}, 1_000);`;

/** Holds a reader's state of a database until it is killed: what is written later cannot be moved out of the log. */
export const HOLD_A_READER = `
  const database = new (require(process.argv[1]))(process.argv[2], { readonly: true });
  database.exec('BEGIN; SELECT count(*) FROM events');
  console.log('ready');
  setInterval(() => {}, 1_000);`;

/** Writes until nothing fits, also into what an earlier write that did not fit left of the log; moves nothing out of it. */
export const FILL_THE_LOG = `
  const [, engine, file, sums] = process.argv;
  const database = new (require(engine))(file, { timeout: 10_000 });
  database.pragma('wal_autocheckpoint = 0');
  import(sums).then(({ defineRowSum }) => {
    defineRowSum(database);
    const write = database.prepare('UPDATE receivers SET seen_at = seen_at + 1');
    try {
      while (true) write.run();
    } catch (error) {
      console.log(error.code === 'SQLITE_FULL' ? 'ready' : error);
    }
    setInterval(() => {}, 1_000);
  });`;
