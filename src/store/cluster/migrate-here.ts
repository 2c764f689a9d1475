import { StoreError } from '../error.ts';
import { openDatabase } from '../sqlite/engine/database.ts';
import { lockInstance } from '../sqlite/engine/instance-lock.ts';
import { migrate, migrations, schemaVersion } from '../sqlite/engine/migrate.ts';
import { type ClusterState, clusterState, knownLogOf } from './cluster-state.ts';
import { unpackWrite } from './entry.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openSharedLog } from './open-log.ts';
import { programVersion } from './program-version.ts';
import type { SharedEntry } from './shared-log.ts';

/**
 * Brings the schema of a database up to date where its next entry says that this program's rules decide from there on: every machine does so
 * at the same entry, at the time of that entry. Does nothing for a database of this program's schema.
 *
 * @throws StoreError `fell_behind` while the cluster has not moved on to this program, or has other entries before
 */
export async function migrateHere({ path, cluster }: SharedBooksOrder): Promise<void> {
  const database = openDatabase(path);
  const lock = lockInstance(path, 'shared');
  try {
    if (schemaVersion(database) >= migrations().length) return; // a newer one is refused when it is opened
    const state = clusterState(database).get();
    const log = await openSharedLog(cluster.log, { name: cluster.node, known: knownLogOf(state) });
    const [next] = await log.read(state, 1).finally(() => log.close());
    if (next === undefined || !isMigration(next)) throw notYet(state, next);
    migrate(database, next.atMs);
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
