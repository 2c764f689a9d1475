import { existsSync } from 'node:fs';
import { nodeKeyOf } from '../../domain/cluster/node-key.ts';
import { startThread } from '../../package-root.ts';
import { Deadline } from '../../time/deadline.ts';
import { type Append, DeliveryQueue } from '../delivery-queue.ts';
import { StoreError } from '../error.ts';
import type { InboxOptions } from '../inbox.ts';
import { operationsOf } from '../operations-channel.ts';
import { type RowCheck, startRowCheck } from '../sqlite/carry-out/background-checks.ts';
import { BooksThread } from '../sqlite/carry-out/books.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { expectFitFileSystem } from '../sqlite/engine/file-system.ts';
import type { OpenInbox } from '../store.ts';
import { knownLogOf } from './cluster-state.ts';
import { deliveryEntries } from './entry.ts';
import { stateOf } from './join.ts';
import type { AppendEnded, FromSharedBooks, SharedBooksData, ToSharedBooks } from './messages.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog } from './open-log.ts';

/** Young generation of the thread of the books: enough, and less than Node takes on a machine with much memory. */
const YOUNG_MB = 8;

/**
 * Opens the receiving side over the shared log: this thread appends deliveries, and another one carries the log out. Deliveries are kept also
 * while the database cannot be opened or carried on.
 */
export async function openSharedInbox(
  order: SharedBooksOrder,
  { holder = 'a receiver', unsafeFileSystem = false, backlogBytes: _, carryOutAfter: __, ...options }: InboxOptions,
): Promise<OpenInbox> {
  const { path, cluster, time } = order;
  if (!unsafeFileSystem) expectFitFileSystem(path);
  let failure: StoreError | null = null;
  let queue: DeliveryQueue | null = null;
  const onFatal = (error: StoreError) => {
    if (failure !== null) return;
    failure = error;
    queue?.distrust(error);
    options.onFatal(error);
  };
  const deadline = new Deadline();
  const collected = options.onEach !== undefined;
  const thread = startThread('store/cluster/thread', {
    workerData: { ...order, deadline: deadline.shared, holder, collected } satisfies SharedBooksData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const books = await BooksThread.start(thread, options, onFatal);
  let log = await openLog(cluster, knownLogOf(stateOf(path)));
  const toBooks = books.connectAppender();
  toBooks.unref();
  const append: Append = async (groups) => {
    const ended = (how: AppendEnded) => toBooks.postMessage(how);
    try {
      const { kept } = await log.append(deliveryEntries(groups));
      ended({ kept, refused: null });
    } catch (error) {
      ended({ kept: null, refused: (error as Error).message });
      throw error;
    }
  };
  queue = new DeliveryQueue(append, options.limit);
  if (failure !== null) queue.distrust(failure);
  thread.on('message', async (message: FromSharedBooks) => {
    if (message.type !== 'joined_anew') return;
    try {
      const before = log;
      log = await openLog(cluster, knownLogOf(stateOf(path)));
      await before.close();
    } catch (error) {
      onFatal(storeError(error, path));
    }
  });
  let rows: RowCheck | null = null;
  let closing = false;
  // A database of one machine alone may be refused yet: nothing is appended to a log that is not known to be its own.
  let mayKeep = !existsSync(path) || stateOf(path) !== null;
  void books.opened.then(() => {
    mayKeep = true;
    if (!closing)
      rows = startRowCheck({ path, time, deadline: deadline.shared }, (damage) => options.onDamage?.(damage));
  });
  const { operations, close: disconnect } = operationsOf(books.connectOperations());
  const deliveries = queue;
  return {
    operations,
    connectOperations: books.connectOperations.bind(books),
    endWaits: (afterMs) => deadline.set(afterMs),
    noteKeys: (keyPairs) => thread.postMessage({ type: 'keys', keys: keyPairs.map(nodeKeyOf) } satisfies ToSharedBooks),
    keep: (delivery) => (mayKeep ? deliveries.keep(delivery) : Promise.reject(notJoined(path))),
    countRefusals: books.countRefusals.bind(books),
    get depth() {
      return deliveries.depth;
    },
    async close() {
      closing = true;
      await deliveries.drain(); // first: it takes no more deliveries from here on
      await Promise.all([books.close(), rows?.stop()]);
      toBooks.close();
      await log.close();
      disconnect();
    },
  };
}

/** The cluster has not begun with the database yet. */
function notJoined(path: string): StoreError {
  return new StoreError('cluster_unreachable', `The database ${path} is not part of the cluster yet.`, {
    hint: 'Deliveries are kept once the log in PostgreSQL answers and no other process uses the database.',
  });
}
