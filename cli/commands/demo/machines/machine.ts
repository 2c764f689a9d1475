import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Config, loadConfig } from '../../../../src/config/load.ts';
import { TallyhookError } from '../../../../src/domain/error.ts';
import { JOB_NAMES } from '../../../../src/domain/jobs/job.ts';
import { packageFile } from '../../../../src/package-root.ts';
import type { Sandbox } from '../../../../src/sandbox/index.ts';
import { ENVIRONMENT, V8_FLAGS } from '../../../runtime.js';

/** A machine of the demo: a folder with its database and configuration, and its `serve`. */
export class Machine {
  readonly name: string;
  readonly config: Config;
  readonly #folder: string;
  #serve: ChildProcess | null = null;
  /** Where its receiver listens; null while it does not run. */
  #url: string | null = null;
  #lastLine = '';

  /** A machine that asks the sandbox and shares the log at `url`. */
  constructor(name: string, { folder, sandbox, url }: { folder: string; sandbox: Sandbox; url: string }) {
    this.name = name;
    this.#folder = join(folder, name);
    mkdirSync(this.#folder);
    const file = join(this.#folder, 'tallyhook.yaml');
    // Everything is due at once, because the day is over in a second; only the demo itself starts a sweep.
    const settings = {
      ...{ database: 'tallyhook.db', baseUrl: sandbox.url, confirm: { debounceSeconds: 0 } },
      ...{ receiver: { port: 0 }, admin: { port: 0 }, cluster: { url, node: name } },
      schedule: Object.fromEntries(JOB_NAMES.map((job) => [job, null])),
      keys: { test: [sandbox.keys.test] },
    };
    writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
    this.config = loadConfig({ file, env: {}, cwd: this.#folder });
  }

  get url(): string | null {
    return this.#url;
  }

  /** Resolves when its receiver listens. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [...V8_FLAGS, packageFile('cli/tallyhook.js'), 'serve', '--unsafe-file-system'],
      {
        cwd: this.#folder,
        env: { PATH: process.env.PATH ?? '', ...ENVIRONMENT },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // by the channel it ends with this process, however that ends
      },
    );
    this.#serve = child;
    const listening = Promise.withResolvers<string>();
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      this.#lastLine = line;
      if (line.includes('"msg":"serving"')) listening.resolve((JSON.parse(line) as { receiver: string }).receiver);
    });
    child.once('exit', () => {
      this.#url = null;
      listening.reject(new TallyhookError(`Machine ${this.name} ended: ${this.#lastLine}`, { kind: 'failed' }));
    });
    this.#url = await listening.promise;
  }

  /** `SIGKILL`: as a machine that loses power; resolves when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#serve;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** For the end of this process, which waits for nothing. */
  killNow(): void {
    this.#serve?.kill('SIGKILL');
  }
}
