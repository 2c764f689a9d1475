import { crc32 } from 'node:zlib';
import type { Database } from '../sqlite/engine/database.ts';

/** Sums stay exact numbers. */
const MODULUS = 2 ** 48;

export interface WrittenRows {
  /** Counts what `work` writes. */
  during<Result>(work: () => Result): Result;
  /** The sum of what was counted since the last call. */
  take(): number;
}

/**
 * What a connection writes, as one number. The engine asks for the checksum of each row that a write adds, changes or removes
 * (engine/row-sums), so that these checksums, added up, tell two writes apart whose rows differ. Their order does not count: it is the engine's.
 */
export function writtenRows(database: Database): WrittenRows {
  let isCounting = false;
  let sum = 0;
  database.function('row_sum', { deterministic: true }, (text: string) => {
    const one = crc32(text);
    if (isCounting) sum = (sum + one) % MODULUS;
    return BigInt(one);
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
      const taken = sum;
      sum = 0;
      return taken;
    },
  };
}
