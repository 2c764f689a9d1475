import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterState } from '../../../src/store/cluster/cluster-state.ts';
import { prepareBeginning } from '../../../src/store/cluster/life.ts';
import { CHAIN_START, type LogHead } from '../../../src/store/cluster/shared-log.ts';
import type { StoreOptions } from '../../../src/store/library.ts';
import { openStore } from '../../../src/store/open.ts';
import { usualKeyFile } from '../../../src/store/sqlite/engine/audit-key.ts';
import { openDatabase, writing } from '../../../src/store/sqlite/engine/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { differencesElsewhere, settingsOf } from '../carried-twice/carried-twice.ts';
import { makeEmptyDatabase } from '../empty-database.ts';
import { START_MS } from '../fixed-clock.ts';
import { parentFolder } from '../run-folder.ts';
import { LogInMemory } from './in-memory.ts';
import { type ServedLog, serveLog } from './served.ts';

interface Begun {
  readonly path: string;
  readonly head: LogHead;
}

const logs = new Map<string, ServedLog>();
let begun: Begun | undefined;

/** A database with which a cluster has begun, made once. */
function beginning(): Begun {
  const folder = mkdtempSync(join(parentFolder(true), 'tallyhook-begun-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tallyhook.db');
  makeEmptyDatabase(path);
  const { installation, version } = prepareBeginning({ path, auditKey: usualKeyFile(path) });
  const about = { installation, version, epoch: 1, timeline: 1, hasLeft: false, isCopy: false };
  const head = { ...about, seq: 0, chain: CHAIN_START, atMs: START_MS };
  const database = openDatabase(path);
  writing(database, () => clusterState(database).begin({ ...head, settings: null }))();
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return { path, head };
}

/** A place of the contract suite: a machine's database, and a log that a second machine carries out at the end, in a process of its own. */
export async function makeSharedPlace() {
  begun ??= beginning();
  const { path: base, head } = begun;
  const folder = mkdtempSync(join(parentFolder(true), 'tallyhook-contract-'));
  const location = join(folder, 'tallyhook.db');
  const copy = (to: string) => {
    copyFileSync(base, to);
    if (dirname(to) === folder) copyFileSync(usualKeyFile(base), usualKeyFile(to));
  };
  copy(location);
  const log = new LogInMemory(() => START_MS);
  log.head = head;
  const served = await serveLog(log);
  logs.set(location, served);
  return {
    location,
    async differencesAgain(options: StoreOptions): Promise<string[]> {
      const second = join(folder, 'second.db');
      copy(second);
      return differencesElsewhere({
        database: second,
        first: location,
        entries: log.entries,
        settings: settingsOf(second, options),
      });
    },
    async remove() {
      logs.delete(location);
      await served.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function openShared(location: string, options: StoreOptions): Store {
  const served = logs.get(location);
  if (served === undefined) return openStore(location, options);
  const { clock } = options;
  let latestMs = 0;
  if (clock !== undefined) served.log.nowMs = () => Math.max(clock.nowMs(), latestMs);
  const store = openStore(location, { ...options, cluster: served.cluster('first') });
  return {
    ...store,
    async inbox(order) {
      const inbox = await store.inbox(order);
      // In a cluster the time of a delivery is that of its entry: the guarantees state the receiver's.
      const keep: typeof inbox.keep = (delivery) => {
        latestMs = delivery.receivedAtMs;
        return inbox.keep(delivery).finally(() => {
          latestMs = 0;
        });
      };
      return { ...inbox, keep };
    },
  };
}
