import type { ChildProcess } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { startThread } from '../../../package-root.ts';
import type { InboxOptions } from '../../inbox.ts';
import type { StoreOptions } from '../../library.ts';
import { operationsOf } from '../../operations-channel.ts';
import type { OpenInbox } from '../../store.ts';
import { createDatabaseFile } from '../engine/database.ts';
import { expectFitFileSystem } from '../engine/file-system.ts';
import { lockInstance } from '../engine/instance-lock.ts';
import { type RowCheck, startRowCheck, startStructureCheck } from './background-checks.ts';
import type { WriterData } from './messages.ts';
import { WriterQueue } from './queue.ts';

type InboxOrder = InboxOptions &
  Omit<WriterData, 'encryption' | 'holder' | 'collected'> & {
    readonly encryption: NonNullable<StoreOptions['encryption']> | null;
  };

/** Young generation of the writer thread: enough, and less than Node takes on a machine with much memory. */
const YOUNG_MB = 8;

/**
 * Starts the writer thread on a database: migrated, and locked against `restore`. On a full disk the writer may wait to open it; then
 * nothing is kept. Once it is open, a thread compares all rows, and a side process checks the structure of the file when the last process
 * did not stop cleanly.
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
  ...options
}: InboxOrder): Promise<OpenInbox> {
  if (!unsafeFileSystem) expectFitFileSystem(path);
  // A clean stop leaves no write-ahead log behind.
  const unclean = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  createDatabaseFile(path);
  const lock = lockInstance(path, 'shared');
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  const writer = startThread('store/sqlite/writer/thread', {
    workerData: {
      path,
      zone,
      encryption: plain,
      debounceMs,
      checkRules,
      auditKey,
      time,
      holder,
      collected: options.onAppliedTo !== undefined,
    } satisfies WriterData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const queue = await WriterQueue.start(writer, options).catch((error) => {
    lock.release();
    throw error;
  });
  let closing = false;
  let structure: ChildProcess | null = null;
  let rows: RowCheck | null = null;
  queue.opened.then(() => {
    if (closing) return;
    if (unclean) structure = startStructureCheck(path, (error) => queue.distrust(error));
    rows = startRowCheck(path, time, (damage) => options.onDamage?.(damage));
  });
  const { operations, close: disconnect } = operationsOf(queue.connectOperations());
  return {
    operations,
    connectOperations: queue.connectOperations.bind(queue),
    keep: queue.keep.bind(queue),
    countRefusals: queue.countRefusals.bind(queue),
    get depth() {
      return queue.depth;
    },
    async close() {
      closing = true;
      structure?.kill('SIGKILL');
      await Promise.all([queue.close(), rows?.stop()]); // the queue first: it takes no more deliveries from here on
      disconnect();
      lock.release();
    },
  };
}
