import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface CryptoCalls {
  /** Comparisons in constant time. */
  timingSafeEqual: number;
  createHmac: number;
}

/**
 * Counts the calls of Node's crypto during `work`. The time of a comparison cannot be tested; that each comparison is made,
 * and by the function that takes the same time for every content, can.
 */
export async function countingCrypto(work: () => unknown): Promise<CryptoCalls> {
  const calls: CryptoCalls = { timingSafeEqual: 0, createHmac: 0 };
  const { timingSafeEqual, createHmac } = crypto;
  crypto.timingSafeEqual = (...args) => {
    calls.timingSafeEqual++;
    return timingSafeEqual(...args);
  };
  crypto.createHmac = ((...args: Parameters<typeof createHmac>) => {
    calls.createHmac++;
    return createHmac(...args);
  }) as typeof createHmac;
  syncBuiltinESMExports();
  try {
    await work();
    return calls;
  } finally {
    Object.assign(crypto, { timingSafeEqual, createHmac });
    syncBuiltinESMExports();
  }
}
