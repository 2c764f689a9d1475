import { writing } from '../sqlite/engine/database.ts';
import { clusterState } from './cluster-state.ts';
import { digestVerdict } from './digest-verdict.ts';
import type { OpenSharedBooks } from './open-books.ts';

/** Tells the log what this node wrote up to the last entry where nodes compare it, and stops the node when it differs from the majority. */
export async function compareDigests(
  { books, log, database }: Pick<OpenSharedBooks, 'books' | 'log' | 'database'>,
  node: string,
): Promise<void> {
  const { comparedSeq: seq, comparedDigest: digest, stopped } = books.state();
  if (seq === 0 || stopped !== null) return;
  const own = { seq, node, digest };
  await log.putDigest(own);
  const { diverged, others } = digestVerdict(own, await log.digestsAt(seq));
  if (!diverged) return;
  const reason = `up to entry ${seq} it wrote other rows than ${others.join(', ')}`;
  writing(database, () => clusterState(database).stop(reason))();
}
