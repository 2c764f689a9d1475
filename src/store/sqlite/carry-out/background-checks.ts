import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { sourceFile, startThread } from '../../../package-root.ts';
import type { SharedTime } from '../../../time/clock.ts';
import type { SharedDeadline } from '../../../time/deadline.ts';
import { StoreError } from '../../error.ts';

/** Wait before a check begins, so that it does not delay a start. */
const CHECK_AFTER_MS = 2_000;

/**
 * Checks the structure of the whole file in a side process; `onDamage` gets what no delivery may rely on. Returns how to end it, however far it
 * is.
 */
export function startStructureCheck(path: string, onDamage: (error: StoreError) => void): () => void {
  let checker: ChildProcess | undefined;
  const timer = setTimeout(() => {
    checker = fork(sourceFile('store/sqlite/upkeep/check-process'), [path], {
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
    checker.once('error', (error) => warn(path, error.message));
    checker.once('close', (code) => {
      if (code !== 0 && code !== null) warn(path, errorText.trim());
    });
    checker.unref();
    checker.channel?.unref();
    (checker.stderr as Socket | null)?.unref();
  }, CHECK_AFTER_MS);
  timer.unref();
  return () => {
    clearTimeout(timer);
    checker?.kill('SIGKILL');
  };
}

export type RowCheck = ReturnType<typeof startRowCheck>;

/** Compares all rows on a thread, a piece at a time, and goes on where the last process stopped. */
export function startRowCheck(
  data: { readonly path: string; readonly time: SharedTime | undefined; readonly deadline: SharedDeadline },
  onDamage: (damage: string[]) => void,
) {
  let worker: Worker | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    worker = startThread('store/sqlite/upkeep/row-check-thread', {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    ended = new Promise((resolve) => worker?.once('exit', resolve));
    // "node --watch" reports the thread's modules here too.
    worker.on('message', (message) => Array.isArray(message) && onDamage(message));
    worker.on('error', (error) => warn(data.path, error.message));
    worker.unref();
  }, CHECK_AFTER_MS);
  timer.unref();
  return {
    /** Ends the thread after its piece; stopping it while it loads the engine would abort the process. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      worker?.ref();
      worker?.postMessage('close');
      await ended;
    },
  };
}

function warn(path: string, reason: string): void {
  process.emitWarning(`The check of ${path} could not run: ${reason}`);
}
