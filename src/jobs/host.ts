import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { plain } from '../config/plain.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { KeyPair } from '../domain/environment.ts';
import { KeptThread, startThread } from '../package-root.ts';
import type { AckMemory } from '../receive/ack-memory.ts';
import type { Operations } from '../store/operations.ts';
import type { OperationsChannel } from '../store/operations-channel.ts';
import type { Clock } from '../time/clock.ts';
import { plannedJobs } from './catalogue.ts';
import { holderName, type JobsConfig } from './job.ts';
import { logAlert } from './log-alert.ts';
import { logChecked } from './log-checked.ts';
import { Looking } from './looking.ts';
import type { FromJobs, JobsData, Looked, ToJobs } from './messages.ts';
import type { JobMetrics } from './metrics.ts';
import type { RanJob } from './schedule.ts';

/** The scheduled jobs of `serve`. */
export interface Background {
  /** What `serve` knows of itself changed. */
  report(report: ServeReport): void;
  /** Later runs use these. */
  reloadKeys(keyPairs: readonly KeyPair[]): void;
  /** How everything stands, by a look of the thread that is seconds old at most; null when there is none. */
  look(): Promise<Looked | null>;
  /** Ends the jobs and releases their leases; after `graceMs` it terminates the thread, and the leases run out. */
  stop(graceMs: number): Promise<void>;
}

export interface BackgroundParts {
  /** Opens a channel to the operations, one per started thread. */
  readonly connectOperations: () => OperationsChannel;
  readonly operations: Operations;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: JobMetrics;
  /** What `serve` knows of itself at the start. */
  readonly report: ServeReport;
  readonly acks: AckMemory;
}

/**
 * Heap limits of the jobs' thread, in MiB, because Node sizes a thread's heap by the machine's memory. The largest response
 * that the client accepts, 200,000 values in 4 MiB, needs 96 MiB while it is read (measured); a thread without it ends.
 */
const YOUNG_MB = 4;
const OLD_MB = 128;
/** Share of the grace time for releasing jobs that did not end in time. */
const RELEASE_SHARE = 0.25;
/** Wait before the plan of an earlier configuration is removed after a failure. */
const UNPLAN_AGAIN_MS = 5_000;

/**
 * Starts the jobs' thread when a scheduled job can run here, else at the first look. A thread that ends is started again.
 */
export async function startBackground(config: Config, parts: BackgroundParts): Promise<Background> {
  if (plannedJobs(config).length > 0) return new JobsThread(config, parts);
  const background = idle(config, parts);
  await background.unplan();
  return background;
}

/** Without jobs the first scrape of the metrics starts the thread. */
function idle(config: Config, parts: BackgroundParts): Background & { unplan(): Promise<void> } {
  const { operations, log } = parts;
  let again: NodeJS.Timeout | undefined;
  let latest = config;
  let reported = parts.report;
  let thread: JobsThread | null = null;
  return {
    /** Removes the plan of an earlier configuration. */
    async unplan() {
      try {
        await operations.jobs.plan({ jobs: [] });
      } catch (error) {
        log.error({ err: error }, 'the old schedule could not be removed from the database; it is tried again');
        again = setTimeout(() => this.unplan(), UNPLAN_AGAIN_MS).unref();
      }
    },
    report(report) {
      reported = report;
      thread?.report(report);
    },
    reloadKeys(keyPairs) {
      latest = { ...latest, keyPairs };
      thread?.reloadKeys(keyPairs);
    },
    look() {
      thread ??= new JobsThread(latest, { ...parts, report: reported });
      return thread.look();
    },
    async stop(graceMs) {
      clearTimeout(again);
      await thread?.stop(graceMs);
    },
  };
}

class JobsThread implements Background {
  readonly #parts: BackgroundParts;
  #config: JobsConfig;
  #report: ServeReport;
  readonly #thread: KeptThread<ToJobs, FromJobs>;
  readonly #looking = new Looking(() => this.#thread.post({ type: 'look' }));

  constructor(config: Config, parts: BackgroundParts) {
    const { receiver: _, admin: __, callback: ___, log: ____, file: _____, ...jobsConfig } = config;
    this.#config = jobsConfig;
    this.#parts = parts;
    this.#report = parts.report;
    this.#thread = new KeptThread({
      name: 'jobs thread',
      start: () => this.#start(),
      receive: (message) => this.#receive(message),
      log: parts.log,
    });
  }

  report(report: ServeReport): void {
    this.#report = report;
    this.#thread.post({ type: 'report', report });
  }

  reloadKeys(keyPairs: readonly KeyPair[]): void {
    this.#config = { ...this.#config, keyPairs };
    this.#thread.post({ type: 'keys', keyPairs: plain(keyPairs) });
  }

  look(): Promise<Looked | null> {
    return this.#looking.look();
  }

  stop(graceMs: number): Promise<void> {
    const late = 'jobs did not end in time; they run again when their leases are over';
    return this.#thread.stop({ type: 'stop', graceMs: graceMs * (1 - RELEASE_SHARE) }, graceMs, late);
  }

  #start(): Worker {
    const port = this.#parts.connectOperations();
    const data: JobsData = {
      config: plain(this.#config),
      holder: holderName('serve'),
      port,
      report: this.#report,
      acks: this.#parts.acks.shared,
      traced: this.#parts.log.isLevelEnabled('debug'),
    };
    return startThread('jobs/thread', {
      workerData: data,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
  }

  #receive(message: FromJobs): void {
    const { log, metrics } = this.#parts;
    if (message.type === 'ran') {
      metrics.ran(message.ran);
      logRun(log, message.ran, message.isEarly);
    } else if (message.type === 'counts') metrics.counted(message.job, message.counts);
    else if (message.type === 'looked') this.#looking.looked(message.looked);
    else if (message.type === 'states') metrics.setStates(message.states);
    else if (message.type === 'checked') logChecked(log, message.checked);
    else if (message.type === 'alert') logAlert(log, message.message);
    else if (message.type === 'warning') log.warn(message.text);
    else log.error({ reason: message.message, hint: message.hint }, `the jobs thread failed at ${message.doing}`);
  }
}

/** One log line per run; at level debug for one without anything to do, and for an early one: there may be one a second. */
function logRun(log: Logger, { run, outcome, detail, tookMs, counts, accepted }: RanJob, isEarly: boolean): void {
  const facts = { job: run.job, run: run.run, outcome, detail, tookMs: Math.round(tookMs) };
  const idle = outcome === 'done' && counts !== undefined && Object.values(counts).every((count) => count === 0);
  if (!accepted)
    log.warn(facts, 'job ended, and its result was not recorded: its lease was over, or the database took no write');
  else if (outcome === 'failed') log.error(facts, 'job failed');
  else if (idle) log.debug(facts, 'job had nothing to do');
  else if (isEarly && outcome === 'done') log.debug(facts, 'job ended');
  else log.info(facts, `job ${outcome === 'stopped' ? 'stopped early' : 'ended'}`);
}
