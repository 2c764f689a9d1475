import { type MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import type { KeyPair } from '../domain/environment.ts';
import { sourceFile } from '../package-root.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';
import { plannedJobs } from './catalogue.ts';
import { holderName, type JobsConfig } from './job.ts';
import { type FromJobs, type JobsData, plain, type ToJobs } from './messages.ts';
import type { JobMetrics } from './metrics.ts';
import type { RanJob } from './schedule.ts';

/** What `serve` does by itself. */
export interface Background {
  /** Runs that begin from now on ask with these. */
  reloadKeys(keyPairs: readonly KeyPair[]): void;
  /** Ends what runs and gives it back; whatever takes longer is cut off, and made good when its lease is over. */
  stop(graceMs: number): Promise<void>;
}

export interface BackgroundParts {
  /** A channel to the writer for each thread that is started. */
  readonly connectOperations: () => MessagePort;
  readonly operations: Operations;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: JobMetrics;
}

/**
 * Node sizes a thread's spaces by the machine's memory; these are enough, and keep the process small. The largest list that
 * the client takes, of 200,000 values in 4 MiB, needs 96 while it is read (measured); a thread that is short of it dies.
 */
const YOUNG_MB = 4;
const OLD_MB = 128;
/** After the thread died; what it ran is made good when its leases are over. */
const RESTART_MS = 5_000;
/** Of the grace, for giving back what did not end in time. */
const GIVE_BACK_SHARE = 0.25;

/** Starts the jobs' thread when something is scheduled that can run here. A thread that dies is started again. */
export async function startBackground(config: Config, parts: BackgroundParts): Promise<Background> {
  const { operations, clock, log } = parts;
  if (plannedJobs(config).length === 0) {
    // What was planned before is planned no more.
    await operations.jobs
      .plan({ jobs: [], nowMs: clock.nowMs() })
      .catch((error) => log.error({ err: error }, 'the old schedule stays in the database'));
    return { reloadKeys: () => {}, stop: async () => {} };
  }
  return new JobsThread(config, parts);
}

class JobsThread implements Background {
  readonly #parts: BackgroundParts;
  #config: JobsConfig;
  #thread: Worker;
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(config: Config, parts: BackgroundParts) {
    const { receiver: _, admin: __, callback: ___, log: ____, file: _____, ...ours } = config;
    this.#config = ours;
    this.#parts = parts;
    this.#thread = this.#start();
  }

  reloadKeys(keyPairs: readonly KeyPair[]): void {
    this.#config = { ...this.#config, keyPairs };
    this.#tell({ type: 'keys', keyPairs: plain(keyPairs) });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread.threadId === -1) return; // it is dead
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.#tell({ type: 'stop', graceMs: graceMs * (1 - GIVE_BACK_SHARE) });
    const late = setTimeout(() => {
      this.#parts.log.warn('jobs did not end in time; what they held is free when its lease is over');
      thread.terminate();
    }, graceMs);
    await ended;
    clearTimeout(late);
  }

  #start(): Worker {
    const port = this.#parts.connectOperations();
    const data: JobsData = { config: plain(this.#config), holder: holderName('serve'), port };
    const thread = new Worker(sourceFile('jobs/thread'), {
      workerData: data,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
    thread.on('message', (message: FromJobs) => this.#hear(message));
    thread.on('error', (error) => this.#parts.log.error({ err: error }, 'the jobs failed'));
    thread.on('exit', () => this.#startAgain());
    return thread;
  }

  #startAgain(): void {
    if (this.#stopping) return;
    this.#parts.log.error({ afterMs: RESTART_MS }, 'the jobs have ended by themselves; they are started again');
    this.#restart = setTimeout(() => {
      this.#thread = this.#start();
    }, RESTART_MS);
  }

  #hear(message: FromJobs): void {
    const { log, metrics } = this.#parts;
    if (message.type === 'ran') {
      metrics.ran(message.ran);
      logRun(log, message.ran);
    } else if (message.type === 'states') metrics.stand(message.states);
    else if (message.type === 'warning') log.warn(message.text);
    else log.error({ reason: message.message, hint: message.hint }, `a fault of the jobs while ${message.doing}`);
  }

  #tell(message: ToJobs): void {
    this.#thread.postMessage(message);
  }
}

/** A run that found nothing to do is worth a line only for whoever looks closely: there is one every minute. */
function logRun(log: Logger, { run, outcome, detail, tookMs, counts, accepted }: RanJob): void {
  const facts = { job: run.job, run: run.run, outcome, detail, tookMs: Math.round(tookMs) };
  const idle = outcome === 'done' && counts !== undefined && Object.values(counts).every((count) => count === 0);
  if (!accepted) log.warn(facts, 'job ended after somebody else had taken over');
  else if (outcome === 'failed') log.error(facts, 'job failed');
  else if (idle) log.debug(facts, 'job had nothing to do');
  else log.info(facts, `job ${outcome === 'stopped' ? 'given back' : 'ended'}`);
}
