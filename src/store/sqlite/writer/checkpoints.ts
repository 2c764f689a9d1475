import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../package-root.ts';
import { errorOf, type Failure } from '../../error.ts';
import type { Database } from '../engine/database.ts';

/** When the log is moved into the database file. */
export interface CheckpointMeasures {
  /** Shortest time between two readings of the log's size, in milliseconds. */
  readonly intervalMs: number;
  /** Fewest unmoved pages of the log for a checkpoint. */
  readonly minPages: number;
  /**
   * From this many pages on the writer's next commit moves the remaining ones, so that the log can begin anew; the thread
   * has moved nearly all of them by then.
   */
  readonly autoPages: number;
}

/**
 * Small and frequent checkpoints: deliveries wait for the disk meanwhile, and ten times as many pages at once double that
 * wait. 8,000 pages are 32 MB; with the engine's default of 1,000 pages deliveries would wait for whole checkpoints.
 */
const MEASURES: CheckpointMeasures = { intervalMs: 10, minPages: 100, autoPages: 8_000 };
/** A file of the log up to this size stays: the next deliveries write it again. */
const KEPT_LOG_BYTES = 4 * 1024 * 1024;
/** Pause after a fault (disk full), before the next checkpoint. */
const FAULT_PAUSE_MS = 1_000;

/** What the checkpoint thread is started with. */
export interface CheckpointerData {
  readonly path: string;
}

/** Messages to the checkpoint thread, and its answer to `checkpoint` and `truncate`. */
export type ToCheckpointer = 'checkpoint' | 'truncate' | 'close';
export interface Checkpointed {
  /** Null after a checkpoint, which moves the pages that no reader holds. */
  readonly failure: Failure | null;
}

interface LogSize {
  /** Pages in the log, and how many of them are in the database file already; -1 without a log. */
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Moves the write-ahead log into the database file on a thread of its own, so that no delivery waits for it: keeping needs
 * only the log's fsync. The thread starts when the log has grown for the first time.
 */
export class Checkpoints {
  readonly #database: Database;
  readonly #start: () => Worker;
  /** Gets the error of each failed checkpoint, and null after each good one. */
  readonly #onEnd: (error: unknown) => void;
  readonly #size: () => LogSize;
  readonly #measures: CheckpointMeasures;
  #worker: Worker | null = null;
  #exited: Promise<unknown> = Promise.resolve();
  #underway = false;
  /** Pages of the log at the last look for quiet. */
  #seenPages = 0;
  #nextAtMs = 0;

  constructor(
    database: Database,
    start: () => Worker,
    onEnd: (error: unknown) => void,
    measures: CheckpointMeasures = MEASURES,
  ) {
    this.#database = database;
    this.#measures = measures;
    this.#start = start;
    this.#onEnd = onEnd;
    database.pragma(`wal_autocheckpoint = ${measures.autoPages}`);
    const noop = database.prepare<[], LogSize>('PRAGMA wal_checkpoint(NOOP)');
    this.#size = () => noop.get() as LogSize;
  }

  /** Called after each turn of the writer: starts a checkpoint when it is time. Monotonic milliseconds. */
  startIfDue(nowMs: number): void {
    if (this.#underway || nowMs < this.#nextAtMs) return;
    this.#nextAtMs = nowMs + this.#measures.intervalMs;
    try {
      const { log, checkpointed } = this.#size();
      if (log - checkpointed >= this.#measures.minPages) this.#order('checkpoint');
    } catch (error) {
      this.#ended(error);
    }
  }

  /** Empties the file of the log once it has hardly grown since the call before, so that a burst does not keep the disk. */
  shrinkIfQuiet(): void {
    const { log } = this.#size();
    const grown = Math.abs(log - this.#seenPages);
    this.#seenPages = log;
    if (this.#underway || grown >= this.#measures.minPages) return;
    if (statSync(`${this.#database.name}-wal`).size > KEPT_LOG_BYTES) this.#order('truncate');
  }

  #order(order: ToCheckpointer): void {
    this.#worker ??= this.#started();
    this.#worker.postMessage(order);
    this.#underway = true;
  }

  /** Ends the thread after its checkpoint: stopping it while it loads the engine would abort the process. */
  async close(): Promise<void> {
    this.#nextAtMs = Number.POSITIVE_INFINITY;
    this.#worker?.postMessage('close' satisfies ToCheckpointer);
    await this.#exited;
  }

  #started(): Worker {
    const worker = this.#start();
    worker.on('message', ({ failure }: Partial<Checkpointed>) => {
      if (failure === undefined) return; // of "node --watch", which reports the thread's modules here
      this.#ended(failure === null ? null : errorOf(failure));
    });
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.on('error', (error) => {
      this.#worker = null;
      this.#ended(error);
    });
    return worker;
  }

  #ended(error: unknown): void {
    this.#underway = false;
    if (error !== null) this.#nextAtMs += FAULT_PAUSE_MS;
    this.#onEnd(error);
  }
}

/** 1 MB of young generation, the smallest there is: the thread makes almost no objects. */
export function startCheckpointer(path: string): Worker {
  return startThread('store/sqlite/writer/checkpoint-thread', {
    workerData: { path } satisfies CheckpointerData,
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
}
