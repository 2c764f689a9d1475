import { existsSync, statSync } from 'node:fs';
import { startThread } from '../../package-root.ts';
import { Deadline } from '../../time/deadline.ts';
import { StoreError } from '../error.ts';
import type { InboxOptions } from '../inbox.ts';
import { operationsOf } from '../operations-channel.ts';
import type { OpenInbox } from '../store.ts';
import { type RowCheck, startRowCheck, startStructureCheck } from './carry-out/background-checks.ts';
import { BooksThread } from './carry-out/books.ts';
import type { BooksData } from './carry-out/messages.ts';
import { onDamageOf } from './engine/damage.ts';
import { createDatabaseFile } from './engine/database.ts';
import { expectFitFileSystem } from './engine/file-system.ts';
import { lockInstance } from './engine/instance-lock.ts';
import { realFile } from './engine/real-file.ts';
import { expectBooksOfLog } from './log/known-log.ts';
import { logFileOf } from './log/log-file.ts';
import type { AppenderData } from './log/messages.ts';
import { LogQueue } from './log/queue.ts';

type InboxOrder = InboxOptions & Omit<BooksData, 'holder' | 'collected' | 'waits' | 'deadline'>;

/** Young generations of the threads: enough, and less than Node takes on a machine with much memory. */
const BOOKS_YOUNG_MB = 8;
const APPENDER_YOUNG_MB = 2;
/** Most bytes of the log, when the caller sets none. */
const BACKLOG_BYTES = 1024 * 1024 * 1024;

/**
 * Starts the threads of the log and of the books: the database is migrated, and locked against `restore`. On a full disk the database may
 * have to wait until it can be opened; then nothing is kept. Once it is open, a thread compares all rows, and a side process checks the
 * structure of the file when the last process did not stop cleanly.
 */
export async function openInbox({
  path,
  zone,
  encryption,
  debounceMs,
  checkRules,
  auditKey,
  time,
  holder = 'a receiver',
  unsafeFileSystem = false,
  backlogBytes = BACKLOG_BYTES,
  carryOutAfter,
  ...options
}: InboxOrder): Promise<OpenInbox> {
  if (!unsafeFileSystem) for (const file of [path, realFile(logFileOf(path))]) expectFitFileSystem(file);
  // A clean stop leaves no write-ahead log behind.
  const unclean = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  expectBooksOfLog(path);
  createDatabaseFile(path);
  const lock = lockInstance(path, 'shared');
  const [collected, waits] = [options.onEach !== undefined, carryOutAfter !== undefined];
  const deadline = new Deadline();
  let queue: LogQueue | null = null;
  let failure: StoreError | null = null;
  /** The opening failed before, and the end of the fault is not reported yet. */
  let isWaited = false;
  const onFatal = (error: StoreError) => {
    if (failure !== null) return;
    failure = error;
    queue?.distrust(error);
    options.onFatal(error);
  };
  const ignoreDamage = onDamageOf(path, onFatal);
  const thread = startThread('store/sqlite/carry-out/thread', {
    workerData: {
      ...{ path, zone, encryption, debounceMs, checkRules, auditKey, time, holder, collected, waits },
      deadline: deadline.shared,
    } satisfies BooksData,
    resourceLimits: { maxYoungGenerationSizeMb: BOOKS_YOUNG_MB },
  });
  // The database is open before its log is; only then deliveries are kept.
  const onFault: InboxOptions['onFault'] = (work, error) => {
    if (work === 'opening' && error === null) isWaited = true;
    else options.onFault?.(work, error);
  };
  const books = await BooksThread.start(thread, { ...options, onFault }, onFatal).catch((error) => {
    ignoreDamage();
    lock.release();
    throw error;
  });
  void carryOutAfter?.then(() => books.carryOut());
  let closing = false;
  let stopStructureCheck = () => {};
  let rows: RowCheck | null = null;

  async function openLog(): Promise<void> {
    const { log: file, carriedOut } = await books.opened;
    const port = books.connectAppender();
    const appender = startThread('store/sqlite/log/thread', {
      workerData: { file, backlogBytes, carriedOut, books: port } satisfies AppenderData,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: APPENDER_YOUNG_MB },
    });
    queue = await LogQueue.start(appender, { limit: options.limit, onFatal, onKeepsAgain: options.onKeepsAgain });
    if (failure !== null) queue.distrust(failure);
    if (isWaited) options.onFault?.('opening', null);
    if (closing) return;
    if (unclean) stopStructureCheck = startStructureCheck(path, onFatal);
    rows = startRowCheck({ path, time, deadline: deadline.shared }, (damage) => options.onDamage?.(damage));
  }

  const isOpen = await Promise.race([
    books.opened.then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
  if (isOpen) {
    await openLog().catch(async (error) => {
      ignoreDamage();
      await books.close();
      lock.release();
      throw error;
    });
  } else openLog().catch(onFatal);
  const { operations, close: disconnect } = operationsOf(books.connectOperations());
  return {
    operations,
    connectOperations: books.connectOperations.bind(books),
    noteKeys() {},
    endWaits: (afterMs) => deadline.set(afterMs),
    keep: (delivery) => (queue === null ? Promise.reject(failure ?? notOpen(path)) : queue.keep(delivery)),
    countRefusals: books.countRefusals.bind(books),
    get depth() {
      return queue?.depth ?? 0;
    },
    async close() {
      closing = true;
      ignoreDamage();
      stopStructureCheck();
      await queue?.drain(); // first: it takes no more deliveries from here on
      await Promise.all([books.close(), rows?.stop()]);
      await queue?.close();
      disconnect();
      lock.release();
    },
  };
}

/** The database waits for space. */
function notOpen(path: string): StoreError {
  return new StoreError('disk_full', `The database ${path} cannot be opened yet: the disk is full.`, {
    hint: 'Free some space: receiving then continues without a restart.',
  });
}
