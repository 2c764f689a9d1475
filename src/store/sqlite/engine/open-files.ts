import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { StoreError } from '../../error.ts';
import { identityOf } from './real-file.ts';

/** The files of one database by the end of their names: the database, its write-ahead log, the index of that, the instance lock. */
const PARTS = ['', '-wal', '-shm', '.lock'] as const;
/** Compared with every commit: an event is acknowledged only when both still have their names. */
const WRITTEN = ['', '-wal'] as const;

type Part = (typeof PARTS)[number];

/** The first four bytes of a write-ahead log; the last bit says the order of bytes in its sums. */
const LOG_MAGIC = 0x377f0682;

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

  /**
   * As `expectWritten`, and for the index of the write-ahead log and the instance lock, which other processes rely on. Of a file that another
   * program emptied in place, such as a rotation of logs, it sees that its beginning is missing.
   */
  expectAll(): void {
    for (const part of PARTS) this.#expect(part);
    const log = `${this.#file}-wal`;
    if (statSync(this.#file).size === 0) throw lost(this.#file, 'was emptied');
    if (this.#known.has('-wal') && !hasItsBeginning(log)) throw lost(log, 'was emptied');
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
    throw lost(name, identity === null ? 'was deleted or moved' : 'was replaced by another file');
  }
}

function lost(name: string, what: string): StoreError {
  return new StoreError('replaced', `${name} ${what} while the database is open.`, {
    hint: 'Nothing more is acknowledged. Put the file back or restore a backup, then start again; always stop first.',
  });
}

/** Whether a write-ahead log is empty, or begins as the engine makes it: what is written behind a missing beginning is read by no start. */
function hasItsBeginning(log: string): boolean {
  const descriptor = openSync(log, 'r'); // the engine holds no lock on this file, which closing it would release
  try {
    const bytes = Buffer.alloc(4);
    return readSync(descriptor, bytes, 0, 4, 0) < 4 || (bytes.readUInt32BE() & ~1) === LOG_MAGIC;
  } finally {
    closeSync(descriptor);
  }
}
