import { randomBytes } from 'node:crypto';
import { StoreError } from '../error.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { CHAIN_START, type KnownLog, type LogHead } from './shared-log.ts';

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
  /** Why nothing is carried out any more; null while it is. */
  readonly stopped: string | null;
}

/** What carrying out moves on. */
export type Moved = Pick<
  ClusterState,
  'seq' | 'chain' | 'atMs' | 'version' | 'settings' | 'digest' | 'comparedSeq' | 'comparedDigest'
>;

type Begun = Pick<LogHead, 'installation' | 'epoch' | 'timeline' | 'atMs' | 'version'> & {
  readonly settings: string | null;
};

const COLUMNS = `cluster AS installation, epoch, timeline, node, base, seq - base AS seq, chain, at AS atMs, version, settings, digest,
  compared_seq AS comparedSeq, compared_digest AS comparedDigest, stopped`;

/** The row of the shared log in a database; the caller holds the transaction of each write. */
export function clusterState(database: Database) {
  const read = database.prepare<[], ClusterState>(`SELECT ${COLUMNS} FROM carried_out WHERE cluster IS NOT NULL`);
  const move = database.prepare<Moved>(`
    UPDATE carried_out SET seq = base + @seq, chain = @chain, at = @atMs, version = @version, settings = @settings, digest = @digest,
      compared_seq = @comparedSeq, compared_digest = @comparedDigest`);
  const reach = database.prepare<[number]>('UPDATE carried_out SET seq = base + ?');
  const see = database.prepare<Pick<LogHead, 'epoch' | 'timeline'>>(
    'UPDATE carried_out SET epoch = @epoch, timeline = @timeline',
  );
  const stop = database.prepare<[string]>('UPDATE carried_out SET stopped = ?');
  const choose = database.prepare('UPDATE carried_out SET stopped = NULL, compared_seq = 0');
  const begin = database.prepare<Begun & { readonly node: string; readonly chain: Uint8Array }>(`
    UPDATE carried_out SET cluster = @installation, installation = NULL, epoch = @epoch, timeline = @timeline, node = @node, base = seq,
      chain = @chain, at = @atMs, version = @version, settings = @settings, digest = @chain, compared_seq = 0, compared_digest = @chain,
      stopped = NULL`);
  const adopt = database.prepare<{ node: string; epoch: number; timeline: number }>(
    'UPDATE carried_out SET node = @node, epoch = @epoch, timeline = @timeline, stopped = NULL',
  );
  const leave = database.prepare('UPDATE carried_out SET cluster = NULL, node = NULL, stopped = NULL');
  return {
    /** Null: the database is of one machine alone. */
    find: (): ClusterState | null => read.get() ?? null,
    /** @throws StoreError when the database is of one machine alone */
    get(): ClusterState {
      const state = read.get();
      if (state === undefined) throw notOfCluster(database.name);
      return state;
    },
    /** What is written next reads that the entries up to `seq` are carried out, whatever shares its transaction. */
    reach: (seq: number): void => void reach.run(seq),
    move: (moved: Moved): void => void move.run(moved),
    see: (head: Pick<LogHead, 'epoch' | 'timeline'>): void =>
      void see.run({ epoch: head.epoch, timeline: head.timeline }),
    stop: (reason: string): void => void stop.run(reason),
    /** It goes on after it stopped, and compares no more what it wrote so far. */
    choose: (): void => void choose.run(),
    /** The database becomes the first of a cluster: the log of its own is carried out, and entry 1 of the shared one comes next. */
    begin: ({ installation, epoch, timeline, atMs, version, settings }: Begun): void =>
      void begin.run({ installation, epoch, timeline, atMs, version, settings, node: drawnId(), chain: CHAIN_START }),
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

/** What a connection to the log compares it with. */
export function knownLogOf({ installation, epoch, timeline, seq, chain }: ClusterState): KnownLog {
  return { installation, epoch, timeline, place: { seq, chain } };
}

function notOfCluster(path: string): StoreError {
  return new StoreError('cluster_refused', `The database ${path} does not belong to a cluster yet.`, {
    hint: 'Run where the first database is: tallyhook cluster begin',
  });
}
