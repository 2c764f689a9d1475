import { type Head, isSignedBy } from '../../domain/audit/head.ts';
import type { CheckRules } from '../../domain/checks/next-check.ts';
import { aesCbcCodec } from '../../domain/requests/payload-codec.ts';
import { clockOf, type SharedTime } from '../../time/clock.ts';
import type { SharedDeadline } from '../../time/deadline.ts';
import type { Caller } from '../caller.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import { StoreError } from '../error.ts';
import type { CarryOutData } from '../sqlite/carry-out/messages.ts';
import { auditKey, foreignKey } from '../sqlite/engine/audit-key.ts';
import { type Database, openDatabase } from '../sqlite/engine/database.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { lockInstance } from '../sqlite/engine/instance-lock.ts';
import { withLateStatements } from '../sqlite/engine/late-statements.ts';
import { expectSchema } from '../sqlite/engine/migrate.ts';
import { OpenFiles } from '../sqlite/engine/open-files.ts';
import { operationCalls } from '../sqlite/write/operations.ts';
import { thisProcess } from '../this-machine.ts';
import { type SharedCarried, sharedCarrier } from './carry-out.ts';
import { clusterState, knownLogOf } from './cluster-state.ts';
import { closing, openLog } from './open-log.ts';
import { textOf } from './plain-value.ts';
import { programVersion } from './program-version.ts';
import { openRecentEntries, type RecentEntries } from './recent-entries.ts';
import { SharedBooks } from './shared-books.ts';
import type { SharedLog } from './shared-log.ts';
import { settingsDigest, sharedSettings } from './shared-settings.ts';
import { trialCalls } from './trial.ts';
import { writtenRows } from './written-rows.ts';

/** What opens the books of a machine over the shared log, in any of its threads and processes. */
export interface SharedBooksOrder {
  readonly path: string;
  readonly cluster: ClusterOptions;
  readonly carryOut: CarryOutData;
  readonly checkRules: CheckRules;
  readonly auditKey: string;
  readonly time: SharedTime | undefined;
  /** Of `serve`, set when it begins to stop. */
  readonly deadline?: SharedDeadline | undefined;
  /** Of the machine that leaves: it carries out also a log that was left. */
  readonly evenLeft?: boolean;
}

/** Closed at the end of its block. */
export interface OpenSharedBooks extends AsyncDisposable {
  readonly database: Database;
  readonly log: SharedLog;
  readonly books: SharedBooks;
  readonly recent: RecentEntries;
  close(): Promise<void>;
}

/**
 * Opens the database of a machine that has joined, with its shared lock, and the log. With `onCarried`, called after each transaction, it
 * follows the log.
 *
 * @throws StoreError when it has not joined, when its schema is older or newer, or when there is no key of the audit chain
 */
export async function openSharedBooks(
  order: SharedBooksOrder,
  caller: Caller,
  onCarried: ((carried: SharedCarried) => void) | null = null,
): Promise<OpenSharedBooks> {
  const { path, cluster, carryOut, checkRules, time, deadline } = order;
  try {
    await using opened = new AsyncDisposableStack(); // what is open when something fails
    const lock = lockInstance(path, 'shared');
    opened.defer(() => lock.release());
    const database = openDatabase(path, { deadline });
    opened.defer(() => void database.close());
    expectSchema(database);
    const state = clusterState(database).get();
    expectAuditKey(order.auditKey, database);
    const rows = writtenRows(database);
    const recent = openRecentEntries(path);
    opened.defer(() => recent.close());
    const log = opened.use(await openLog(cluster, knownLogOf(state), order));
    const version = programVersion();
    const { encryption } = carryOut;
    const codec = encryption === null ? null : aesCbcCodec(encryption);
    const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
    const settings = textOf(sharedSettings(order));
    const keys = { checkRules, auditKey: order.auditKey };
    const late = withLateStatements(database);
    const carrier = sharedCarrier(late, rows, {
      decode,
      node: cluster.node,
      auditKey: order.auditKey,
      version,
      settings,
    });
    const files = new OpenFiles(database);
    const books = new SharedBooks({
      log,
      carrier,
      reads: operationCalls(late, keys),
      trial: trialCalls(path, keys),
      version,
      under: settingsDigest(settings),
      clock: clockOf(time),
      caller,
      recent,
      follows: onCarried !== null,
      onCarried(carried) {
        files.expectWritten();
        onCarried?.(carried);
      },
    });
    opened.defer(() => books.close());
    const all = opened.move();
    return closing({ database, log, books, recent, close: () => all.disposeAsync() });
  } catch (error) {
    throw storeError(error, path);
  }
}

/** As `openSharedBooks`, for a command, or a process beside `serve`: it has carried out what the log held when it was opened. */
export async function openLevelBooks(order: SharedBooksOrder): Promise<OpenSharedBooks> {
  const open = await openSharedBooks(order, thisProcess());
  try {
    await open.books.carryOut();
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Every machine signs the audit chain: without the key of the others its chain would be another one. */
function expectAuditKey(path: string, database: Database): void {
  const key = auditKey(path, database.name).read();
  const head = database
    .prepare<[], Head & { readonly signature: string }>('SELECT seq, hash, signature FROM audit_head WHERE id = 1')
    .get();
  if (key !== null && head !== undefined && !isSignedBy(key, head, head.signature)) throw foreignKey(path);
  if (key !== null) return;
  throw new StoreError(
    'audit_key',
    `There is no key file of the audit chain at ${path}: this node cannot carry the log out.`,
    {
      hint: `Copy audit.key from another node to ${path}, readable for this user alone.`,
    },
  );
}
