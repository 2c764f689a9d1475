import { createHash } from 'node:crypto';
import type { BeginDid, ClusterNode, ClusterServer } from '../cluster-port.ts';

/*
 * The port of the shared log: every write of several machines, in one order, and what the machines know of each other. Each machine
 * carries the log out in a database of its own. Times (`…Ms`) are milliseconds since 1970, by the clock of the log's server and
 * never by that of a machine. All values are plain, so that threads can pass them on.
 *
 * Words: an entry is *kept* once it survives the loss of the server, as far as the server promises replicas. An entry that is only found in
 * the log may still be lost. The *timeline* rises with each failover of the server; the *epoch* with each restore or move of the log.
 */

/** Most bytes of entries of one read, where many are read. */
export const READ_BYTES = 4 * 1024 * 1024;

/** One write, before it is in the log. */
export interface NewEntry {
  /** 128 random bits in hex, drawn before the first append: the same write keeps its id when it is appended again. */
  readonly id: string;
  /** The version of the program whose rules decide. */
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** An entry of the log: 1, 2, 3 … without gaps. `atMs` never falls from one entry to the next. */
export interface SharedEntry extends NewEntry {
  readonly seq: number;
  readonly atMs: number;
  /** The name of the node that appended it. */
  readonly node: string;
  /** `chainOf` the chain before it and this entry. */
  readonly chain: Uint8Array;
}

/** How far a machine carried out, and the chain there; seq 0 and `CHAIN_START` before the first entry. */
export interface LogPlace {
  readonly seq: number;
  readonly chain: Uint8Array;
}

export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** Returns the sha256 of the chain before an entry and of all that the entry holds. */
export function chainOf(before: Uint8Array, entry: Omit<SharedEntry, 'chain'>): Uint8Array {
  const head = [entry.seq, entry.id, entry.atMs, entry.node, entry.version, ''].join('\n');
  return createHash('sha256').update(before).update(head).update(entry.bytes).digest();
}

/** Every entry up to `seq` is kept, on this timeline of this epoch. */
export interface KeptUpTo {
  readonly epoch: number;
  readonly timeline: number;
  readonly seq: number;
}

export interface Appended {
  /** In the order of the entries: where each of them is, now or since an earlier append of the same id. */
  readonly entries: readonly { readonly seq: number; readonly atMs: number }[];
  readonly kept: KeptUpTo;
}

export interface LogHead extends LogPlace {
  readonly installation: string;
  readonly epoch: number;
  readonly timeline: number;
  /** Of the last entry; of `begin` before the first one. */
  readonly atMs: number;
  /** Of the newest entry that was appended with a version, or of `begin`: this program's rules decide now. */
  readonly version: string;
  /** The machines left the cluster: nothing is appended any more. */
  readonly hasLeft: boolean;
  /** The log was copied to this server or database, and `adopt` did not yet make it the one that counts: nothing may leave for outside. */
  readonly isCopy: boolean;
}

/** What this machine knows of its log. Another installation, a lower epoch or, in one epoch, a lower timeline is refused. */
export interface KnownLog {
  readonly installation: string;
  readonly epoch: number;
  readonly timeline: number;
  /** The log must have this chain there; null for a machine without a database, which follows a higher epoch by itself. */
  readonly place: LogPlace | null;
}

/** The machine for which a log is opened. */
export interface LogUser {
  /** Of the entries that it appends. */
  readonly name: string;
  /** What it knows of the log; null before it has joined. */
  readonly known: KnownLog | null;
  /** It looks, or carries out what is left: a log that was left is opened, too. */
  readonly evenLeft: boolean;
}

/** A node in the log; null where one without a database has nothing to say. */
export interface NodeRow extends Omit<ClusterNode, 'digest' | 'hasDiverged' | 'catchesUp'> {
  /** Drawn once per database, or per process without one: the same id takes its name over at once. */
  readonly id: string;
  /** The digest of its audit key. */
  readonly auditKey: string | null;
}

/** `stopped` of a node that is not level with the log yet, since it was opened: it carries out, and takes nothing to work on. */
export const CATCHING_UP = 'it catches up with the log';

/** What a node says of itself. */
export type NodeFacts = Omit<NodeRow, 'behind' | 'clockOffsetMs' | 'seenAtMs' | 'hasSignedOff' | 'lives'>;

/** A node is alive this long after it was last seen. */
export const NODE_LIVES_MS = 15_000;
/** A name stays with a node this long after it was last seen. */
export const NODE_NAME_HELD_MS = 30_000;

/** The digest of what a node wrote up to `seq`. */
export interface NodeDigest {
  readonly seq: number;
  readonly node: string;
  readonly digest: Uint8Array;
}

/** A node's database at a `seq`, in the log for nodes that join. */
export interface SnapshotFacts extends LogPlace {
  readonly epoch: number;
  readonly node: string;
  readonly version: string;
  readonly schema: number;
  /** The sha256 of all parts, one after the other. */
  readonly digest: Uint8Array;
  readonly bytes: number;
}

export interface Snapshot extends SnapshotFacts {
  readonly id: number;
  readonly parts: number;
  readonly atMs: number;
}

/** Parts are at most this large. */
export const MOST_PART_BYTES = 1024 * 1024;

/** Everything of the log at one time. */
export interface LogStatus {
  readonly head: LogHead;
  readonly nodes: readonly NodeRow[];
  /** Of each node the digests that are still compared, the newest first. */
  readonly digests: readonly NodeDigest[];
  readonly server: ClusterServer;
  /** The server's clock when this was read. */
  readonly nowMs: number;
}

/**
 * The log, for one thread. It connects when it is first used, and again after each loss. Each method rejects with a StoreError:
 * `cluster_unreachable` while the server does not answer within its deadline; `cluster_unsafe` when what is written would not be kept
 * as promised; `cluster_refused` when the settings or the log are wrong; `beside_log` when the log does not have the known place;
 * `fell_behind` when it no longer has the entry after it. After these nothing was written. A log that was left takes nothing more: each method
 * rejects with `cluster_refused`, and only what was opened `evenLeft` reads it.
 */
export interface SharedLog {
  /**
   * Appends in their order, in one transaction, together with what other callers wait for. Resolves once all are kept. An id that is in
   * the log is not appended again: appending the same entries once more is how an append without an answer is looked up. `version`: this
   * program's rules decide from these entries on.
   *
   * @throws StoreError `cluster_unconfirmed` when they may be in the log or not
   */
  append(entries: readonly NewEntry[], options?: { readonly version?: string }): Promise<Appended>;
  /** Kept entries behind `after`, in order, each compared with its chain: at least one where there is any, at most `mostBytes` beyond it. */
  read(after: LogPlace, mostBytes: number): Promise<readonly SharedEntry[]>;
  /** Another thread of this process had an append acknowledged: up to there `read` need not make sure by itself. */
  noteKept(kept: KeptUpTo): void;
  /** Null when the log has no such entry (any more); seq 0 has `CHAIN_START`. */
  chainAt(seq: number): Promise<Uint8Array | null>;
  /** The oldest entry that the log still has, compared with nothing; null without any. */
  oldest(): Promise<SharedEntry | null>;
  head(): Promise<LogHead>;
  /**
   * Notes that this node lives, and measures its clock. Half of the round trip is allowed for.
   *
   * @throws StoreError `cluster_refused` when another node with a database has the name
   */
  seen(facts: NodeFacts): Promise<{ readonly clockOffsetMs: number; readonly atMs: number }>;
  /** The node stops by intent: it lives no more, and its name is free. */
  signOff(id: string): Promise<void>;
  /** The digest of this node at `seq`. */
  putDigest(digest: NodeDigest): Promise<void>;
  digestsAt(seq: number): Promise<readonly NodeDigest[]>;
  status(): Promise<LogStatus>;
  /** Puts a snapshot in as it comes; it counts once it is whole and its bytes have the digest that `parts` returned. */
  putSnapshot(
    facts: Omit<SnapshotFacts, 'digest' | 'bytes'>,
    parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<Snapshot>;
  /** The newest whole one whose place is in the log, and that is older than `before`; null without any. */
  newestSnapshot(before?: Snapshot): Promise<Snapshot | null>;
  /** @throws StoreError `cluster_refused` when a part is gone or the digest differs */
  snapshotParts(snapshot: Snapshot): AsyncIterable<Uint8Array>;
  /** Closes the connections; what waits is rejected with `closing`. */
  close(): Promise<void>;
}

/** What persons do with a log as a whole, as a role that may. */
export interface SharedLogUpkeep {
  /** Makes the log, or brings its tables up to date. */
  begin(order: {
    readonly installation: string;
    readonly version: string;
    /** Of a database that left this log: its chain at the last entry. The log is deleted, and made anew. */
    readonly again: Uint8Array | null;
  }): Promise<{ readonly head: LogHead; readonly did: BeginDid }>;
  /** Marks the log as left. @throws StoreError `cluster_refused` while another node than `id` lives, or when another one left it */
  leave(id: string): Promise<LogHead>;
  /** A restored database counts from here: raises the epoch. @throws StoreError `cluster_refused` while another node than `id` lives */
  raiseEpoch(id: string): Promise<LogHead>;
  /** Makes the log of this database the one that counts, after it was copied here, and raises its epoch. */
  adopt(): Promise<LogHead>;
  /** Deletes all whole snapshots but the two newest, and older entries than the older of them that are also older than `beforeMs`. */
  prune(order: { readonly beforeMs: number }): Promise<{ readonly snapshots: number; readonly entries: number }>;
  close(): Promise<void>;
}
