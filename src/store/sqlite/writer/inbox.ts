import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { sourceFile } from '../../../package-root.ts';
import { StoreError } from '../../error.ts';
import type { InboxOptions, OpenInbox } from '../../inbox.ts';
import { operationsOf } from '../../operations-channel.ts';
import type { StoreOptions } from '../../store.ts';
import { createDatabaseFile } from '../engine/database.ts';
import { lockInstance } from '../engine/instance-lock.ts';
import { WriterQueue } from './queue.ts';
import type { WriterData } from './thread.ts';

type InboxOrder = InboxOptions &
  Omit<WriterData, 'encryption' | 'holder'> & { readonly encryption: NonNullable<StoreOptions['encryption']> | null };

/** Young generation of the writer thread: enough, and less than Node takes on a machine with much memory. */
const YOUNG_MB = 8;

/**
 * Starts the writer thread on a database: migrated, locked against `restore`, and checked by a side process when the last
 * process did not stop cleanly.
 */
export async function openInbox({
  path,
  zone,
  encryption,
  debounceMs,
  checkRules,
  time,
  holder = 'a receiver',
  ...options
}: InboxOrder): Promise<OpenInbox> {
  // A clean stop leaves no write-ahead log behind.
  const unclean = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  createDatabaseFile(path);
  const lock = lockInstance(path, 'shared');
  const plain = encryption && { keyHex: encryption.keyHex.reveal(), ivHex: encryption.ivHex.reveal() };
  const writer = new Worker(sourceFile('store/sqlite/writer/thread'), {
    workerData: { path, zone, encryption: plain, debounceMs, checkRules, time, holder } satisfies WriterData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const queue = await WriterQueue.start(writer, options).catch((error) => {
    lock.release();
    throw error;
  });
  const checker = unclean ? startCheck(path, (error) => queue.distrust(error)) : null;
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
      checker?.kill('SIGKILL');
      await queue.close();
      disconnect();
      lock.release();
    },
  };
}

function startCheck(path: string, onDamage: (error: StoreError) => void): ChildProcess {
  const checker = fork(sourceFile('store/sqlite/upkeep/check-process'), [path], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorText = '';
  checker.stderr?.on('data', (text) => {
    errorText += text;
  });
  checker.once('message', (problems: string[]) => {
    if (problems.length === 0) return;
    const hint = 'Keep the files, and restore a backup: tallyhook restore FILE';
    onDamage(new StoreError('corrupt', `The database ${path} is damaged: ${problems.join('; ')}.`, { hint }));
  });
  // Only damage found by the engine may end the process: a check that could not run proves nothing about the file.
  checker.once('error', (error) => process.emitWarning(`The check of ${path} could not run: ${error.message}`));
  checker.once('close', (code) => {
    if (code !== 0 && code !== null) process.emitWarning(`The check of ${path} could not run: ${errorText.trim()}`);
  });
  checker.unref();
  checker.channel?.unref();
  (checker.stderr as Socket | null)?.unref();
  return checker;
}
