import { kindsWithoutEndpoint } from '../confirm/endpoints.ts';
import type { DayRange } from '../domain/periods/period.ts';
import { businessDays, firstDayBefore } from '../domain/reconciling/business-day.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import { firstOpenDay } from '../reconcile/closing/first-open-day.ts';
import { countUnresolved } from '../reconcile/exceptions/progress.ts';
import { reconcileAndKeep } from '../reconcile/keep/keep-run.ts';
import type { ReconcileOrder } from '../reconcile/load/order.ts';
import { loadRules } from '../reconcile/rules/load.ts';
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
  const order = { ...(await orderAt(config, clock.nowMs())), ...days };
  const archive = await storeOf(config, { clock }).archive();
  try {
    const closed = await archive.closedPeriods();
    const used = new Set((await archive.lastStatements()).map(({ environment }) => environment));
    const open = firstOpenDay(order.from, closed, [...used]);
    const from = open < order.to ? open : order.to;
    const result = await reconcileAndKeep(archive, operations, { ...order, from, closed }, { onRun });
    const { to } = order;
    const { breaks, timing, notConfirmed } = result;
    const unresolved = await countUnresolved(archive, result);
    return { from, to, breaks: breaks.length, unresolved, notDue: timing.length, notConfirmed: notConfirmed.length };
  } finally {
    await archive.close();
  }
}

async function orderAt(config: JobParts['config'], nowMs: number): Promise<ReconcileOrder> {
  const { cutOffMinutes, days } = config.reconcile;
  const dayRule = { zone: config.timeZone, cutOffMinutes };
  const to = businessDays(dayRule).dayOf(nowMs);
  const withoutEndpoint = kindsWithoutEndpoint(config);
  const from = firstDayBefore(to, days);
  const rules = await loadRules(config.reconcile.rules ?? undefined);
  const { begin } = config.reconcile;
  const { until } = config.periods;
  return { kinds: RECORD_KINDS, from, to, asAtMs: nowMs, dayRule, withoutEndpoint, rules, begin, until };
}
