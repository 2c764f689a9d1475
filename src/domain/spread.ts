import { hash } from 'node:crypto';

/**
 * Returns a number from 0 up to 1 that is the same for the same parts, and spread evenly over different ones: for waits that must differ
 * from row to row. It is drawn from nothing but its parts, so that a write which is carried out again sets the same times.
 */
export function spread(...parts: readonly (string | number)[]): number {
  return hash('sha256', JSON.stringify(parts), 'buffer').readUInt32BE(0) / 2 ** 32;
}
