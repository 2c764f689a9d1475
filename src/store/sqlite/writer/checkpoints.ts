import type { Worker } from 'node:worker_threads';
import { errorOf, type Failure } from '../../error.ts';
import type { Database } from '../engine/database.ts';

/** When the log is moved. */
export interface CheckpointMeasures {
  /** While something is written, the log is looked at so often. */
  readonly lookEveryMs: number;
  /** Pages of the log that are worth a checkpoint. */
  readonly worthPages: number;
  /**
   * From so many pages on the writer moves the rest at its next commit, so that the log can begin anew; the thread has
   * moved nearly all of them by then.
   */
  readonly restPages: number;
}

/**
 * Little and often: a delivery waits for the disk while a checkpoint writes, and ten times as much at a time is twice the
 * wait. The rest is 32 MB; with the engine's own measure, 1,000 pages, deliveries would wait for whole checkpoints.
 */
const MEASURES: CheckpointMeasures = { lookEveryMs: 10, worthPages: 100, restPages: 8_000 };
/** After a fault (disk full) the next try is so much later. */
const FAULT_REST_MS = 1_000;

/** What the thread is told, and its answer to `checkpoint`. */
export type ToCheckpointer = 'checkpoint' | 'close';
export interface Checkpointed {
  /** Null when the log was moved as far as readers let it be. */
  readonly failure: Failure | null;
}

interface LogSize {
  /** Pages in the log, and those of them that are in the database file already; -1 when there is no log. */
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Moves the write-ahead log into the database file on a thread of its own, so that no delivery waits for it: keeping
 * needs the log's fsync only. The thread is started when the log has grown for the first time.
 */
export class Checkpoints {
  readonly #start: () => Worker;
  readonly #onFailure: (error: unknown) => void;
  readonly #size: () => LogSize;
  readonly #measures: CheckpointMeasures;
  #worker: Worker | null = null;
  #exited: Promise<unknown> = Promise.resolve();
  #underway = false;
  #nextLookMs = 0;

  constructor(
    database: Database,
    start: () => Worker,
    onFailure: (error: unknown) => void,
    measures: CheckpointMeasures = MEASURES,
  ) {
    this.#measures = measures;
    this.#start = start;
    this.#onFailure = onFailure;
    database.pragma(`wal_autocheckpoint = ${measures.restPages}`);
    const noop = database.prepare<[], LogSize>('PRAGMA wal_checkpoint(NOOP)');
    this.#size = () => noop.get() as LogSize;
  }

  /** After a turn of the writer; monotonic milliseconds. */
  look(nowMs: number): void {
    if (this.#underway || nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + this.#measures.lookEveryMs;
    try {
      const { log, checkpointed } = this.#size();
      if (log - checkpointed < this.#measures.worthPages) return;
      this.#worker ??= this.#started();
      this.#worker.postMessage('checkpoint' satisfies ToCheckpointer);
      this.#underway = true;
    } catch (error) {
      this.#ended(error);
    }
  }

  /** Ends the thread when it has nothing underway: one that is stopped while it loads the engine would abort the process. */
  async close(): Promise<void> {
    this.#nextLookMs = Number.POSITIVE_INFINITY;
    this.#worker?.postMessage('close' satisfies ToCheckpointer);
    await this.#exited;
  }

  #started(): Worker {
    const worker = this.#start();
    worker.on('message', ({ failure }: Checkpointed) => this.#ended(failure === null ? null : errorOf(failure)));
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.on('error', (error) => {
      this.#worker = null;
      this.#ended(error);
    });
    return worker;
  }

  #ended(error: unknown): void {
    this.#underway = false;
    if (error === null) return;
    this.#nextLookMs += FAULT_REST_MS;
    this.#onFailure(error);
  }
}
