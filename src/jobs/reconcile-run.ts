import { kindsWithoutEndpoint } from '../confirm/endpoints.ts';
import { storeOf } from '../confirm/store.ts';
import { businessDays, firstDayBefore } from '../domain/business-day.ts';
import { RECORD_KINDS } from '../domain/lifecycle.ts';
import { reconcileAndKeep } from '../reconcile/keep-run.ts';
import type { ReconcileOrder } from '../reconcile/order.ts';
import { loadRules } from '../reconcile/rules/load.ts';
import type { JobParts } from './job.ts';

/** What a run found, in numbers. */
export interface ReconcileRun {
  readonly from: string;
  readonly to: string;
  readonly breaks: number;
  readonly notDue: number;
  /** The service cannot be asked about them. */
  readonly notConfirmed: number;
}

/** Reconciles the days of the configuration up to today: all kinds, both environments, by everything known now. The run is kept. */
export async function runReconciliation({
  config,
  clock,
  operations,
}: Pick<JobParts, 'config' | 'clock' | 'operations'>): Promise<ReconcileRun> {
  const order = await orderAt(config, clock.nowMs());
  const archive = await storeOf(config, { clock }).archive();
  const result = await reconcileAndKeep(archive, operations.runs, order).finally(() => archive.close());
  const { from, to } = order;
  const { breaks, timing, notConfirmed } = result;
  return { from, to, breaks: breaks.length, notDue: timing.length, notConfirmed: notConfirmed.length };
}

async function orderAt(config: JobParts['config'], nowMs: number): Promise<ReconcileOrder> {
  const { cutOffMinutes, days } = config.reconcile;
  const dayRule = { zone: config.timeZone, cutOffMinutes };
  const to = businessDays(dayRule).dayOf(nowMs);
  const withoutEndpoint = kindsWithoutEndpoint(config);
  const from = firstDayBefore(to, days);
  const rules = await loadRules(config.reconcile.rules ?? undefined);
  const { begin } = config.reconcile;
  return { kinds: RECORD_KINDS, from, to, asAtMs: nowMs, dayRule, withoutEndpoint, rules, begin };
}
