import type { Upgraded } from '../cluster-port.ts';
import { StoreError } from '../error.ts';
import { openDatabase } from '../sqlite/engine/database.ts';
import { lockInstance } from '../sqlite/engine/instance-lock.ts';
import { migrate, migrations, schemaVersion } from '../sqlite/engine/migrate.ts';
import { type ClusterState, clusterState, knownAnywhere, knownLogOf } from './cluster-state.ts';
import { newEntry, packWrite, unpackWrite } from './entry.ts';
import { hasOwnAhead, stateOf } from './join.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog } from './open-log.ts';
import { textOf } from './plain-value.ts';
import { programVersion } from './program-version.ts';
import type { SharedEntry } from './shared-log.ts';
import { sharedSettings } from './shared-settings.ts';
import { loadSnapshot } from './snapshot.ts';

/** Appends the entry from which the rules of this program, and its settings, decide. */
export async function upgradeCluster(order: SharedBooksOrder): Promise<Upgraded> {
  const { path, cluster } = order;
  const state = stateOf(path);
  if (state === null) throw new StoreError('cluster_refused', `The database ${path} does not belong to a cluster.`);
  const [version, settings] = [programVersion(), sharedSettings(order)];
  await using log = await openLog(cluster, knownAnywhere(state));
  const head = await log.head();
  const changed = [
    ...(head.version === version ? [] : (['program'] as const)),
    ...(state.settings === textOf(settings) ? [] : (['settings'] as const)),
  ];
  if (changed.length === 0) return { version, seq: null, changed };
  const { entries } = await log.append([newEntry(packWrite({ kind: 'migrate', version, settings }))], { version });
  return { version, seq: entries[0]?.seq ?? null, changed };
}

/**
 * Brings the schema of a database up to date where its next entry says that this program's rules decide from there on: every machine does so
 * at the same entry, at the time of that entry. One that has other entries before takes the snapshot of a node that is behind that entry, and
 * returns why that is not the newest one. Does nothing for a database of this program's schema.
 *
 * @throws StoreError `fell_behind` while the cluster has not moved on to this program, or has other entries before
 */
export async function migrateHere({ path, cluster }: SharedBooksOrder): Promise<StoreError | null> {
  const database = openDatabase(path);
  const lock = lockInstance(path, 'shared');
  try {
    if (schemaVersion(database) >= migrations().length) return null; // a newer one is refused when it is opened
    const state = clusterState(database).get();
    await using log = await openLog(cluster, knownLogOf(state));
    const [next] = await log.read(state, 1);
    if (next === undefined || !isMigration(next)) {
      if (!(await hasOwnAhead(log, state.seq))) throw notYet(state, next);
      return (await loadSnapshot(path, log, { node: state.node })).unfit;
    }
    migrate(database, next.atMs);
    return null;
  } finally {
    database.close();
    lock.release();
  }
}

function isMigration({ bytes }: SharedEntry): boolean {
  const write = unpackWrite(bytes);
  return write.kind === 'migrate' && write.version === programVersion();
}

function notYet({ version }: ClusterState, next: SharedEntry | undefined): StoreError {
  const why = next === undefined ? `the cluster still has ${version}` : `entry ${next.seq} is of ${version}`;
  return new StoreError('fell_behind', `This node has ${programVersion()}; ${why}.`, {
    hint: 'Once all entries before are carried out everywhere, run: tallyhook cluster upgrade. Until then it receives only.',
  });
}
