import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DAY_MS } from '../../time/clock.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import { failureOf } from '../error.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { openUpkeep } from './open-log.ts';
import { putSnapshot } from './snapshot.ts';

/** What the thread is started with. */
export interface SnapshotOrder {
  readonly path: string;
  readonly cluster: ClusterOptions;
}

/** Puts a snapshot of the database into the log. `starter` gets the only message: null, or why it failed. */
async function run(starter: MessagePort, { path, cluster }: SnapshotOrder): Promise<void> {
  try {
    const { atMs } = await putSnapshot({ path, cluster });
    await using upkeep = await openUpkeep(cluster.log);
    // Where the role may not delete, the entries stay: the snapshot is what counts.
    await upkeep.prune({ beforeMs: atMs - cluster.keepDays * DAY_MS }).catch(() => {});
    starter.postMessage(null);
  } catch (error) {
    starter.postMessage(failureOf(storeError(error, path)));
  }
}

// In the thread that `putSnapshotBeside` starts.
if (parentPort !== null) void run(parentPort, workerData);
