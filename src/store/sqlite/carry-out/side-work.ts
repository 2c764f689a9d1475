import { statSync } from 'node:fs';
import type { Clock } from '../../../time/clock.ts';
import type { ProcessName } from '../../caller.ts';
import type { StoreError } from '../../error.ts';
import type { BooksWork, Refusal, RefusalCount } from '../../inbox.ts';
import { SIGN_OF_LIFE_MS } from '../../system-state.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import type { OpenFiles } from '../engine/open-files.ts';
import { receiverWrites } from '../write/receivers.ts';
import { refusalWrites } from '../write/refusals.ts';
import type { Faults } from './faults.ts';
import { Uncounted } from './uncounted.ts';

/** Time between two looks at the files of the database when nothing is written, and between two tries to count refusals. */
const LOOK_MS = 1_000;
/** A write-ahead log up to this size stays: the next writes use it again. */
const KEPT_LOG_BYTES = 4 * 1024 * 1024;

export interface SideWorkParts {
  readonly database: Database;
  readonly files: OpenFiles;
  readonly faults: Faults;
  readonly clock: Clock;
  /** Names the process, for a person. */
  readonly holder: string;
  readonly caller: ProcessName;
}

/** The work beside carrying out: counting refusals, signs of life, looks at the files, and the size of the write-ahead log. */
export class SideWork {
  readonly #parts: SideWorkParts;
  readonly #refusals: ReturnType<typeof refusalWrites>;
  readonly #receivers: ReturnType<typeof receiverWrites>;
  readonly #uncounted = new Uncounted();
  #look: NodeJS.Timeout | undefined;
  #signs: NodeJS.Timeout | undefined;

  constructor(parts: SideWorkParts) {
    this.#parts = parts;
    this.#refusals = refusalWrites(parts.database);
    this.#receivers = receiverWrites(parts.database, parts.holder, parts.caller);
  }

  /** Throws when the first sign of life cannot be written; a lock that is held passes by itself, and the next one writes it. */
  start(): void {
    const { clock, files, database } = this.#parts;
    try {
      this.#receivers.seen(clock.nowMs());
    } catch (error) {
      if (storeError(error, database.name).fault !== 'busy') throw error;
    }
    this.#signs = setInterval(() => {
      this.#do('signs of life', () => this.#receivers.seen(clock.nowMs()));
      this.#do('moving the write-ahead log', () => this.#shrink());
    }, SIGN_OF_LIFE_MS);
    // Without deliveries too: a monitoring system must see a lost file before the next delivery does.
    this.#look = setInterval(() => {
      this.#do('files', () => files.expectAll());
      this.#countAll();
    }, LOOK_MS);
  }

  count(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    this.#uncounted.add(counts, samples);
    this.#countAll();
  }

  stop(): void {
    clearInterval(this.#look);
    clearInterval(this.#signs);
    this.#countAll();
    this.#do('signs of life', () => this.#receivers.stopped(this.#parts.clock.nowMs()));
  }

  /** Empties a large write-ahead log when no process reads in it, so that a burst does not keep the disk. */
  #shrink(): void {
    const { database, files } = this.#parts;
    if ((statSync(`${database.name}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= KEPT_LOG_BYTES) return;
    files.expectWritten();
    const longestMs = database.pragma('busy_timeout', { simple: true });
    database.pragma('busy_timeout = 0');
    try {
      database.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      database.pragma(`busy_timeout = ${longestMs}`);
    }
  }

  #countAll(): void {
    if (this.#uncounted.isEmpty) return;
    this.#do('counting refusals', () => this.#uncounted.write(this.#refusals.add));
  }

  #do(work: BooksWork, act: () => void): void {
    const { database, faults } = this.#parts;
    try {
      act();
      faults.over(work);
    } catch (error) {
      const failure: StoreError = storeError(error, database.name);
      if (failure.fatal) clearInterval(this.#look);
      faults.failed(work, failure);
    }
  }
}
