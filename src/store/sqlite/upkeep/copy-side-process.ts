import { rmSync, statSync } from 'node:fs';
import type { Contents, CopyProgress, Watch } from '../../upkeep.ts';
import { runInSideProcess } from './side-process.ts';

/** What the side process does with the file `path`, and returns the contents of. */
export type CopyOrder =
  /** Copies the database, which may be in use, and reads the copy back. Errors call the target `named`. */
  | { readonly task: 'back up'; readonly path: string; readonly target: string; readonly named: string }
  /** Reads all of a backup. */
  | { readonly task: 'inspect'; readonly path: string }
  /** Copies a backup to a file that can take the place of the database, numbered above `after`, and reads the copy back. */
  | {
      readonly task: 'bring in';
      readonly path: string;
      readonly target: string;
      readonly nowMs: number;
      /** `generationOf` the present database. */
      readonly after: number;
    };

/** How often the size of the copy is looked at, as often as a progress bar is drawn. */
const LOOK_EVERY_MS = 100;
/** A file of the engine, and those that it makes beside it. */
const PARTS = ['', '-wal', '-shm', '-journal'] as const;

/**
 * Carries out an order in a side process. The target of one that fails or is ended is removed.
 *
 * @throws StoreError when it fails, TallyhookError with `cutShort` when `watch` ends it
 */
export async function copyInSideProcess(
  order: CopyOrder,
  cutShort: string,
  watch?: Watch<CopyProgress>,
): Promise<Contents> {
  const side = { module: 'store/sqlite/upkeep/copy-process', cutShort };
  const target = 'target' in order ? order.target : null;
  let doing: CopyProgress['doing'] = target === null ? 'checking the backup' : 'copying';
  const totalBytes = bytesOf(order.path) + bytesOf(`${order.path}-wal`);
  const show = () => watch?.onProgress({ doing, copiedBytes: target === null ? 0 : bytesOf(target), totalBytes });
  show();
  const timer = setInterval(show, LOOK_EVERY_MS);
  const { signal } = watch ?? new AbortController();
  try {
    return await runInSideProcess<Contents, CopyProgress['doing']>(side, order, signal, (step) => {
      doing = step;
      show();
    });
  } catch (error) {
    if (target !== null) for (const part of PARTS) rmSync(target + part, { force: true });
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** 0 where there is no file yet. */
function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
