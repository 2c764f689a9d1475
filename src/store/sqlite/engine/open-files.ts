import { StoreError } from '../../error.ts';
import { identityOf } from './real-file.ts';

/** The files of one database by the end of their names: the database, its write-ahead log, the index of that, the instance lock. */
const PARTS = ['', '-wal', '-shm', '.lock'] as const;
/** Compared with every commit: an event is acknowledged only when both still have their names. */
const WRITTEN = ['', '-wal'] as const;

type Part = (typeof PARTS)[number];

/**
 * Compares the files behind an open database with the files at its path. A deleted or replaced file stays open and takes
 * every write, but the next start does not find it. The engine gives no descriptor to ask, and a descriptor of our own
 * would release the engine's locks when it is closed (POSIX locks belong to the process); so the identity is read by name
 * right after opening.
 */
export class OpenFiles {
  readonly #file: string;
  readonly #known = new Map<Part, string>();

  /** `file` without symbolic links, just opened in write-ahead mode. */
  constructor(file: string) {
    this.#file = file;
    this.expectAll();
  }

  /** @throws StoreError `replaced` when the database or its write-ahead log is not the file that was opened */
  expectWritten(): void {
    for (const part of WRITTEN) this.#expect(part);
  }

  /** As `expectWritten`, and for the index of the write-ahead log and the instance lock, which other processes rely on. */
  expectAll(): void {
    for (const part of PARTS) this.#expect(part);
  }

  #expect(part: Part): void {
    const name = this.#file + part;
    const identity = identityOf(name);
    const known = this.#known.get(part);
    if (known === undefined) {
      if (identity !== null) this.#known.set(part, identity);
      return;
    }
    if (identity === known) return;
    const what = identity === null ? 'was deleted or moved' : 'was replaced by another file';
    throw new StoreError('replaced', `${name} ${what} while the database is open.`, {
      hint: 'Nothing more is acknowledged. Put the file back or restore a backup, then start again; always stop first.',
    });
  }
}
