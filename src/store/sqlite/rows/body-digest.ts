import { hash } from 'node:crypto';
import { StoreError } from '../../error.ts';

export interface KeptBody {
  readonly body: Uint8Array;
  readonly body_digest: Uint8Array;
  readonly pruned_at: number | null;
}

/**
 * The digest as hex, once it is the body's own: a damaged row must not pass for what was received. A pruned body is empty,
 * and its digest is what is left of it.
 */
export function checkedDigest(what: string, { body, body_digest: digest, pruned_at: prunedAt }: KeptBody): string {
  const kept = Buffer.from(digest).toString('hex');
  if (prunedAt === null ? hash('sha256', body, 'hex') === kept : body.length === 0) return kept;
  throw new StoreError('corrupt', `The body of ${what} is not the one that was kept: its sha256 differs.`, {
    hint: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  });
}
