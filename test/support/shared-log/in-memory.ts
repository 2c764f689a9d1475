import { createHash } from 'node:crypto';
import {
  CHAIN_START,
  chainOf,
  type KnownLog,
  type LogHead,
  NODE_LIVES_MS,
  NODE_NAME_HELD_MS,
  type NodeDigest,
  type NodeFacts,
  type NodeRow,
  type SharedEntry,
  type SharedLog,
  type SharedLogUpkeep,
  type Snapshot,
} from '../../../src/store/cluster/shared-log.ts';
import type { Unsafe } from '../../../src/store/cluster-port.ts';
import { StoreError } from '../../../src/store/error.ts';

interface KeptSnapshot {
  readonly facts: Snapshot;
  readonly parts: readonly Uint8Array[];
}

/** The log of several machines in memory, as a server keeps it: it outlives those that use it, and a test may change it. */
export class LogInMemory {
  entries: SharedEntry[] = [];
  head: Omit<LogHead, 'seq' | 'chain' | 'atMs'>;
  /** The clock of the server. */
  nowMs: () => number;
  readonly #begunMs: number;
  readonly nodes = new Map<string, NodeFacts & { seenAtMs: number; hasLeft: boolean }>();
  digests: NodeDigest[] = [];
  snapshots: KeptSnapshot[] = [];
  /** The last entry before those that are still there. */
  pruned = 0;
  /** Set by a test: why the server is unsafe. */
  unsafe: Unsafe[] = [];
  /** The id of the node that left. */
  #leftBy: string | null = null;
  /** Set by a test: how far the clocks of all machines are ahead. */
  clockOffsetMs = 0;
  /** Set by a test: what each use of the log meets. */
  fault: StoreError | null = null;
  /** Set by a test: what each reading of entries waits for. */
  beforeRead: () => Promise<void> = async () => {};
  /** Set by a test: called after an append is in the log, before its answer; it may throw in the place of the answer. */
  onAppended: () => void = () => {};

  constructor(nowMs: () => number, version = '') {
    this.nowMs = nowMs;
    this.#begunMs = nowMs();
    this.head = {
      installation: 'installation-of-the-log',
      epoch: 1,
      timeline: 1,
      version,
      hasLeft: false,
      isCopy: false,
    };
  }

  /** The log as one machine's thread uses it. */
  open(name: string, known: KnownLog | null, evenLeft = false): SharedLog {
    const here = () => {
      if (this.fault !== null) throw this.fault;
      if (known !== null && known.installation !== this.head.installation)
        throw new StoreError('cluster_refused', 'The log is of another installation.');
      if (this.head.hasLeft && !evenLeft) throw new StoreError('cluster_refused', 'The machines left the log.');
      if (known === null) return;
      if (known.epoch > this.head.epoch || known.timeline > this.head.timeline)
        throw new StoreError('cluster_unreachable', 'The log is that of a server from before a failover.');
    };
    const keptUpTo = () => ({ epoch: this.head.epoch, timeline: this.head.timeline, seq: this.#last().seq });
    return {
      append: async (entries, { version } = {}) => {
        if (this.head.hasLeft) throw new StoreError('cluster_unreachable', 'The machines left the log.');
        here();
        if (this.head.isCopy) throw new StoreError('cluster_unreachable', 'The log is a copy.');
        if (known?.place && !this.#has(known.place)) throw besideLog();
        const places = entries.map((entry) => {
          const found = this.entries.find(({ id }) => id === entry.id);
          if (found !== undefined) return found;
          const { seq, chain, atMs } = this.#last();
          const added = { ...entry, seq: seq + 1, atMs: Math.max(atMs, this.nowMs()), node: name };
          this.entries.push({ ...added, chain: chainOf(chain, added) });
          return added;
        });
        if (version !== undefined) this.head = { ...this.head, version };
        this.onAppended();
        return { entries: places.map(({ seq, atMs }) => ({ seq, atMs })), kept: keptUpTo() };
      },
      read: async (after, mostBytes) => {
        await this.beforeRead();
        here();
        if (after.seq < this.pruned) throw new StoreError('fell_behind', 'The log no longer has the next entry.');
        if (!this.#has(after)) throw besideLog();
        const read: SharedEntry[] = [];
        let bytes = 0;
        for (const entry of this.entries.slice(after.seq - this.pruned)) {
          read.push(entry);
          bytes += entry.bytes.byteLength;
          if (bytes >= mostBytes) break;
        }
        return read;
      },
      noteKept: () => {},
      chainAt: async (seq) => {
        here();
        return this.#chainAt(seq);
      },
      oldest: async () => {
        here();
        return this.entries[0] ?? null;
      },
      head: async () => {
        here();
        const { seq, chain, atMs } = this.#last();
        return { ...this.head, seq, chain, atMs };
      },
      seen: async (facts) => {
        here();
        this.#see(facts);
        return { clockOffsetMs: this.clockOffsetMs, atMs: this.nowMs() };
      },
      signOff: async (id) => {
        const node = this.nodes.get(id);
        if (node !== undefined) node.hasLeft = true;
      },
      putDigest: async (digest) => {
        here();
        this.digests = [...this.digests.filter(({ seq, node }) => seq !== digest.seq || node !== digest.node), digest];
      },
      digestsAt: async (at) => {
        here();
        return this.digests.filter(({ seq }) => seq === at);
      },
      status: async () => {
        here();
        return this.#status();
      },
      putSnapshot: async (facts, parts) => {
        here();
        const kept: Uint8Array[] = [];
        for await (const part of parts) kept.push(part.slice());
        const digest = digestOfParts(kept);
        const bytes = kept.reduce((sum, part) => sum + part.byteLength, 0);
        const snapshot = {
          ...facts,
          digest,
          bytes,
          id: this.snapshots.length + 1,
          parts: kept.length,
          atMs: this.nowMs(),
        };
        this.snapshots.push({ facts: snapshot, parts: kept });
        return snapshot;
      },
      newestSnapshot: async (before) => {
        here();
        const isOf = ({ facts }: KeptSnapshot) => facts.seq === 0 || this.#has(facts);
        return this.snapshots.findLast((one) => isOf(one) && (!before || one.facts.id < before.id))?.facts ?? null;
      },
      snapshotParts: (snapshot) => this.#partsOf(snapshot),
      close: async () => {},
    };
  }

  upkeep(): SharedLogUpkeep {
    const head = () => ({ ...this.head, ...this.#last() });
    return {
      begin: async ({ installation, version }) => {
        this.head = { ...this.head, installation, version };
        return { head: head(), did: 'made' };
      },
      leave: async (id) => {
        this.#expectAlone(id);
        const by = this.#leftBy ?? id;
        if (by !== id) throw new StoreError('cluster_refused', `The node ${this.nodes.get(by)?.name} left the log.`);
        this.#leftBy = id;
        this.head = { ...this.head, hasLeft: true };
        return head();
      },
      raiseEpoch: async (id) => {
        this.#expectAlone(id);
        this.head = { ...this.head, epoch: this.head.epoch + 1 };
        return head();
      },
      adopt: async () => {
        this.head = { ...this.head, epoch: this.head.epoch + 1, isCopy: false };
        return head();
      },
      prune: async ({ beforeMs }) => {
        const dropped = this.snapshots.slice(0, -2);
        this.snapshots = this.snapshots.slice(-2);
        const upTo = this.snapshots.length < 2 ? 0 : (this.snapshots[0]?.facts.seq ?? 0);
        const before = this.entries.length;
        this.entries = this.entries.filter(({ seq, atMs }) => seq > upTo || atMs >= beforeMs);
        this.pruned += before - this.entries.length;
        return { snapshots: dropped.length, entries: before - this.entries.length };
      },
      close: async () => {},
    };
  }

  /** A failover to a server that did not have the last entries. */
  loseAfter(seq: number): void {
    this.entries = this.entries.filter((entry) => entry.seq <= seq);
    this.head = { ...this.head, timeline: this.head.timeline + 1 };
  }

  #last(): { seq: number; chain: Uint8Array; atMs: number } {
    return this.entries.at(-1) ?? { seq: 0, chain: CHAIN_START, atMs: this.#begunMs };
  }

  #chainAt(seq: number): Uint8Array | null {
    return seq === 0 ? CHAIN_START : (this.entries.find((entry) => entry.seq === seq)?.chain ?? null);
  }

  #has({ seq, chain }: { seq: number; chain: Uint8Array }): boolean {
    const found = this.#chainAt(seq);
    return found !== null && Buffer.from(found).equals(chain);
  }

  #see(facts: NodeFacts): void {
    const nowMs = this.nowMs();
    const other = [...this.nodes.values()].find(
      ({ id, name, seenAtMs, hasLeft }) =>
        id !== facts.id && name === facts.name && !hasLeft && nowMs - seenAtMs < NODE_NAME_HELD_MS,
    );
    if (other !== undefined && facts.carriedOut !== null)
      throw new StoreError('cluster_refused', `Another node ${facts.name} lives.`);
    this.nodes.set(facts.id, { ...facts, seenAtMs: nowMs, hasLeft: false });
  }

  #expectAlone(id: string): void {
    const others = this.#rows().filter((node) => node.id !== id && node.lives);
    if (others.length > 0) throw new StoreError('cluster_refused', `The node ${others[0]?.name} lives.`);
  }

  #rows(): NodeRow[] {
    const nowMs = this.nowMs();
    const { seq, atMs } = this.#last();
    return [...this.nodes.values()].map(({ hasLeft, ...facts }) => ({
      ...facts,
      behind: facts.carriedOut === null ? null : { entries: seq - facts.carriedOut, ms: Math.max(0, nowMs - atMs) },
      clockOffsetMs: this.clockOffsetMs,
      hasSignedOff: hasLeft,
      lives: !hasLeft && nowMs - facts.seenAtMs < NODE_LIVES_MS,
    }));
  }

  #status() {
    const { seq, chain, atMs } = this.#last();
    return {
      head: { ...this.head, seq, chain, atMs },
      nodes: this.#rows(),
      digests: this.digests.toSorted((one, other) => other.seq - one.seq),
      server: { name: 'memory', unsafe: this.unsafe, isOwner: false, isEncrypted: true },
      nowMs: this.nowMs() - this.clockOffsetMs,
    };
  }

  async *#partsOf({ id, digest }: Snapshot): AsyncGenerator<Uint8Array> {
    const found = this.snapshots.find(({ facts }) => facts.id === id);
    if (found === undefined || !digestOfParts(found.parts).equals(digest))
      throw new StoreError('cluster_refused', 'The parts of the snapshot do not have its digest.');
    yield* found.parts;
  }
}

function digestOfParts(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function besideLog(): StoreError {
  return new StoreError('beside_log', 'The log does not have what this node carried out.');
}
