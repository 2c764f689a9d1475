import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { sourceFile } from '../../../package-root.ts';
import { errorOf, type Failure } from '../../error.ts';
import type { RewriteOrder, Rewritten } from '../../upkeep.ts';

export interface RewriteSideOrder extends RewriteOrder {
  /** The database. */
  readonly path: string;
}

/** The one message of the side process. */
export type RewriteAnswer = { readonly result: Rewritten } | { readonly failure: Failure };

/**
 * Rewrites a database in a side process, which a stop can end: the database is then as it was.
 *
 * @throws StoreError when it cannot be rewritten, TallyhookError when `signal` cuts it short
 */
export async function rewriteInSideProcess(order: RewriteSideOrder, signal: AbortSignal): Promise<Rewritten> {
  const child = fork(sourceFile('store/sqlite/upkeep/rewrite-process'), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The engine's temporary copy stays on the disk of the database, with its space and its protection.
    env: { ...process.env, SQLITE_TMPDIR: dirname(order.path) },
  });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let answer: RewriteAnswer | undefined;
  child.once('message', (message: RewriteAnswer) => {
    answer = message;
  });
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (answer === undefined) throw new TallyhookError('Rewriting the database was cut short.', { kind: 'failed' });
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer.result;
}
