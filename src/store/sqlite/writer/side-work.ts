import type { Clock } from '../../../time/clock.ts';
import type { StoreError } from '../../error.ts';
import type { Refusal, RefusalCount, WriterWork } from '../../inbox.ts';
import { SIGN_OF_LIFE_MS } from '../../system-state.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import type { OpenFiles } from '../engine/open-files.ts';
import { receiverWrites } from '../write/receivers.ts';
import { refusalWrites } from '../write/refusals.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Faults } from './faults.ts';
import { Uncounted } from './uncounted.ts';

/** Time between two looks at the files of the database when nothing is written, and between two tries to count refusals. */
const LOOK_MS = 1_000;

export interface SideWorkParts {
  readonly database: Database;
  readonly files: OpenFiles;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly checkpoints: Pick<Checkpoints, 'shrinkIfQuiet'>;
  /** Names the process, for a person. */
  readonly holder: string;
}

/** The writer's work that no delivery waits for: counting refusals, signs of life, and looks at the files. */
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
    this.#receivers = receiverWrites(parts.database, parts.holder);
  }

  /** Throws when the first sign of life cannot be written. */
  start(): void {
    const { clock, files, checkpoints } = this.#parts;
    this.#receivers.started(clock.nowMs());
    this.#signs = setInterval(() => {
      this.#do('signs of life', () => this.#receivers.seen(clock.nowMs()));
      this.#do('moving the log', () => checkpoints.shrinkIfQuiet());
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

  #countAll(): void {
    if (this.#uncounted.isEmpty) return;
    this.#do('counting refusals', () => this.#uncounted.write(this.#refusals.add));
  }

  #do(work: WriterWork, act: () => void): void {
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
