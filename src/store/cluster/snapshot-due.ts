import { startThread } from '../../package-root.ts';
import { DAY_MS } from '../../time/clock.ts';
import { errorOf, type Failure } from '../error.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import type { SnapshotOrder } from './snapshot-thread.ts';

/** A new snapshot is due when the newest one is so old, or so many entries behind. */
const SNAPSHOT_MS = DAY_MS;
const SNAPSHOT_ENTRIES = 200_000;
/** Young generation of the thread. */
const YOUNG_MB = 8;

/**
 * Whether this node is to put a snapshot in now: of the nodes that live and carry out, the first by name does. Two that do it at the same time
 * do harm to nothing.
 */
async function isSnapshotDue({ books, log }: OpenSharedBooks, { cluster }: SharedBooksOrder): Promise<boolean> {
  const { seq, version } = books.state();
  const newest = await log.newestSnapshot();
  const { head, nodes } = await log.status();
  const isOld = newest !== null && seq > newest.seq && head.atMs - newest.atMs >= SNAPSHOT_MS;
  const isOfOther = newest !== null && newest.version !== version && books.halt === null;
  const isOfStopped = nodes.some(({ name, stopped }) => name === newest?.node && stopped !== null);
  if (newest !== null && !isOld && !isOfOther && !isOfStopped && seq - newest.seq < SNAPSHOT_ENTRIES) return false;
  const able = nodes.filter(({ lives, carriedOut, stopped }) => lives && carriedOut !== null && stopped === null);
  return able.map(({ name }) => name).toSorted()[0] === cluster.node;
}

/** Puts a snapshot in beside this thread, which goes on meanwhile. */
function putSnapshotBeside({ path, cluster }: SnapshotOrder): Promise<void> {
  const thread = startThread('store/cluster/snapshot-thread', {
    workerData: { path, cluster } satisfies SnapshotOrder,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  thread.unref();
  return new Promise((resolve, reject) => {
    thread.once('message', (failure: Failure | null) => (failure === null ? resolve() : reject(errorOf(failure))));
    thread.once('error', reject);
  });
}

/** Puts a snapshot in when one is due, one at a time. */
export class DueSnapshots {
  readonly #order: SharedBooksOrder;
  #isUnderWay = false;

  constructor(order: SharedBooksOrder) {
    this.#order = order;
  }

  /** Rejects with what failed; the next look tries it again. */
  async look(open: OpenSharedBooks | null): Promise<void> {
    if (open === null || this.#isUnderWay) return;
    this.#isUnderWay = true;
    try {
      const { path, cluster } = this.#order;
      if (await isSnapshotDue(open, this.#order)) await putSnapshotBeside({ path, cluster });
    } finally {
      this.#isUnderWay = false;
    }
  }
}
