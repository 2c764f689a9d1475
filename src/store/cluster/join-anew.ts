import type { StoreFault } from '../error.ts';
import { StoreError } from '../error.ts';
import { knownLogOf } from './cluster-state.ts';
import { type Lost, offerLost } from './offer-lost.ts';
import type { OpenSharedBooks, SharedBooksOrder } from './open-books.ts';
import { openSharedLog } from './open-log.ts';
import { loadSnapshot } from './snapshot.ts';

/** Whether an error says that the database cannot go on behind its place in the log. */
export function isToJoinAnew(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.fault === 'beside_log' || error.fault === 'fell_behind');
}

/**
 * Makes an open database a copy of the newest snapshot. What the log lost of it is offered first; null when the log had only moved on.
 *
 * @throws StoreError; it may be called again
 */
export async function joinAnew(
  { path, cluster }: SharedBooksOrder,
  { books, recent }: Pick<OpenSharedBooks, 'books' | 'recent'>,
  fault: StoreFault,
): Promise<Lost | null> {
  const state = books.state();
  // Another installation is refused, and a server of an earlier timeline: it is the old primary.
  const known = { ...knownLogOf(state), place: null };
  const log = await openSharedLog(cluster.log, { name: cluster.node, known });
  try {
    const lost = fault === 'beside_log' ? await offerLost(path, state, recent, log) : null;
    await loadSnapshot(path, log, state.node);
    recent.forget();
    return lost;
  } finally {
    await log.close();
  }
}
