import type { NodeRole } from '../domain/cluster/node-role.ts';

/*
 * The part of the port for the log that several machines share, as persons see it. Times are milliseconds since 1970 by the clock of the
 * log's server.
 */

/** A node whose clock is off by this much takes no leases. */
const NODE_CLOCK_OFF_MS = 10_000;

export function isNodeClockOff(offsetMs: number): boolean {
  return Math.abs(offsetMs) >= NODE_CLOCK_OFF_MS;
}

/** What to do where a log was left: it takes nothing more. */
export const LEFT_LOG_HINT =
  'Where `tallyhook cluster leave` ran, take cluster.url out of the configuration: the books go on there. To begin anew, there too: tallyhook cluster begin --again --yes';

/** A node, as it says itself; null where a receiver without a database has nothing to say. */
export interface ClusterNode {
  readonly name: string;
  readonly version: string;
  readonly schema: number | null;
  readonly roles: readonly NodeRole[];
  readonly carriedOut: number | null;
  /** Entries and time that it is behind the head. */
  readonly behind: { readonly entries: number; readonly ms: number } | null;
  /** What it had written, at the last place that all nodes have told of. */
  readonly digest: { readonly seq: number; readonly value: string } | null;
  /** Its digest is another one than that of most nodes; of two, both are. */
  readonly hasDiverged: boolean;
  /** Its key pairs, as `domain/cluster/node-key` names them. */
  readonly keys: readonly string[];
  /** Why it does not go on: it carries nothing out, or the log refuses what it appends; null while it does. */
  readonly stopped: string | null;
  /** It was opened lately, is not level with the log yet, and takes nothing to work on: it is to be behind. */
  readonly catchesUp: boolean;
  /** Positive: its clock is ahead of the server's. */
  readonly clockOffsetMs: number | null;
  readonly seenAtMs: number;
  /** It stopped by intent, and has not come back. */
  readonly hasSignedOff: boolean;
  /** Seen lately, and not signed off. */
  readonly lives: boolean;
}

/** Whether a node carries the log out now. */
export function isAtWork({
  lives,
  carriedOut,
  stopped,
}: Pick<ClusterNode, 'lives' | 'carriedOut' | 'stopped'>): boolean {
  return lives && carriedOut !== null && stopped === null;
}

export const UNSAFE_REASONS = ['no_flush', 'no_whole_pages', 'no_page_sums', 'no_replica', 'replica_away'] as const;

/** Why the server may lose what it acknowledged, in words, and what to do. */
export interface Unsafe {
  readonly reason: (typeof UNSAFE_REASONS)[number];
  readonly text: string;
  readonly next: string;
}

/** The server of the log, and whether it keeps what it acknowledges. */
export interface ClusterServer {
  readonly name: string;
  readonly unsafe: readonly Unsafe[];
  /** The program's role may change and delete entries. */
  readonly isOwner: boolean;
  /** The connection is encrypted. */
  readonly isEncrypted: boolean;
}

export interface ClusterStatus {
  readonly installation: string;
  readonly epoch: number;
  readonly head: {
    readonly seq: number;
    readonly chain: string;
    readonly atMs: number;
    readonly timeline: number;
    readonly version: string;
    readonly hasLeft: boolean;
    readonly isCopy: boolean;
  };
  readonly nodes: readonly ClusterNode[];
  /** Tables of the database that are of one machine. */
  readonly localTables: readonly string[];
  readonly server: ClusterServer;
  /** Files of this machine that list what it had carried out and the log lost. */
  readonly lost: readonly string[];
  readonly nowMs: number;
}

/** What `begin` and `adopt` found or made. */
export interface ClusterHead {
  readonly installation: string;
  readonly epoch: number;
  readonly seq: number;
}

/** What `begin` did with the log: `again` made it anew, after it was left. */
export type BeginDid = 'made' | 'updated' | 'again' | 'nothing';

/** What `upgrade` moved the nodes on to. */
export interface Upgraded {
  readonly version: string;
  /** The entry from which it counts; null: everything was so already. */
  readonly seq: number | null;
  readonly changed: readonly ('program' | 'settings')[];
}

/** What `rebuild` did. */
export interface Rebuilt {
  readonly seq: number;
  /** The node whose database it was. */
  readonly from: string;
  /** The name that the database has now which was there; null: there was none. */
  readonly setAside: string | null;
  /** Why it is not the newest snapshot; null: it is. */
  readonly unfit: string | null;
}

/** Each rejects with a StoreError. */
export interface ClusterPort {
  /** Makes the log, by a role that owns the schema, for the installation of this database. */
  readonly begin: (order: {
    /** Connects as this role instead of that of the settings. */
    readonly owner: { readonly role: string; readonly password: string | null } | null;
    /** Deletes a log that this database has left, with all that it had carried out of it, and makes it anew. */
    readonly again: boolean;
  }) => Promise<ClusterHead & { readonly did: BeginDid }>;
  readonly status: () => Promise<ClusterStatus>;
  /** Appends the entry from which the rules of this program, and its settings, decide. */
  readonly upgrade: () => Promise<Upgraded>;
  /** Makes this a database alone again. Refused while another node lives. */
  readonly leave: () => Promise<{ readonly seq: number }>;
  /** Makes the log on this server the one that counts, after it was copied here. */
  readonly adopt: () => Promise<ClusterHead>;
  /** Resolves when this machine has carried out the entry `seq`; rejects with `busy` after `withinMs`. */
  readonly reached: (seq: number, withinMs: number) => Promise<void>;
  /** Puts the newest snapshot of another node in the place of this database. */
  readonly rebuild: () => Promise<Rebuilt>;
  /** Lets every node sum its tables as they are at one entry, to compare them. */
  readonly compare: () => Promise<{ readonly seq: number }>;
  /** Of nodes that differ this one is right: it goes on, and the others are rebuilt from it. */
  readonly keep: () => Promise<{ readonly seq: number }>;
}
