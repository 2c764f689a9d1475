import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ENVIRONMENT, V8_FLAGS } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { Workplace } from '../workplace.ts';
import { type MetricsPage, readMetrics } from './metrics-page.ts';
import { type CpuTimes, cpuTimes, memory } from './process-facts.ts';
import type { SubjectKind } from './running-subject.ts';
import type { SubjectSettings } from './tallyhook.ts';

const SETTLE_POLL_MS = 50;

export interface SubjectOptions {
  readonly database?: string;
  /** Words before the command line, such as a tracer with its options. */
  readonly wrapper?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** Settings that differ from the defaults. */
  readonly settings?: SubjectSettings;
}

/** One subject in its own process under the same Node. */
export class SubjectProcess {
  readonly kind: SubjectKind;
  readonly port: number;
  readonly pid: number;
  readonly database: string;
  /** Null: its settings open none. */
  readonly dashboardUrl: string | null;
  readonly #child: ChildProcess;
  readonly #adminPort: number | null;

  private constructor(child: ChildProcess, kind: SubjectKind, database: string, started: Started) {
    this.#child = child;
    this.kind = kind;
    this.database = database;
    this.port = started.port;
    this.pid = started.pid;
    this.dashboardUrl = started.dashboardUrl ?? null;
    this.#adminPort = started.adminPort;
  }

  static async start(workplace: Workplace, kind: SubjectKind, options: SubjectOptions = {}): Promise<SubjectProcess> {
    const { database = workplace.path(`${kind}.db`), wrapper = [], nodeOptions = [], settings = {} } = options;
    const script = new URL('./subject.ts', import.meta.url).pathname;
    const [command = process.execPath, ...args] = [
      ...wrapper,
      process.execPath,
      ...V8_FLAGS,
      '--disable-warning=ExperimentalWarning',
      ...nodeOptions,
      script,
      kind,
      database,
      JSON.stringify(settings),
    ];
    // The launcher sets the same variables.
    const cache = packageFile('node_modules', '.cache', 'tallyhook');
    const env = { ...process.env, NODE_COMPILE_CACHE: cache, ...ENVIRONMENT };
    const child = workplace.spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
    const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${kind} ended with code ${code}`)));
    failed.catch(() => {}); // an exit after the start fails the load that runs then
    const [started] = (await Promise.race([once(child, 'message'), failed])) as [Started];
    return new SubjectProcess(child, kind, database, started);
  }

  cpu(): CpuTimes {
    return cpuTimes(this.pid);
  }

  memory(): { rssBytes: number; peakBytes: number } {
    return memory(this.pid);
  }

  /** Null for a subject that has no metrics. */
  async metrics(): Promise<MetricsPage | null> {
    return this.#adminPort === null ? null : readMetrics(this.#adminPort);
  }

  /** Waits until everything kept is carried out, so that the next measurement begins with an idle subject. */
  async settle(): Promise<void> {
    for (;;) {
      const metrics = await this.metrics();
      if (metrics === null || metrics.kept === metrics.carriedOut) return;
      await delay(SETTLE_POLL_MS);
    }
  }

  /** Stops the subject and deletes its database and log. */
  async discard(): Promise<void> {
    await this.stop();
    for (const file of [this.database, this.database.replace(/\.db$/, '.inbox.db')]) {
      for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(file + suffix, { force: true });
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.send('stop');
    await ended;
  }
}

interface Started {
  readonly pid: number;
  readonly port: number;
  readonly adminPort: number | null;
  readonly dashboardUrl?: string | null;
}
