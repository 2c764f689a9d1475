import { hash } from 'node:crypto';
import { StoreError } from '../error.ts';
import { auditKey } from '../sqlite/engine/audit-key.ts';
import { writing } from '../sqlite/engine/database.ts';
import { schemaVersion } from '../sqlite/engine/migrate.ts';
import { clusterState } from './cluster-state.ts';
import { digestVerdict } from './digest-verdict.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import { programVersion } from './program-version.ts';
import { haltError } from './shared-books.ts';

/**
 * Tells the log that this node lives, what it is, and how far it has come.
 *
 * @throws StoreError `cluster_refused` when another node has its name
 */
export async function sayThatItLives(
  { books, log, database }: OpenSharedBooks,
  { cluster, auditKey: keyFile, path }: SharedBooksOrder,
): Promise<void> {
  const { node: id, seq, stopped, epoch, timeline } = books.state();
  const key = auditKey(keyFile, path).read();
  await log.seen({
    ...{ id, name: cluster.node, version: programVersion(), schema: schemaVersion(database), roles: cluster.roles },
    ...{
      carriedOut: seq,
      keys: cluster.keys,
      auditKey: key && hash('sha256', key),
      stopped: stopped ?? haltText(books),
    },
  });
  const head = await log.head();
  books.noteCopy(head.isCopy);
  // What was seen stays in the file: a server that comes back with an earlier timeline is refused, also after a restart.
  if (head.epoch > epoch || (head.epoch === epoch && head.timeline > timeline))
    writing(database, () => clusterState(database).see(head))();
}

function haltText({ halt }: OpenSharedBooks['books']): string | null {
  return halt && haltError(halt, { version: programVersion() }).message;
}

/** @throws StoreError `audit_key` when another node that lives has another key: both would sign the chain */
export async function expectSameAuditKey(
  { log, books }: OpenSharedBooks,
  { auditKey: keyFile, path }: SharedBooksOrder,
): Promise<void> {
  const key = auditKey(keyFile, path).read();
  const own = key && hash('sha256', key);
  const { node: id } = books.state();
  const { nodes } = await log.status();
  const other = nodes.find((node) => node.id !== id && node.lives && node.auditKey !== null && node.auditKey !== own);
  if (other === undefined) return;
  throw new StoreError('audit_key', `The key of the audit chain in ${keyFile} is not the one that ${other.name} has.`, {
    hint: `Copy audit.key from ${other.name} to ${keyFile}, readable for this user alone.`,
  });
}

/** Tells the log what this node wrote up to the last entry where nodes compare it, and stops the node when it differs from the majority. */
export async function compareDigests({ books, log, database }: OpenSharedBooks, node: string): Promise<void> {
  const { comparedSeq: seq, comparedDigest: digest, stopped } = books.state();
  if (seq === 0 || stopped !== null) return;
  const own = { seq, node, digest };
  await log.putDigest(own);
  const all = await log.digestsAt(seq);
  const { diverged, others } = digestVerdict(own, all);
  if (!diverged) return;
  // Nodes that are on their way there may be the majority.
  const { nodes } = await log.status();
  const told = new Set(all.map((one) => one.node));
  if (
    nodes.some(
      ({ name, lives, carriedOut, stopped: why }) => lives && carriedOut !== null && why === null && !told.has(name),
    )
  )
    return;
  const reason = `up to entry ${seq} it wrote other rows than ${others.join(', ')}`;
  writing(database, () => clusterState(database).stop(reason))();
}
