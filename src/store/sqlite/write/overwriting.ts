import type { Database } from '../engine/database.ts';

/** Runs `work` so that deleted content is overwritten with zeros in the file. */
export function overwriting<Result>(database: Database, work: () => Result): Result {
  database.pragma('secure_delete = ON');
  try {
    return work();
  } finally {
    database.pragma('secure_delete = OFF');
  }
}
