import { hash } from 'node:crypto';
import { StoreError } from '../error.ts';

/** The digest as hex, once it is the body's own: a damaged row must not pass for what was received. */
export function checkedDigest(what: string, body: Uint8Array, digest: Uint8Array): string {
  const kept = Buffer.from(digest).toString('hex');
  if (hash('sha256', body, 'hex') === kept) return kept;
  throw new StoreError('corrupt', `The body of ${what} is not the one that was kept: its sha256 differs.`, {
    hint: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  });
}
