import { booksMs } from '../../domain/periods/books-time.ts';
import type { Archive } from '../../store/archive.ts';
import type { OpenOperations } from '../../store/store.ts';
import { type FrozenDays, frozenDays } from '../closing/frozen-days.ts';
import type { ReconcileOrder } from '../load/order.ts';
import { type Reconciliation, reconcile } from '../reconcile.ts';
import { reconcileAndKeep } from './keep-run.ts';

/** How a run is kept. */
export interface Keeping {
  /** Opens what writes; it is closed after the run. */
  readonly open: () => Promise<Pick<OpenOperations, 'runs' | 'exceptions' | 'close'>>;
  readonly isFull: boolean;
  readonly by: string;
}

export interface ReconciledDays {
  readonly result: Reconciliation;
  /** Null: the days are not closed. */
  readonly frozen: FrozenDays | null;
}

/**
 * Reconciles the days that were asked for, and keeps the run for `breaks`, `matches` and `why`. Days that are closed give their frozen
 * figures again, and nothing is kept. `keeping` null: nothing is kept anyway.
 */
export async function reconcileAskedDays(
  archive: Archive,
  asked: Omit<ReconcileOrder, 'closed'>,
  keeping: Keeping | null,
): Promise<ReconciledDays> {
  const closed = await archive.closedPeriods();
  const knownMs = asked.isNow ? booksMs(asked.asAtMs, await archive.lastAsAtMs()) : asked.asAtMs;
  const order = { ...asked, asAtMs: knownMs, closed };
  const frozen = await frozenDays(archive, order, closed);
  if (keeping !== null && frozen === null) return { result: await keptRun(archive, order, keeping), frozen };
  const asAtMs = Math.min(order.asAtMs, frozen?.asAtMs ?? order.asAtMs);
  return { result: await reconcile(archive, { ...order, asAtMs }), frozen };
}

async function keptRun(
  archive: Archive,
  order: ReconcileOrder,
  { open, ...keeping }: Keeping,
): Promise<Reconciliation> {
  const operations = await open();
  try {
    return await reconcileAndKeep(archive, operations, order, keeping);
  } finally {
    await operations.close();
  }
}
