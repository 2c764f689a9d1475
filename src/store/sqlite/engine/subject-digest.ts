import { createHash, type Hash } from 'node:crypto';
import type { Database } from './database.ts';
import type { SubjectPart } from './subject-rows.ts';

/** Hashes rows one behind the other as one JSON array; no more than one row is in memory. */
export class RowsHash {
  readonly #hash: Hash;
  #rows: number;

  constructor(from?: RowsHash) {
    this.#hash = from === undefined ? createHash('sha256') : from.#hash.copy();
    this.#rows = from === undefined ? 0 : from.#rows;
  }

  add(row: Uint8Array): void {
    this.#hash.update(this.#rows === 0 ? '[' : ',').update(row);
    this.#rows++;
  }

  /** sha256 (hex); null: no rows. Nothing can be added after it. */
  digest(): string | null {
    return this.#rows === 0 ? null : this.#hash.update(']').digest('hex');
  }
}

/** Adds the rows of these parts of a subject to a hash, as they stand now. */
export function subjectReader(database: Database, parts: readonly SubjectPart[]) {
  const statements = parts.map(({ sql }) => database.prepare<{ key: string }, Buffer>(sql(database)).pluck());
  return (hash: RowsHash, key: string): void => {
    for (const statement of statements) for (const row of statement.iterate({ key })) hash.add(row);
  };
}
