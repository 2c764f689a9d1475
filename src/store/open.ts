import { TallyhookError } from '../domain/error.ts';
import { namesOf, requireArgument, requireKnown, requireObject, requireText } from '../domain/misuse.ts';
import { isTimeZone } from '../time/timestamp.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { InboxOptions } from './inbox.ts';
import type { StoreOptions } from './library.ts';
import { sqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/**
 * The one door to an engine. `location` is the path of a SQLite database, the only engine so far.
 *
 * @throws TallyhookError for an address, such as that of a database server
 */
export function openStore(location: string, options: StoreOptions = {}): Store {
  requireText('The location of the store', location);
  requireObject('The options of the store', options, "openStore('tallyhook.db', { zone: 'Africa/Lagos' })");
  requireStoreOptions(options);
  if (!/^[a-z]+:\/\//i.test(location)) {
    const store = sqliteStore(location, options);
    return checked(options.cluster === undefined ? store : sharedStore(store, location, options.cluster, options));
  }
  // The address is not shown: it may hold a password.
  throw new TallyhookError('The store is given an address; this version keeps its data in SQLite only.', {
    kind: 'configuration',
    hint: 'Give the path of a database file.',
  });
}

/** The store of a machine that shares its log. Without one no module of it is loaded. */
function sharedStore(alone: Store, location: string, cluster: ClusterOptions, options: StoreOptions): Store {
  const loaded = () =>
    import('./cluster/store.ts').then(({ clusterStore }) => clusterStore(alone, location, cluster, options));
  return {
    ...alone,
    inbox: async (order) => (await loaded()).inbox(order),
    archive: async (order) => (await loaded()).archive(order),
    operations: async (order) => (await loaded()).operations(order),
    requestJournal: async () => (await loaded()).requestJournal(),
    query: async (order, signal) => (await loaded()).query(order, signal),
    upkeep: {
      migrate: async (...input) => (await loaded()).upkeep.migrate(...input),
      rewrite: alone.upkeep.rewrite,
      backUp: async (...input) => (await loaded()).upkeep.backUp(...input),
      backUpInSeries: async (...input) => (await loaded()).upkeep.backUpInSeries(...input),
      planRestore: async (...input) => (await loaded()).upkeep.planRestore(...input),
      restore: async (...input) => (await loaded()).upkeep.restore(...input),
      compare: alone.upkeep.compare,
      examine: alone.upkeep.examine,
    },
    cluster: {
      begin: async (order) => (await loaded()).cluster.begin(order),
      status: async () => (await loaded()).cluster.status(),
      upgrade: async () => (await loaded()).cluster.upgrade(),
      leave: async () => (await loaded()).cluster.leave(),
      adopt: async () => (await loaded()).cluster.adopt(),
      reached: async (seq, withinMs) => (await loaded()).cluster.reached(seq, withinMs),
      rebuild: async () => (await loaded()).cluster.rebuild(),
      compare: async () => (await loaded()).cluster.compare(),
      keep: async () => (await loaded()).cluster.keep(),
    },
  };
}

const STORE_OPTIONS = namesOf<StoreOptions>({
  zone: true,
  encryption: true,
  debounceMs: true,
  checkRules: true,
  auditKey: true,
  clock: true,
  cluster: true,
});

function requireStoreOptions(options: StoreOptions): void {
  requireKnown(options, STORE_OPTIONS);
  const { zone, debounceMs, auditKey, clock } = options;
  if (zone !== undefined) requireArgument('zone', zone, isTimeZone(zone), 'an IANA name such as Africa/Lagos');
  const isWait = debounceMs === undefined || (Number.isSafeInteger(debounceMs) && debounceMs >= 0);
  requireArgument('debounceMs', debounceMs, isWait, 'a whole number of milliseconds');
  if (auditKey !== undefined) requireText('The path of the key of the audit chain', auditKey);
  const isClock = clock === undefined || typeof clock?.nowMs === 'function';
  requireArgument('clock', clock, isClock, 'a clock: systemClock');
}

const INBOX_OPTIONS = namesOf<InboxOptions>({
  holder: true,
  unsafeFileSystem: true,
  limit: true,
  backlogBytes: true,
  onFatal: true,
  onFault: true,
  onKeepsAgain: true,
  onDamage: true,
  onCarriedOut: true,
  onEach: true,
  carryOutAfter: true,
  onLeft: true,
  onNews: true,
});

/** The store whose inbox refuses options that the types forbid: without a limit, a slow disk would fill the memory. */
function checked(store: Store): Store {
  return {
    ...store,
    async inbox(options) {
      requireObject('The options of the inbox', options, 'inbox({ limit: 10_000, onFatal: () => process.exit(1) })');
      requireKnown(options, INBOX_OPTIONS);
      const { limit, onFatal, backlogBytes } = options;
      requireArgument('limit', limit, Number.isSafeInteger(limit) && limit > 0, 'a whole number of deliveries from 1');
      const isBytes = backlogBytes === undefined || (Number.isSafeInteger(backlogBytes) && backlogBytes > 0);
      requireArgument('backlogBytes', backlogBytes, isBytes, 'a whole number of bytes from 1');
      requireArgument('onFatal', onFatal, typeof onFatal === 'function', 'a function that stops the process');
      return store.inbox(options);
    },
  };
}
