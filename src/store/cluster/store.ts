import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Credential } from '../../domain/access/proof.ts';
import { STANDARD_CHECK_RULES } from '../../domain/checks/next-check.ts';
import { startThread } from '../../package-root.ts';
import { sharedTimeOf, systemClock } from '../../time/clock.ts';
import type { Archive } from '../archive.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { ClusterPort } from '../cluster-port.ts';
import { errorOf, type Failure, isRetryable, StoreError } from '../error.ts';
import type { Waiting } from '../inbox.ts';
import type { StoreOptions } from '../library.ts';
import { operationsOf } from '../operations-channel.ts';
import { usualKeyFile } from '../sqlite/engine/audit-key.ts';
import { realFile } from '../sqlite/engine/real-file.ts';
import type { OpenOperations, Store } from '../store.ts';
import type { ClusterState } from './cluster-state.ts';
import { clusterPort } from './commands.ts';
import { readableWrite } from './entry.ts';
import { openSharedInbox } from './inbox.ts';
import { stateOf } from './join.ts';
import type { SharedBooksOrder } from './open-books.ts';
import { openLog } from './open-log.ts';
import type { SharedOperationsData } from './operations-thread.ts';
import { openReceiver } from './receiver.ts';
import { openSharedJournal } from './request-journal.ts';
import { planInCluster, restoreInCluster } from './restore.ts';
import { READ_BYTES, type SharedLog } from './shared-log.ts';

/** Young generation of the thread of operations. */
const YOUNG_MB = 8;

/** The parts of a store that are others when several machines share the log. What reads stays on the machine's own file: `alone`. */
export function clusterStore(
  alone: Store,
  location: string,
  cluster: ClusterOptions,
  options: StoreOptions,
): Pick<Store, 'inbox' | 'archive' | 'operations' | 'requestJournal' | 'query' | 'upkeep'> & {
  readonly cluster: ClusterPort;
} {
  const { zone = 'Africa/Lagos', encryption = null, debounceMs = 0, checkRules = STANDARD_CHECK_RULES } = options;
  const { clock = systemClock, auditKey } = options;
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  const order = (): SharedBooksOrder => {
    const path = realFile(location);
    return {
      path,
      cluster,
      carryOut: { zone, encryption: plain, debounceMs },
      checkRules,
      auditKey: auditKey === undefined ? usualKeyFile(path) : resolve(auditKey),
      time: sharedTimeOf(clock),
    };
  };
  /** `open`, on a machine that has a database. */
  const withBooks =
    <Input extends unknown[], Result>(open: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      if (!existsSync(order().path)) throw await withoutBooks(order());
      return open(...input);
    };
  const port = clusterPort(alone, order, clock);
  /** What the log holds now, before a backup. */
  const carriedOut = async () => (await startSharedOperations(order(), null)).close();
  return {
    inbox: (inboxOptions) =>
      cluster.roles.includes('work') ? openSharedInbox(order(), inboxOptions) : openReceiver(cluster, inboxOptions),
    operations: withBooks(({ credential = null } = {}) => startSharedOperations(order(), credential)),
    requestJournal: withBooks(() => openSharedJournal(order())),
    archive: withBooks(async (archiveOptions) => sharedArchive(await alone.archive(archiveOptions), order())),
    query: withBooks(alone.query),
    upkeep: {
      ...alone.upkeep,
      migrate: async () => Promise.reject(migratesWithLog()),
      async backUp(...input) {
        await carriedOut();
        return alone.upkeep.backUp(...input);
      },
      async backUpInSeries(...input) {
        await carriedOut();
        return alone.upkeep.backUpInSeries(...input);
      },
      planRestore: (backup, _, watch) => planInCluster(order(), backup, { nowMs: clock.nowMs(), watch }),
      async restore(backup, options, watch) {
        if (options?.discardLog) throw keepsLog();
        return restoreInCluster(order(), backup, { nowMs: clock.nowMs(), watch });
      },
    },
    cluster: { ...port, reached: withBooks(port.reached) },
  };
}

/** What reads and acts is on machines with a database: names those that live. */
async function withoutBooks({ path, cluster }: SharedBooksOrder): Promise<StoreError> {
  await using log = await openLog(cluster, null, { evenLeft: true });
  const nodes = await log.status().then(
    (status) => status.nodes,
    () => [], // then no machine can be named
  );
  const names = nodes.filter(({ lives, carriedOut }) => lives && carriedOut !== null).map(({ name }) => name);
  return new StoreError(
    'cluster_refused',
    `There is no database ${path}: this machine only receives, or has not joined yet.`,
    {
      hint:
        names.length === 0
          ? 'Run it on a machine with the role work.'
          : `Run it on a machine that has one: ${names.join(', ')}.`,
    },
  );
}

/** What reads stays on the machine's own file; how far that is behind, the log says. */
function sharedArchive(archive: Archive, { path, cluster }: SharedBooksOrder): Archive {
  let log: Promise<SharedLog> | null = null;

  async function behind(state: ClusterState): Promise<Waiting> {
    log ??= openLog(cluster, null, { evenLeft: true });
    const open = await log;
    const { seq: last } = await open.head();
    const entries = last > state.seq ? await open.read(state, READ_BYTES) : [];
    // Behind what was read, an entry counts as one delivery: so far behind, the number is not what matters.
    const beyond = Math.max(0, last - (entries.at(-1)?.seq ?? last));
    const deliveries = entries.reduce((sum, { bytes }) => sum + deliveriesIn(bytes), beyond);
    return { deliveries, sinceMs: deliveries === 0 ? null : (entries[0]?.atMs ?? null) };
  }

  return {
    ...archive,
    async waiting() {
      const state = stateOf(path);
      if (state === null) return archive.waiting();
      try {
        return await behind(state);
      } catch (error) {
        // What waits cannot be told then; that the log does not answer, or has another history, is told by itself.
        if (error instanceof StoreError && isRetryable(error.fault)) return { deliveries: 0, sinceMs: null };
        throw error;
      }
    },
    async close() {
      await (await log?.catch(() => null))?.close();
      await archive.close();
    },
  };
}

/** Opens the operations on a thread of their own, so that a command never waits for the disk in its own. */
async function startSharedOperations(order: SharedBooksOrder, credential: Credential | null): Promise<OpenOperations> {
  const { port1, port2 } = new MessageChannel();
  const thread = startThread('store/cluster/operations-thread', {
    workerData: { ...order, port: port1 } satisfies SharedOperationsData,
    transferList: [port1],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const [{ failure }] = (await once(thread, 'message')) as [{ readonly failure: Failure | null }];
  if (failure !== null) throw errorOf(failure);
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const { as, close } = operationsOf(port2);
  return {
    ...as(credential),
    as,
    async close() {
      close();
      await ended;
    },
  };
}

function deliveriesIn(bytes: Uint8Array): number {
  const write = readableWrite(bytes);
  if (write === null) return 1; // it will be set aside
  return write.kind === 'deliveries' ? write.deliveries.length : 0;
}

function migratesWithLog(): StoreError {
  return new StoreError(
    'cluster_refused',
    'In a cluster the schema of all databases moves on at one entry of the log.',
    {
      hint: 'While the nodes still have the old program, run once: tallyhook cluster upgrade. Then restart each with the new one.',
    },
  );
}

function keepsLog(): StoreError {
  return new StoreError('cluster_refused', 'The log of a cluster is in PostgreSQL, and is not set aside.', {
    hint: 'Restore without --discard-log: the deliveries behind the backup are carried out again.',
  });
}
