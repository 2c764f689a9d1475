import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../../error.ts';
import { identityIn, identityOf } from './real-file.ts';

/** The files of one database by the end of their names: the database, its write-ahead log, the index of that, the instance lock. */
type Part = '' | '-wal' | '-shm' | '.lock';

/** The first four bytes of a write-ahead log; the last bit says the order of bytes in its sums. */
const LOG_MAGIC = 0x377f0682;

/**
 * Compares the files behind an open database with the files at its path. A deleted or replaced file stays open and takes
 * every write, but the next start does not find it; of one that was cut, the engine goes on from the pages in its memory. The
 * engine gives no descriptor to ask, and a descriptor of our own would release the engine's locks when it is closed (POSIX locks
 * belong to the process); so the identity is read by name right after opening.
 */
export class OpenFiles {
  readonly #database: Database;
  readonly #file: string;
  readonly #known = new Map<Part, string>();
  /** Of the database at the latest look. */
  #bytes = 0;
  #schemaVersion = 0;

  /** Of a database just opened in write-ahead mode, by its path without symbolic links. */
  constructor(database: Database) {
    this.#database = database;
    this.#file = database.name;
    this.expectAll();
  }

  /**
   * Before a commit, too: it may move pages of the write-ahead log behind the end of a file that was cut, which is long again then, around
   * a hole.
   *
   * @throws StoreError `replaced` when the database is not the file that was opened, or was cut
   */
  expectDatabase(): void {
    this.#expectLength(this.#expect(''));
  }

  /** As `expectDatabase`, and for the write-ahead log: an event is acknowledged only when both still have their names. */
  expectWritten(): void {
    this.expectDatabase();
    this.#expect('-wal');
  }

  /**
   * As `expectWritten`, and for the index of the write-ahead log and the instance lock, which other processes rely on. Of a file that another
   * program emptied in place, such as a rotation of logs, it sees that its beginning is missing.
   */
  expectAll(): void {
    this.expectWritten();
    for (const part of ['-shm', '.lock'] as const) this.#expect(part);
    const log = `${this.#file}-wal`;
    if (this.#known.has('-wal') && statSync(log).size >= 4 && !hasBeginning(log)) throw lost(log, 'was emptied');
  }

  /** Returns how long the file is; null: it is not there, and was not before. */
  #expect(part: Part): number | null {
    const name = this.#file + part;
    const seen = statSync(name, { throwIfNoEntry: false });
    const identity = identityIn(seen);
    const known = this.#known.get(part);
    if (known === undefined && identity !== null) this.#known.set(part, identity);
    if (known !== undefined && identity !== known) {
      throw lost(name, identity === null ? 'was deleted or moved' : 'was replaced by another file');
    }
    return seen?.size ?? null;
  }

  /** The engine makes the file shorter by VACUUM alone, which gives its schema another version before. */
  #expectLength(bytes: number | null): void {
    if (bytes === null) throw lost(this.#file, 'was deleted or moved');
    if (bytes === 0) throw lost(this.#file, 'was emptied');
    if (this.#bytes === 0 || bytes < this.#bytes) {
      const before = this.#schemaVersion;
      this.#schemaVersion = Number(this.#database.pragma('schema_version', { simple: true }));
      if (this.#schemaVersion === before) throw lost(this.#file, `was cut from ${this.#bytes} to ${bytes} bytes`);
    }
    this.#bytes = bytes;
  }
}

function lost(name: string, what: string): StoreError {
  return new StoreError('replaced', `${name} ${what} while the database is open.`, {
    hint: 'Nothing more is acknowledged. Put the file back, or restore a backup: tallyhook restore FILE. Then start again; always stop first.',
  });
}

/** Whether a write-ahead log is there and begins as the engine makes it: what is written behind a missing beginning is read by no start. */
export function hasBeginning(log: string): boolean {
  if (identityOf(log) === null) return false;
  const descriptor = openSync(log, 'r'); // the engine holds no lock on this file, which closing it would release
  try {
    const bytes = Buffer.alloc(4);
    return readSync(descriptor, bytes, 0, 4, 0) === 4 && (bytes.readUInt32BE() & ~1) === LOG_MAGIC;
  } finally {
    closeSync(descriptor);
  }
}
