import { hash as digest } from 'node:crypto';

export { isAscii, isUtf8 } from 'node:buffer';

/** sha256 in hex. */
export function hash(content: string | Uint8Array): string {
  return digest('sha256', content, 'hex');
}
