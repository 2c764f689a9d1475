import { existsSync, rmSync, statSync } from 'node:fs';
import type { Rebuilt } from '../cluster-port.ts';
import { StoreError, type StoreFault } from '../error.ts';
import { openCarrier } from '../sqlite/carry-out/open-carrier.ts';
import { type Database, openDatabase, writing } from '../sqlite/engine/database.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { lockInstance } from '../sqlite/engine/instance-lock.ts';
import { expectSchema } from '../sqlite/engine/migrate.ts';
import { knownLog } from '../sqlite/log/known-log.ts';
import { logFileOf } from '../sqlite/log/log-file.ts';
import { nameAside, putInPlace } from '../sqlite/upkeep/restore.ts';
import { type ClusterState, clusterState, knownAnywhere } from './cluster-state.ts';
import { expectSameAuditKey } from './node-life.ts';
import { type Lost, offerLost } from './offer-lost.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import { openLog } from './open-log.ts';
import { textOf } from './plain-value.ts';
import { programVersion } from './program-version.ts';
import { removeRecentEntries } from './recent-entries.ts';
import type { KnownLog, LogHead, SharedLog } from './shared-log.ts';
import { sharedSettings } from './shared-settings.ts';
import { loadSnapshot, putSnapshot } from './snapshot.ts';

/**
 * Makes the database one of the cluster: an empty place becomes a copy of the newest snapshot, and the database whose installation the log
 * has becomes its first one. Does nothing for a database of the cluster.
 *
 * Returns why the newest snapshot was not the one that was loaded; null for every other way.
 *
 * @throws StoreError `cluster_refused` for a database of another installation; `fell_behind` while there is no snapshot yet
 */
export async function joinCluster(order: SharedBooksOrder, nowMs: () => number): Promise<StoreError | null> {
  const { path, cluster } = order;
  if (stateOf(path) !== null) return null;
  const isFirst = !isEmpty(path);
  await using log = await openLog(cluster, isFirst ? begunAt(path) : null);
  if (isFirst) {
    await beginHere(order, log, nowMs);
    return null;
  }
  expectSameAuditKey(await log.status(), order, null);
  return (await loadSnapshot(path, log)).unfit;
}

/**
 * Whether an error says that the database cannot go on behind its place in the log; or that the next entries are of another program, when another
 * node is behind them already.
 */
export async function isToJoinAnew(error: unknown, { books, log }: OpenSharedBooks): Promise<boolean> {
  if (!(error instanceof StoreError)) return false;
  if (error.fault === 'beside_log' || error.fault === 'fell_behind') return true;
  return books.halt?.why === 'version' && (await hasOwnAhead(log, books.state().seq));
}

/** Whether the newest snapshot is of this program, and behind this entry. */
export async function hasOwnAhead(log: SharedLog, seq: number): Promise<boolean> {
  const newest = await log.newestSnapshot();
  return newest !== null && newest.version === programVersion() && newest.seq > seq;
}

/**
 * Makes an open database a copy of the newest snapshot. What the log lost of it is offered first; `lost` is null when the log had only moved on.
 *
 * @throws StoreError; it may be called again
 */
export async function joinAnew(
  { path, cluster }: SharedBooksOrder,
  { books, recent }: Pick<OpenSharedBooks, 'books' | 'recent'>,
  fault: StoreFault,
): Promise<{ readonly lost: Lost | null; readonly unfit: StoreError | null }> {
  const state = books.state();
  await using log = await openLog(cluster, knownAnywhere(state));
  const lost = fault === 'beside_log' ? await offerLost(path, state, recent, log) : null;
  const { halt } = books;
  const from = halt?.why === 'restored' ? halt.seq : 0;
  const { unfit } = await loadSnapshot(path, log, { node: state.node, from });
  recent.forget();
  return { lost, unfit };
}

/**
 * Puts the newest snapshot of another node in the place of the database, as after a divergence, and sets that one aside.
 *
 * @throws StoreError `locked` while a process has the database open; `fell_behind` while no other node has put a snapshot in
 */
export async function rebuildFromSnapshot({ path, cluster }: SharedBooksOrder, nowMs: number): Promise<Rebuilt> {
  if (!cluster.roles.includes('work')) throw receivesAlone(cluster.node);
  const state = readableState(path);
  if (state === null && !isEmpty(path)) throw ofOneMachine(path);
  await using log = await openLog(cluster, knownAnywhere(state ?? null));
  const newest = await log.newestSnapshot();
  if (state && newest?.node === cluster.node) throw ownSnapshot(newest.seq);
  const lock = lockInstance(path, 'exclusive');
  try {
    const setAside = nameAside(path, nowMs, 'rebuild');
    const put = (copy: string) => putInPlace(path, copy, setAside);
    const notOf = state ? cluster.node : undefined; // what it has itself is what is to be mended
    const { snapshot, unfit } = await loadSnapshot(path, log, { node: state?.node, notOf, put });
    removeRecentEntries(path);
    return { seq: snapshot.seq, from: snapshot.node, setAside, unfit: unfit?.message ?? null };
  } finally {
    lock.release();
  }
}

/** Null: there is no database, or it is of one machine alone. */
export function stateOf(path: string): ClusterState | null {
  if (isEmpty(path)) return null;
  return reading(path, (database) => (hasState(database) ? clusterState(database).find() : null));
}

/** As `stateOf`; undefined: the database is damaged, and says nothing any more. */
export function readableState(path: string): ClusterState | null | undefined {
  try {
    return stateOf(path);
  } catch (error) {
    if (storeError(error, path).fault === 'corrupt') return undefined;
    throw error;
  }
}

/** The installation of a database of one machine alone; null before its first start. */
function installationOf(path: string): string | null {
  return reading(path, (database) => knownLog(database)().installation);
}

/** What a database that is the first of a cluster knows of the log from `cluster begin`. */
function begunAt(path: string): KnownLog | null {
  const seen = reading(path, (database) => (hasState(database) ? clusterState(database).begunAt() : null));
  return seen && { installation: installationOf(path) ?? '', ...seen, place: null };
}

/** Its own log is carried out, and the shared one goes on behind it. The copy of it is where all others begin. */
async function beginHere(order: SharedBooksOrder, log: SharedLog, nowMs: () => number): Promise<void> {
  const { path, carryOut } = order;
  const head = await log.head();
  if (installationOf(path) !== head.installation) throw ofAnother(path);
  if ((await log.newestSnapshot()) !== null) throw begunBefore(path); // entries may be there: they come next
  const lock = lockInstance(path, 'exclusive');
  try {
    const database = openDatabase(path);
    try {
      expectSchema(database);
      const carrier = openCarrier(database, carryOut);
      carrier.allUntilNow(nowMs);
      carrier.close();
      // From the first entry on, a node with other settings carries nothing out.
      const settings = textOf(sharedSettings(order));
      writing(database, (begun: LogHead) => clusterState(database).begin({ ...begun, settings }))(head);
    } finally {
      database.close();
    }
    for (const end of ['', '-wal', '-shm']) rmSync(`${logFileOf(path)}${end}`, { force: true });
  } finally {
    lock.release();
  }
  await putSnapshot(order);
}

function isEmpty(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

/** Older programs did not have these columns. */
function hasState(database: Database): boolean {
  return (database.pragma('table_info(carried_out)') as { name: string }[]).some(({ name }) => name === 'cluster');
}

function reading<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openDatabase(path, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** What a file holds that the cluster does not go on with. `since`: received after it left a cluster. */
function holdingsOf(path: string): string {
  const { events, since } = reading(path, (database) => {
    const leftMs = hasState(database) ? '(SELECT at FROM carried_out WHERE chain IS NOT NULL)' : 'NULL';
    const counts = `SELECT count(*) AS events, count(*) FILTER (WHERE received_at > ${leftMs}) AS since FROM events`;
    return database.prepare<[], { events: number; since: number }>(counts).get() ?? { events: 0, since: 0 };
  });
  const alone = since === 0 ? '' : `, ${since} of them since it left a cluster`;
  return `It holds books of its own: ${events} events${alone}.`;
}

function ofAnother(path: string): StoreError {
  return new StoreError('cluster_refused', `The database ${path} is not the one with which the cluster began.`, {
    hint: `${holdingsOf(path)} To go on with them, take cluster.url out of the configuration, or begin a cluster in another database of PostgreSQL: tallyhook cluster begin. Move the file away only to join the cluster without them.`,
  });
}

function begunBefore(path: string): StoreError {
  return new StoreError('cluster_refused', `The cluster has begun already; the database ${path} is from before.`, {
    hint: `${holdingsOf(path)} Move it away only if the cluster has them: this node then joins with the newest snapshot.`,
  });
}

function ofOneMachine(path: string): StoreError {
  return new StoreError(
    'cluster_refused',
    `The database ${path} is of one machine alone: nothing is put in its place.`,
    { hint: 'Move it away first; this node then joins by itself.' },
  );
}

function receivesAlone(node: string): StoreError {
  return new StoreError(
    'cluster_refused',
    `The node ${node} only receives, without a database: nothing is rebuilt there.`,
    {
      hint: 'Run it on the machine of the node that differs: tallyhook cluster status names it.',
    },
  );
}

function ownSnapshot(seq: number): StoreError {
  return new StoreError('fell_behind', `The newest snapshot is this node's own, of entry ${seq}.`, {
    hint: 'Another node puts one in within a minute. Or choose this node: tallyhook cluster rebuild --keep --yes',
  });
}
