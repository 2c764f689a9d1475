import { type Database, openTransaction } from '../engine/database.ts';
import { hasBeginning } from '../engine/open-files.ts';

/** What the engine keeps for its user in the header of a file: in the main file of a sealed log, and at the end of its write-ahead log. */
const [GOES_ON, IS_WHOLE] = [1, 0] as const;

const WRITE_MARK = { [GOES_ON]: `PRAGMA user_version = ${GOES_ON}`, [IS_WHOLE]: `PRAGMA user_version = ${IS_WHOLE}` };

interface Checkpoint {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Makes the loss of a write-ahead log visible. The main file says that the log goes on in the write-ahead log; the first commit there takes
 * that back. So a reader that meets the mark has no write-ahead log, and any program that moves the one into the other moves that, too:
 * after a clean end, or a reader that was the last one, nothing is missing and the mark is gone.
 */
export class Seal {
  readonly #log: Database;
  readonly #transaction: ReturnType<typeof openTransaction>;
  readonly #mostPages: number;
  /** Pages that were moved right after the mark; undefined: it is not made, or a reader kept it from the main file. */
  #moved: number | undefined;

  /** Of a log that moves its write-ahead log by this alone, at so many pages. */
  constructor(log: Database, mostPages: number) {
    this.#log = log;
    this.#transaction = openTransaction(log);
    this.#mostPages = mostPages;
    log.pragma('wal_autocheckpoint = 0');
  }

  /** Seals the log when the mark was moved over, as by another program that closed it, or when there is much to move. */
  renew(): void {
    const { log, checkpointed } = this.#checkpoint('NOOP');
    if (log > 0 && checkpointed === this.#moved && log - checkpointed < this.#mostPages) return;
    this.#moved = undefined;
    this.#write(GOES_ON);
    const moved = this.#checkpoint('PASSIVE');
    this.#write(IS_WHOLE);
    if (moved.checkpointed === moved.log) this.#moved = this.#checkpoint('NOOP').checkpointed;
  }

  /** Before the clean end: a mark that a fault left is taken back. */
  open(): void {
    if (markOf(this.#log) === GOES_ON) this.#write(IS_WHOLE);
  }

  #write(mark: keyof typeof WRITE_MARK): void {
    this.#transaction.begin();
    try {
      this.#log.exec(WRITE_MARK[mark]);
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      throw error;
    }
  }

  #checkpoint(mode: 'NOOP' | 'PASSIVE'): Checkpoint {
    const [checkpoint] = this.#log.pragma(`wal_checkpoint(${mode})`) as [Checkpoint];
    return checkpoint;
  }
}

/** Whether the write-ahead log of a log is lost. A crash while it was sealed leaves the mark beside a sound one, which counts. */
export function isCut(log: Database): boolean {
  if (markOf(log) !== GOES_ON) return false;
  if (!hasBeginning(`${log.name}-wal`)) return markOf(log) === GOES_ON; // another program may just have closed it
  acceptCut(log); // or closing this connection would move the mark
  return false;
}

/** Goes on with what a log still holds. */
export function acceptCut(log: Database): void {
  log.exec(WRITE_MARK[IS_WHOLE]);
}

function markOf(log: Database): unknown {
  return log.pragma('user_version', { simple: true });
}
