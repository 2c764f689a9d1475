import { StoreError } from '../error.ts';
import { writing } from '../sqlite/engine/database.ts';
import { thisProcess } from '../this-machine.ts';
import { clusterState } from './cluster-state.ts';
import { haltError } from './halt.ts';
import { type OpenSharedBooks, openSharedBooks, type SharedBooksOrder } from './open-books.ts';
import type { NodeDigest, NodeRow } from './shared-log.ts';
import { putSnapshot } from './snapshot.ts';

/** Which nodes wrote the same at one entry. */
export interface DigestVerdict {
  /** This node does not belong to the majority: it stops. */
  readonly diverged: boolean;
  /** The nodes that wrote something else than this one. */
  readonly others: readonly string[];
}

/**
 * Holds the digest of one node against those of the others at the same entry. The majority is right; without one, as between two nodes, all
 * stop until a person chooses.
 */
export function digestVerdict(own: NodeDigest, all: readonly NodeDigest[]): DigestVerdict {
  const same = (one: NodeDigest) => Buffer.from(one.digest).equals(Buffer.from(own.digest));
  const compared = [own, ...all.filter(({ node, seq }) => node !== own.node && seq === own.seq)];
  const others = compared.filter((one) => !same(one)).map(({ node }) => node);
  const agreeing = compared.length - others.length;
  return { diverged: others.length > 0 && agreeing * 2 <= compared.length, others };
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
  const { nodes } = await log.status();
  const told = new Set(all.map((one) => one.node));
  if (nodes.some((one) => isOnItsWay(one) && !told.has(one.name))) return; // it may belong to the majority
  const reason = `up to entry ${seq} it wrote other rows than ${others.join(', ')}`;
  writing(database, () => clusterState(database).stop(reason))();
}

function isOnItsWay({ lives, carriedOut, stopped }: NodeRow): boolean {
  return lives && carriedOut !== null && stopped === null;
}

/**
 * Of nodes that differ, the person chooses this one: it goes on, and its database is put in as the snapshot from which the others are rebuilt.
 * Where the nodes differ, its digest counts for all. `serve` of this machine may run.
 *
 * @throws StoreError `cluster_refused` when it has not stopped
 */
export async function keepThisNode(order: SharedBooksOrder): Promise<{ readonly seq: number }> {
  const open = await openSharedBooks(order, thisProcess());
  try {
    const { books, log, database } = open;
    const { stopped, comparedSeq: seq, comparedDigest: digest } = books.state();
    if (stopped === null) throw notStopped(order.cluster.node);
    for (const { node } of await log.digestsAt(seq)) await log.putDigest({ seq, node, digest });
    writing(database, () => clusterState(database).choose())();
    await books.carryOut();
    if (books.halt !== null) throw haltError(books.halt);
  } finally {
    await open.close();
  }
  const { seq } = await putSnapshot(order);
  return { seq };
}

function notStopped(node: string): StoreError {
  return new StoreError('cluster_refused', `The node ${node} goes on already: it has not stopped.`, {
    hint: 'Run it on the node that is right. Which nodes have stopped: tallyhook cluster status',
  });
}
