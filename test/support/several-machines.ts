import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { prepareBeginning } from '../../src/store/cluster/life.ts';
import type { SharedBooksOrder } from '../../src/store/cluster/open-books.ts';
import type { CarriedOut, InboxOptions } from '../../src/store/inbox.ts';
import type { StoreOptions } from '../../src/store/library.ts';
import { openStore } from '../../src/store/open.ts';
import { usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import type { OpenInbox, Store } from '../../src/store/store.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { FixedClock } from './fixed-clock.ts';
import { rowDifferences } from './row-differences.ts';
import { parentFolder } from './run-folder.ts';
import { LogInMemory } from './shared-log/in-memory.ts';
import { type ServedLog, serveLog } from './shared-log/served.ts';
import { until } from './wait.ts';

/** One machine of a test: a folder with its database, and what it opens. */
export interface Machine {
  readonly name: string;
  readonly path: string;
  readonly store: Store;
  /** What the store is opened with. */
  readonly options: StoreOptions;
  /** What opens its books, for acts on the cluster. */
  readonly order: SharedBooksOrder;
  /** The inbox, opened at first. */
  serve(options?: Partial<InboxOptions>): Promise<OpenInbox>;
  /** Faults of the inbox, and their ends. */
  readonly faults: readonly string[];
  readonly carried: readonly CarriedOut[];
  stop(): Promise<void>;
}

interface MachineOptions extends StoreOptions {
  readonly key?: boolean;
  /** The digests of settings that its start takes over. */
  readonly takenOver?: Readonly<Record<string, string>>;
}

export interface SeveralMachines {
  readonly log: LogInMemory;
  readonly served: ServedLog;
  readonly clock: FixedClock;
  /** The machine of this name; the first one that is asked for begins the cluster. `key`: it gets the key of the audit chain. */
  machine(name: string, options?: MachineOptions): Machine;
  /** Resolves when each of these machines has carried out all of the log. */
  carriedOut(...machines: readonly Machine[]): Promise<void>;
  /** Which rows differ between two machines. */
  differences(one: Machine, other: Machine): string[];
  remove(): Promise<void>;
}

/** Machines that share a log in memory, each with a database file and an audit key of its own. */
export async function severalMachines(): Promise<SeveralMachines> {
  const folder = mkdtempSync(join(parentFolder(true), 'tallyhook-machines-'));
  const clock = new FixedClock();
  const log = new LogInMemory(() => clock.nowMs());
  const served = await serveLog(log);
  const machines: Machine[] = [];
  let firstKey: string | null = null;

  function machine(name: string, { key: hasKey = true, takenOver = {}, ...options }: MachineOptions = {}): Machine {
    const path = join(folder, name, 'tallyhook.db');
    mkdirSync(dirname(path), { recursive: true });
    const key = usualKeyFile(path);
    if (firstKey === null) {
      makeEmptyDatabase(path);
      const { installation, version } = prepareBeginning({ path, auditKey: key });
      log.head = { ...log.head, installation, version };
      firstKey = key;
    } else if (hasKey) copyFileSync(firstKey, key);
    const settings = { zone: 'UTC', checkRules: STANDARD_CHECK_RULES, clock, ...options };
    const cluster = { ...served.cluster(name), takenOver };
    const all = { ...settings, cluster };
    const store = openStore(path, all);
    const [faults, carried]: [string[], CarriedOut[]] = [[], []];
    let inbox: Promise<OpenInbox> | null = null;
    const carryOut = { zone: settings.zone, encryption: null, debounceMs: 0 };
    const { checkRules } = settings;
    const made: Machine = {
      ...{ name, path, store, options: all, faults, carried },
      order: { path, cluster, carryOut, checkRules, auditKey: key, time: undefined },
      serve(inboxOptions = {}) {
        inbox ??= store.inbox({
          limit: 10_000,
          unsafeFileSystem: true,
          onFatal: (error) => faults.push(`fatal: ${error.message}`),
          onFault: (work, error) => faults.push(error === null ? `${work} goes on` : `${work}: ${error.message}`),
          onCarriedOut: (one) => carried.push(one),
          ...inboxOptions,
        });
        return inbox;
      },
      async stop() {
        const open = inbox;
        inbox = null;
        await (await open?.catch(() => null))?.close(); // one that was refused is not open
      },
    };
    machines.push(made);
    return made;
  }

  return {
    log,
    served,
    clock,
    machine,
    async carriedOut(...some) {
      for (const { path } of some)
        await until(() => placeOf(path) === (log.entries.at(-1)?.seq ?? 0), `${path} carries out`);
    },
    differences(one, other) {
      const books = openDatabase(one.path);
      try {
        return rowDifferences(books, other.path);
      } finally {
        books.close();
      }
    },
    async remove() {
      for (const one of machines) await one.stop();
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The last entry of the shared log that a database has carried out; -1 before it has joined. */
export function placeOf(path: string): number {
  if (!existsSync(path)) return -1;
  const database = openDatabase(path, { readonly: true });
  try {
    return database.prepare<[], number>('SELECT coalesce(seq - base, -1) FROM carried_out').pluck().get() ?? -1;
  } finally {
    database.close();
  }
}
