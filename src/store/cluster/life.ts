import { StoreError } from '../error.ts';
import { joinLog } from '../sqlite/carry-out/join-log.ts';
import { auditKey } from '../sqlite/engine/audit-key.ts';
import { openDatabase, writing } from '../sqlite/engine/database.ts';
import { lockInstance } from '../sqlite/engine/instance-lock.ts';
import { expectSchema } from '../sqlite/engine/migrate.ts';
import { knownLog } from '../sqlite/log/known-log.ts';
import { type ClusterState, clusterState } from './cluster-state.ts';
import { haltError } from './halt.ts';
import { stateOf } from './join.ts';
import { openLevelBooks, type SharedBooksOrder } from './open-books.ts';
import { programVersion } from './program-version.ts';
import { removeRecentEntries } from './recent-entries.ts';
import type { LogHead } from './shared-log.ts';

/** What a database brings along when a cluster begins with it. */
export interface Beginning {
  readonly installation: string;
  readonly version: string;
  /** Of a database that has left a log: its chain at the last entry of that. */
  readonly leftAt: Uint8Array | null;
}

/**
 * Makes ready the database with which a cluster begins: it gets a log of its own and a key of the audit chain, where it has none. Changes
 * nothing of a database that is ready, or that belongs to a cluster.
 *
 * @throws StoreError when there is no database, or another process uses it
 */
export function prepareBeginning({ path, auditKey: keyFile }: Pick<SharedBooksOrder, 'path' | 'auditKey'>): Beginning {
  const key = auditKey(keyFile, path);
  if (key.read() === null) key.make();
  const version = programVersion();
  const state = stateOf(path);
  if (state !== null) return { installation: state.installation, version, leftAt: null };
  const database = openDatabase(path);
  try {
    expectSchema(database);
    joinLog(database);
    const leftAt = clusterState(database).leftAt();
    return { installation: knownLog(database)().installation ?? '', version, leftAt };
  } finally {
    database.close();
  }
}

/** A database that is the first of a cluster knows the log that `begin` has seen: its first start needs no other machine to tell the present primary. */
export function noteBegun(path: string, head: Pick<LogHead, 'epoch' | 'timeline'>): void {
  if (stateOf(path) !== null) return;
  const database = openDatabase(path);
  try {
    writing(database, () => clusterState(database).see(head))();
  } finally {
    database.close();
  }
}

/** Carries out everything that the log has. @throws StoreError while another process of this machine uses the database */
async function carriedOutAll(order: SharedBooksOrder): Promise<ClusterState> {
  lockInstance(order.path, 'exclusive').release(); // no `serve` of this machine
  await using open = await openLevelBooks({ ...order, evenLeft: true });
  const [{ halt }, state, head] = [open.books, open.books.state(), await open.log.head()];
  if (halt !== null) throw haltError(halt);
  if (state.seq < head.seq)
    throw new StoreError('busy', `Entry ${head.seq} came meanwhile; entry ${state.seq} is carried out.`, {
      hint: 'Stop what writes on other machines, and run it again.',
    });
  return state;
}

/**
 * Makes the database one of a machine alone again: everything that the log has is carried out before. `markLeft` marks the log, and refuses
 * while other nodes live.
 *
 * @throws StoreError
 */
export async function leaveCluster(
  order: SharedBooksOrder,
  markLeft: (node: string) => Promise<void>,
): Promise<{ readonly seq: number }> {
  const { node } = await carriedOutAll(order);
  await markLeft(node); // from here on nothing is appended
  const { seq } = await carriedOutAll(order);
  const lock = lockInstance(order.path, 'exclusive');
  const database = openDatabase(order.path);
  try {
    writing(database, () => clusterState(database).leave())();
  } finally {
    database.close();
    lock.release();
  }
  removeRecentEntries(order.path);
  return { seq };
}
