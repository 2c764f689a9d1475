import { randomBytes } from 'node:crypto';
import { StoreError } from '../error.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { withLateStatements } from '../sqlite/engine/late-statements.ts';
import { CHAIN_START, type KnownLog, type LogHead, type LogPlace } from './shared-log.ts';

/** How far a database has carried out the shared log, and what it knows of it. */
export interface ClusterState {
  readonly installation: string;
  readonly epoch: number;
  readonly timeline: number;
  /** The id of this copy of the database. */
  readonly node: string;
  /** Entry 1 of the shared log counts as this number plus 1 in the database. */
  readonly base: number;
  /** The last entry carried out, its chain and its time. */
  readonly seq: number;
  readonly chain: Uint8Array;
  readonly atMs: number;
  /** The program whose rules decide. */
  readonly version: string;
  /** The settings that all machines share, as text; null before the first. */
  readonly settings: string | null;
  /** Of all that was written. */
  readonly digest: Uint8Array;
  /** As it was at the last entry where machines compare it; seq 0 before that. */
  readonly comparedSeq: number;
  readonly comparedDigest: Uint8Array;
  /** The last entry that asked for sums of the tables, and its time; the digest of the sums there, null until they are summed. */
  readonly summedSeq: number;
  readonly summedAtMs: number;
  readonly summedDigest: Uint8Array | null;
  /** Why nothing is carried out any more; null while it is. */
  readonly stopped: string | null;
}

/** What carrying out moves on. */
export type Moved = Omit<ClusterState, 'installation' | 'epoch' | 'timeline' | 'node' | 'base' | 'stopped'>;

type Begun = Pick<LogHead, 'installation' | 'epoch' | 'timeline' | 'atMs' | 'version'> & {
  readonly settings: string | null;
};

/** Where a database is in the log from now on, and under which name. */
type Entered = Begun & LogPlace & { readonly node: string };

interface Row {
  readonly cluster: string;
  readonly epoch: number;
  readonly timeline: number;
  readonly node: string;
  readonly base: number;
  readonly seq: number;
  readonly chain: Uint8Array;
  readonly at: number;
  readonly version: string;
  readonly settings: string | null;
  readonly digest: Uint8Array;
  readonly compared_seq: number;
  readonly compared_digest: Uint8Array;
  /** Databases that wait to be migrated do not have these. */
  readonly summed_seq?: number | null;
  readonly summed_at?: number | null;
  readonly summed_digest?: Uint8Array | null;
  readonly stopped: string | null;
}

/** The row of the shared log in a database; the caller holds the transaction of each write. */
export function clusterState(database: Database) {
  const late = withLateStatements(database); // the database may wait to be migrated
  const read = late.prepare<[], Row>('SELECT * FROM carried_out WHERE cluster IS NOT NULL');
  const begunAt = late.prepare<[], Pick<LogHead, 'epoch' | 'timeline'>>(
    'SELECT epoch, timeline FROM carried_out WHERE cluster IS NULL AND timeline IS NOT NULL',
  );
  const leftAt = late.prepare<[], Uint8Array | null>('SELECT chain FROM carried_out WHERE cluster IS NULL').pluck();
  const move = late.prepare<Moved>(`
    UPDATE carried_out SET seq = base + @seq, chain = @chain, at = @atMs, version = @version, settings = @settings, digest = @digest,
      compared_seq = @comparedSeq, compared_digest = @comparedDigest,
      summed_seq = @summedSeq, summed_at = @summedAtMs, summed_digest = @summedDigest`);
  const reach = late.prepare<[number]>('UPDATE carried_out SET seq = base + ?');
  const see = late.prepare<Pick<LogHead, 'epoch' | 'timeline'>>(
    'UPDATE carried_out SET epoch = @epoch, timeline = @timeline',
  );
  const stop = late.prepare<[string]>('UPDATE carried_out SET stopped = ?');
  const choose = late.prepare('UPDATE carried_out SET stopped = NULL, compared_seq = 0, summed_digest = NULL');
  const enter = late.prepare<Omit<Entered, 'seq'>>(`
    UPDATE carried_out SET base = iif(cluster IS NULL, seq, base), cluster = @installation, installation = NULL, epoch = @epoch,
      timeline = @timeline, node = @node, chain = @chain, at = @atMs, version = @version, settings = @settings, digest = @chain,
      compared_seq = 0, compared_digest = @chain, summed_seq = 0, summed_at = @atMs, summed_digest = NULL, stopped = NULL`);
  const summed = late.prepare<{ seq: number; digest: Uint8Array }>(
    'UPDATE carried_out SET summed_digest = @digest WHERE summed_seq = @seq',
  );
  const adopt = late.prepare<{ node: string; epoch: number; timeline: number }>(
    'UPDATE carried_out SET node = @node, epoch = @epoch, timeline = @timeline, stopped = NULL',
  );
  const leave = late.prepare(
    'UPDATE carried_out SET cluster = NULL, node = NULL, stopped = NULL, epoch = NULL, timeline = NULL',
  );
  const find = (): ClusterState | null => {
    const row = read.get();
    return row === undefined ? null : fromRow(row);
  };
  const enterAt = ({ seq, ...entered }: Entered): void => {
    enter.run(entered);
    reach.run(seq);
  };
  return {
    /** Null: the database is of one machine alone. */
    find,
    /** @throws StoreError when the database is of one machine alone */
    get(): ClusterState {
      const state = find();
      if (state === null) throw notOfCluster(database.name);
      return state;
    },
    /** The log that `cluster begin` has seen; null where the database is not the first of a cluster, or carries the log out already. */
    begunAt: (): Pick<LogHead, 'epoch' | 'timeline'> | null => begunAt.get() ?? null,
    /** The chain of the last entry of the log that the database has left; null for one that never was in a cluster, or is in one. */
    leftAt: (): Uint8Array | null => leftAt.get() ?? null,
    /** What is written next reads that the entries up to `seq` are carried out, also where other entries share its transaction. */
    reach: (seq: number): void => void reach.run(seq),
    move: (moved: Moved): void => void move.run(moved),
    see: (head: Pick<LogHead, 'epoch' | 'timeline'>): void =>
      void see.run({ epoch: head.epoch, timeline: head.timeline }),
    stop: (reason: string): void => void stop.run(reason),
    /** It goes on after it stopped, and compares no more what it wrote so far. */
    choose: (): void => void choose.run(),
    /** The database becomes the first of a cluster: the log of its own is carried out, and entry 1 of the shared one comes next. */
    begin: ({ installation, epoch, timeline, atMs, version, settings }: Begun): void =>
      enterAt({ installation, epoch, timeline, atMs, version, settings, node: drawnId(), seq: 0, chain: CHAIN_START }),
    /** A backup becomes the database of a machine that has carried out the log up to there. */
    restore: enterAt,
    /** The tables were summed as they were at the entry that asked for it. */
    summed: (seq: number, digest: Uint8Array): void => void summed.run({ seq, digest }),
    /** A copy of another machine's database becomes that of this one; `node`: the id that its database had before. */
    adopt: ({ epoch, timeline }: Pick<LogHead, 'epoch' | 'timeline'>, node = drawnId()): void =>
      void adopt.run({ node, epoch, timeline }),
    /** The database is of one machine alone again; its next own entry comes behind those of the shared log. */
    leave: (): void => void leave.run(),
  };
}

/** 128 random bits, in hexadecimal. */
export function drawnId(): string {
  return randomBytes(16).toString('hex');
}

/** What a connection to the log compares it with; null before the machine has joined. */
export function knownLogOf(state: ClusterState): KnownLog;
export function knownLogOf(state: ClusterState | null): KnownLog | null;
export function knownLogOf(state: ClusterState | null): KnownLog | null {
  if (state === null) return null;
  const { installation, epoch, timeline, seq, chain } = state;
  return { installation, epoch, timeline, place: { seq, chain } };
}

/**
 * As `knownLogOf`, of a machine that may be elsewhere in the log than its database says. Another installation is refused, and a server of an
 * earlier timeline: it is the old primary.
 */
export function knownAnywhere(state: ClusterState | null): KnownLog | null {
  return state && { ...knownLogOf(state), place: null };
}

function notOfCluster(path: string): StoreError {
  return new StoreError('cluster_refused', `The database ${path} does not belong to a cluster yet.`, {
    hint: 'Run where the first database is: tallyhook cluster begin. After `tallyhook cluster leave`, take cluster.url out of the configuration.',
  });
}

function fromRow({ cluster: installation, at: atMs, base, seq, ...row }: Row): ClusterState {
  const { epoch, timeline, node, chain, version, settings, digest, stopped } = row;
  return {
    ...{ installation, epoch, timeline, node, base, seq: seq - base, chain, atMs, version, settings, digest, stopped },
    comparedSeq: row.compared_seq,
    comparedDigest: row.compared_digest,
    summedSeq: row.summed_seq ?? 0,
    summedAtMs: row.summed_at ?? 0,
    summedDigest: row.summed_digest ?? null,
  };
}
