import { dirname } from 'node:path';
import type { RewriteOrder, Rewritten } from '../../upkeep.ts';
import { runInSideProcess } from './side-process.ts';

export interface RewriteSideOrder extends RewriteOrder {
  /** The database. */
  readonly path: string;
}

/**
 * Rewrites a database in a side process, which a stop can end: the database is then as it was.
 *
 * @throws StoreError when it cannot be rewritten, TallyhookError when `signal` cuts it short
 */
export function rewriteInSideProcess(order: RewriteSideOrder, signal: AbortSignal): Promise<Rewritten> {
  const side = {
    module: 'store/sqlite/upkeep/rewrite-process',
    cutShort: 'Rewriting the database was cut short.',
    // The engine's temporary copy stays on the disk of the database, with its space and its protection.
    env: { ...process.env, SQLITE_TMPDIR: dirname(order.path) },
  };
  return runInSideProcess(side, order, signal);
}
