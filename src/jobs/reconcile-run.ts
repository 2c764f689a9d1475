import { booksMs } from '../domain/periods/books-time.ts';
import type { DayRange } from '../domain/periods/period.ts';
import { businessDays, firstDayBefore } from '../domain/reconciling/business-day.ts';
import { firstOpenDay } from '../reconcile/closing/first-open-day.ts';
import { countUnresolved } from '../reconcile/exceptions/progress.ts';
import { configuredOrder } from '../reconcile/keep/configured-order.ts';
import { reconcileAndKeep } from '../reconcile/keep/keep-run.ts';
import { storeOf } from '../store/configured-store.ts';
import type { JobParts } from './job.ts';

/** What a run found, in numbers. */
export interface ReconcileRun {
  readonly from: string;
  readonly to: string;
  readonly breaks: number;
  /** Of these, unresolved breaks. */
  readonly unresolved: number;
  readonly notDue: number;
  /** The service cannot be asked about them. */
  readonly notConfirmed: number;
}

/**
 * Reconciles days, those of the configuration up to today unless others are given: all kinds, both environments, by everything
 * known now. The run is kept.
 */
export async function runReconciliation(
  { config, clock, operations, onRun }: Pick<JobParts, 'config' | 'clock' | 'operations' | 'onRun'>,
  days?: DayRange,
): Promise<ReconcileRun> {
  const asAtMs = clock.nowMs();
  const order = await configuredOrder(config, { asAtMs, ...(days ?? daysUpTo(asAtMs, config)) });
  const archive = await storeOf(config, { clock }).archive();
  try {
    const closed = await archive.closedPeriods();
    const used = new Set((await archive.lastStatements()).map(({ environment }) => environment));
    const open = firstOpenDay(order.from, closed, [...used]);
    const from = open < order.to ? open : order.to;
    const result = await reconcileAndKeep(
      archive,
      operations,
      { ...order, asAtMs: booksMs(asAtMs, await archive.lastAsAtMs()), from, closed },
      { onRun },
    );
    const { to } = order;
    const { breaks, timing, notConfirmed } = result;
    const unresolved = await countUnresolved(archive, result);
    return { from, to, breaks: breaks.length, unresolved, notDue: timing.length, notConfirmed: notConfirmed.length };
  } finally {
    await archive.close();
  }
}

function daysUpTo(nowMs: number, { timeZone: zone, reconcile }: JobParts['config']): DayRange {
  const to = businessDays({ zone, cutOffMinutes: reconcile.cutOffMinutes }).dayOf(nowMs);
  return { from: firstDayBefore(to, reconcile.days), to };
}
