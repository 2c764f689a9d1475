import { MINUTE_MS } from '../../time/clock.ts';
import { isAtWork } from '../cluster-port.ts';
import { StoreError } from '../error.ts';
import { writing } from '../sqlite/engine/database.ts';
import { thisProcess } from '../this-machine.ts';
import type { SharedCarried } from './carry-out.ts';
import { type ClusterState, clusterState } from './cluster-state.ts';
import { newEntry, packWrite } from './entry.ts';
import { haltError } from './halt.ts';
import { type OpenSharedBooks, openLevelBooks, openSharedBooks, type SharedBooksOrder } from './open-books.ts';
import type { NodeDigest } from './shared-log.ts';
import { putSnapshot } from './snapshot.ts';
import { tableSums } from './table-sums.ts';

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

/** A node that has told nothing for so long after a difference was found belongs to no majority: summing large tables takes minutes. */
const WAITED_MS = 10 * MINUTE_MS;

/** Compares what this node wrote, and what its tables hold, with the others. */
export class Comparison {
  readonly #order: Pick<SharedBooksOrder, 'path' | 'cluster'>;
  /** When a difference was found, by the entry. */
  readonly #since = new Map<number, number>();
  readonly #closed = new AbortController();
  #summing = new AbortController();
  #sums: readonly [seq: number, digest: Uint8Array] | null = null;

  constructor(order: Pick<SharedBooksOrder, 'path' | 'cluster'>) {
    this.#order = order;
  }

  /**
   * After each transaction of this process: sums the tables where it carried out the entry that asks for it. The last such entry is compared: where a node
   * catches up on several, a summing ends the one before it.
   */
  async carried({ state: { seq, summedSeq }, seq: last, after }: SharedCarried): Promise<void> {
    if (seq !== summedSeq || last === after) return;
    this.#summing.abort();
    this.#summing = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, this.#summing.signal]);
    const digest = await tableSums(this.#order.path, seq, signal);
    if (digest !== null && !signal.aborted) this.#sums = [seq, digest];
  }

  /**
   * Tells the log what this node wrote up to the last entry where nodes compare it, and what its tables held where they were last summed. Stops
   * the node when either differs from the majority.
   */
  async look({ books, log, database }: OpenSharedBooks): Promise<void> {
    const { node } = this.#order.cluster;
    const [sums, since] = [this.#sums, this.#since];
    if (sums !== null) writing(database, () => clusterState(database).summed(...sums))();
    this.#sums = null;
    for (const { what, ...place } of comparedPlaces(books.state())) {
      if (books.state().stopped !== null) return;
      const own = { ...place, node };
      await log.putDigest(own);
      const all = await log.digestsAt(own.seq);
      const { diverged, others } = digestVerdict(own, all);
      if (!diverged) continue;
      const { nodes, nowMs } = await log.status();
      const told = new Set(all.map((one) => one.node));
      const foundMs = since.get(own.seq) ?? nowMs;
      since.set(own.seq, foundMs);
      const mayTell = nodes.some((one) => isAtWork(one) && !told.has(one.name)); // it may belong to the majority
      if (mayTell && nowMs - foundMs < WAITED_MS) continue;
      const reason = `${what} other rows than ${others.join(', ')}`;
      writing(database, () => clusterState(database).stop(reason))();
    }
  }

  /** Ends a summing. */
  close(): void {
    this.#closed.abort();
  }
}

/** Where this node has something to compare, and what. */
function comparedPlaces({ comparedSeq, comparedDigest, summedSeq, summedDigest }: ClusterState) {
  const written = { seq: comparedSeq, digest: comparedDigest, what: `up to entry ${comparedSeq} it wrote` };
  const summed = { seq: summedSeq, digest: summedDigest, what: `at entry ${summedSeq} its tables held` };
  return [written, summed].flatMap(({ seq, digest, what }) =>
    seq === 0 || digest === null ? [] : { seq, digest, what },
  );
}

/**
 * Of nodes that differ, the person chooses this one: it goes on, and its database is put in as the snapshot from which the others are rebuilt.
 * Where the nodes differ, its digest counts for all. `serve` of this machine may run.
 *
 * @throws StoreError `cluster_refused` when it has not stopped
 */
export async function keepThisNode(order: SharedBooksOrder): Promise<{ readonly seq: number }> {
  await using open = await openSharedBooks(order, thisProcess());
  const { books, log, database } = open;
  const state = books.state();
  if (state.stopped === null) throw notStopped(order.cluster.node);
  for (const { seq, digest } of comparedPlaces(state))
    for (const { node } of await log.digestsAt(seq)) await log.putDigest({ seq, node, digest });
  writing(database, () => clusterState(database).choose())();
  await books.carryOut();
  if (books.halt !== null) throw haltError(books.halt);
  const { seq } = await putSnapshot(order);
  return { seq };
}

/** Appends the entry at which each node sums its tables. */
export async function askForSums(order: SharedBooksOrder): Promise<{ readonly seq: number }> {
  await using open = await openLevelBooks(order);
  if (open.books.halt !== null) throw haltError(open.books.halt);
  const { entries } = await open.log.append([newEntry(packWrite({ kind: 'sums' }))]);
  return { seq: entries[0]?.seq ?? 0 };
}

function notStopped(node: string): StoreError {
  return new StoreError('cluster_refused', `The node ${node} goes on already: it has not stopped.`, {
    hint: 'Run it on the node that is right. Which nodes have stopped: tallyhook cluster status',
  });
}
