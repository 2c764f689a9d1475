import { nodeKeyOf } from '../../domain/cluster/node-key.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import { type Append, DeliveryQueue } from '../delivery-queue.ts';
import { errorOf, isRetryable, StoreError } from '../error.ts';
import type { BooksWork, InboxOptions, Refusal, RefusalCount } from '../inbox.ts';
import { operationsOver } from '../operations.ts';
import { Faults } from '../sqlite/carry-out/faults.ts';
import type { OpenInbox } from '../store.ts';
import { drawnId } from './cluster-state.ts';
import { deliveryEntries, newEntry, packWrite } from './entry.ts';
import { Fitness } from './fitness.ts';
import { keepsNothing } from './node-life.ts';
import { openLog } from './open-log.ts';
import { programVersion } from './program-version.ts';
import { RefusalCounts } from './refusal-counts.ts';
import type { SharedLog } from './shared-log.ts';

/** Time between two signs of life in the log of a receiver that is ready, and of one that is not. */
const SEEN_MS = 5_000;
const AGAIN_MS = 1_000;

/**
 * Opens the receiving side of a machine that only receives: it appends deliveries and counts of refusals, and carries nothing out. It needs no
 * database and no key of the audit chain. While the log does not answer at the start, it is opened, and deliveries are refused.
 *
 * @throws StoreError `cluster_refused` when the log has not begun or was left, or its settings are wrong
 */
export async function openReceiver(
  cluster: ClusterOptions,
  options: Pick<InboxOptions, 'limit' | 'onFault'>,
): Promise<OpenInbox> {
  // It takes over the log that answers first, and that others vouch for where it may be old; from then on it refuses another one, or an earlier timeline.
  const log = await openLog(cluster, null);
  const receiver = new Receiver(log, cluster, options);
  try {
    await receiver.start();
  } catch (error) {
    await log.close();
    throw error;
  }
  const { limit } = options;
  const append: Append = async (groups) => {
    try {
      await log.append(deliveryEntries(groups));
    } catch (error) {
      receiver.fitness.refused((error as Error).message);
      throw error;
    }
  };
  const queue = new DeliveryQueue(append, limit);
  return {
    operations: operationsOver(() => Promise.reject(onlyReceives())),
    connectOperations() {
      throw onlyReceives();
    },
    keep: (delivery) => (receiver.notOpen === null ? queue.keep(delivery) : Promise.reject(receiver.notOpen)),
    countRefusals: (counts, samples) => receiver.countRefusals(counts, samples),
    endWaits() {}, // it has no database
    noteKeys: (keyPairs) => receiver.noteKeys(keyPairs.map(nodeKeyOf)),
    get depth() {
      return queue.depth;
    },
    async close() {
      await queue.drain();
      await receiver.stop();
      await log.close();
    },
  };
}

/** What a receiver does beside deliveries. Its id is drawn for this process, so that machines without a database may share a name. */
class Receiver {
  readonly fitness = new Fitness();
  readonly #log: SharedLog;
  readonly #cluster: ClusterOptions;
  readonly #id = drawnId();
  readonly #faults: Faults;
  readonly #refusals: RefusalCounts;
  #keys: readonly string[];
  #notOpen: StoreError | null = new StoreError('cluster_unreachable', 'The log has not answered yet.');
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isReady = false;
  #isStopping = false;

  constructor(log: SharedLog, cluster: ClusterOptions, { onFault }: Pick<InboxOptions, 'onFault'>) {
    this.#log = log;
    this.#cluster = cluster;
    this.#keys = cluster.keys;
    this.#faults = new Faults((message) => {
      if (message.type === 'fault') onFault?.(message.work, message.failure && errorOf(message.failure));
    });
    this.#refusals = new RefusalCounts(
      (write, id) => log.append([newEntry(packWrite(write), id)]),
      (error) => this.#ended('counting refusals', error),
    );
  }

  /** Why no delivery is kept yet; null once the log has answered. */
  get notOpen(): StoreError | null {
    return this.#notOpen;
  }

  async start(): Promise<void> {
    await this.#look();
    if (this.#notOpen !== null && !isRetryable(this.#notOpen.fault)) throw this.#notOpen;
    this.#lookLater();
  }

  noteKeys(keys: readonly string[]): void {
    this.#keys = keys;
    void this.#look();
  }

  countRefusals(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    this.#refusals.add(counts, samples);
    if (this.#notOpen === null) this.#refusals.send();
  }

  /** Appends the last counts, and gives its place among the living up. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#looking;
    if (this.#notOpen === null) await this.#refusals.close();
    await this.#log.signOff(this.#id).catch(() => {}); // without an answer others see in seconds that it is gone
  }

  async #look(): Promise<void> {
    const work = this.#notOpen === null ? 'signs of life in the log' : 'opening';
    try {
      const { node: name, roles } = this.#cluster;
      const facts = { id: this.#id, name, version: programVersion(), roles, keys: this.#keys };
      await this.#log.seen({ ...facts, schema: null, carriedOut: null, auditKey: null, stopped: this.fitness.stopped });
      const unsafe = keepsNothing(await this.#log.status());
      this.#isReady = unsafe === null;
      this.#notOpen = null;
      this.#refusals.send();
      this.#ended(work, null);
      this.#ended('signs of life in the log', unsafe);
    } catch (error) {
      this.#isReady = false;
      if (this.#notOpen !== null && error instanceof StoreError) this.#notOpen = error;
      this.#ended(work, error);
    }
  }

  #lookLater(): void {
    if (this.#isStopping) return;
    const look = () => {
      this.#looking = this.#look().then(() => this.#lookLater());
    };
    this.#timer = setTimeout(look, this.#isReady ? SEEN_MS : AGAIN_MS);
  }

  #ended(work: BooksWork, error: unknown): void {
    if (error === null) this.#faults.over(work);
    else if (!(error instanceof StoreError)) throw error;
    else if (error.fault !== 'closing') this.#faults.failed(work, error);
  }
}

function onlyReceives(): StoreError {
  return new StoreError('cluster_refused', 'This machine only receives: it has no database.', {
    hint: 'Do it on a machine with the role work. See: tallyhook cluster status',
  });
}
