import { crc32 } from 'node:zlib';
import type { Database } from '../sqlite/engine/database.ts';

export interface WrittenRows {
  /** Counts what `work` writes. */
  during<Result>(work: () => Result): Result;
  /** What was counted since the last call. */
  take(): number;
}

/**
 * What a connection writes, as one number. The engine asks for the checksum of each row that a write adds or removes (engine/row-sums); of one
 * that it changes, for both. They are joined by an exclusive or: what a row was meanwhile falls out, and so does the order, which is the
 * engine's. So two writes differ in the number when the rows differ that they leave.
 */
export function writtenRows(database: Database): WrittenRows {
  let isCounting = false;
  let written = 0;
  database.function('row_sum', { deterministic: true }, (text: string) => {
    const sum = crc32(text);
    if (isCounting) written ^= sum;
    return BigInt(sum);
  });
  return {
    during(work) {
      isCounting = true;
      try {
        return work();
      } finally {
        isCounting = false;
      }
    },
    take() {
      const taken = written;
      written = 0;
      return taken;
    },
  };
}
