import { startThread } from '../../package-root.ts';
import { DAY_MS } from '../../time/clock.ts';
import { isAtWork } from '../cluster-port.ts';
import { errorOf, type Failure } from '../error.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import { CATCHING_UP, type LogStatus, type NodeRow, type Snapshot } from './shared-log.ts';
import type { SnapshotOrder } from './snapshot-thread.ts';

/*
 * What one node does for all: of the nodes that live and carry out, the first by name. Two that do it at the same time do harm to nothing.
 */

/** A new snapshot is due when the newest one is so old, or so many entries behind. */
const SNAPSHOT_MS = DAY_MS;
const SNAPSHOT_ENTRIES = 200_000;
/** The tables are summed this often, unless nothing was written since. */
const SUMS_MS = DAY_MS;
/** Young generation of the thread. */
const YOUNG_MB = 8;

/** Puts a snapshot in, or lets the nodes sum their tables, when that is due; one at a time. */
export class DueWork {
  readonly #order: SharedBooksOrder;
  #isUnderWay = false;
  /** The newest snapshot could not be loaded: this node puts another one in, once it is as far. */
  #isNewestUnfit = false;

  constructor(order: SharedBooksOrder) {
    this.#order = order;
  }

  noteUnfit(): void {
    this.#isNewestUnfit = true;
  }

  /** Rejects with what failed; the next look tries it again. */
  async look(open: OpenSharedBooks | null): Promise<void> {
    if (open === null || this.#isUnderWay) return;
    this.#isUnderWay = true;
    try {
      const { path, cluster } = this.#order;
      const status = await open.log.status();
      const newest = await open.log.newestSnapshot();
      const isFirst = firstOf(status.nodes) === cluster.node;
      const isUnfit = this.#isNewestUnfit && open.books.state().seq >= (newest?.seq ?? 0);
      if (isUnfit || (isFirst && isSnapshotDue(open, status, newest))) await putSnapshotBeside({ path, cluster });
      if (isUnfit) this.#isNewestUnfit = false;
      if (isFirst && areSumsDue(open, status)) await open.books.write({ kind: 'sums' });
    } finally {
      this.#isUnderWay = false;
    }
  }
}

function firstOf(nodes: readonly NodeRow[]): string | undefined {
  return nodes
    .filter(isAtWork)
    .map(({ name }) => name)
    .toSorted()[0];
}

function isSnapshotDue({ books }: OpenSharedBooks, { head, nodes }: LogStatus, newest: Snapshot | null): boolean {
  const { seq, version } = books.state();
  if (newest === null) return true;
  const isOld = seq > newest.seq && head.atMs - newest.atMs >= SNAPSHOT_MS;
  const isOfOther = newest.version !== version && books.halt === null;
  const hasStopped = ({ stopped }: NodeRow) => stopped !== null && stopped !== CATCHING_UP;
  const isOfStopped = nodes.some((node) => node.name === newest.node && hasStopped(node));
  return isOld || isOfOther || isOfStopped || seq - newest.seq >= SNAPSHOT_ENTRIES;
}

function areSumsDue({ books }: OpenSharedBooks, { nowMs }: LogStatus): boolean {
  const { seq, summedSeq, summedAtMs } = books.state();
  return books.halt === null && seq > summedSeq && nowMs - summedAtMs >= SUMS_MS;
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
