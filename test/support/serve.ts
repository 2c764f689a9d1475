import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ENVIRONMENT, V8_FLAGS } from '../../cli/runtime.js';
import { killGroup, spawn } from './processes.ts';
import { LAUNCHER } from './program.ts';
import { TEST_KEY_ENV } from './signer.ts';
import { FOUND_ON_PATH } from './tallyhook.ts';
import { until } from './wait.ts';

export interface ServeSetup {
  readonly cwd: string;
  readonly database: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** A program that runs it, such as strace with its options. */
  readonly under?: readonly string[];
  /**
   * The Node it starts on, with its options. Default: this one with the settings of runtime.js, as systemd starts it; without them
   * the launcher starts the process twice.
   */
  readonly node?: readonly string[];
  /** The launcher, where it is not that of the built program. */
  readonly launcher?: string;
  /** Descriptors that it gets as 3, 4 and so on. */
  readonly sockets?: readonly number[];
}

/** The real `tallyhook serve`, on free ports unless `env` says otherwise. */
export class Serve {
  readonly child: ChildProcess;
  /** Log lines and notes so far. */
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor(setup: ServeSetup) {
    const { cwd, database, env = {}, args = [], under = [] } = setup;
    const { node = [process.execPath, ...V8_FLAGS], launcher = LAUNCHER, sockets = [] } = setup;
    const [program = '', ...words] = [...under, ...node, launcher, 'serve', ...args];
    this.child = spawn(program, words, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe', ...sockets],
      env: {
        PATH: process.env.PATH ?? '',
        ...FOUND_ON_PATH,
        TALLYHOOK_DATABASE: database,
        TALLYHOOK_PORT: '0',
        TALLYHOOK_ADMIN_PORT: '0',
        ...TEST_KEY_ENV,
        ...(setup.node === undefined && ENVIRONMENT),
        ...env,
      },
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Resolves when the program listens; rejects with its output when it ends before. */
  static async start(setup: ServeSetup): Promise<Serve> {
    const serve = new Serve(setup);
    await until(() => serve.logged('serving') !== undefined || serve.ended, 'the receiver listens').catch((error) => {
      killGroup(serve.child);
      throw new Error(`${error.message}; its output so far:\n${serve.stderr}`);
    });
    if (serve.ended) throw new Error(`serve ended with code ${serve.child.exitCode}:\n${serve.stderr}`);
    return serve;
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  get url(): string {
    return String(this.logged('serving')?.receiver);
  }

  get adminUrl(): string {
    return String(this.logged('serving')?.admin);
  }

  /** Of the program itself, not of what runs it. */
  get pid(): number {
    return Number(this.logged('serving')?.pid);
  }

  /** The first log line with this message. */
  logged(message: string): Record<string, unknown> | undefined {
    return this.allLogged(message)[0];
  }

  /** Every log line with this message. */
  allLogged(message: string): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.msg === message);
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Kills it, and the program that runs it. */
  async kill(): Promise<void> {
    killGroup(this.child);
    await this.exited;
  }

  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return (await this.exited).code;
  }
}
