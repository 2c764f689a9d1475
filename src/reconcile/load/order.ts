import type { Environment } from '../../domain/environment.ts';
import { type BusinessDays, businessDays, type DayRule, dayPlus } from '../../domain/reconciling/business-day.ts';
import type { Rules } from '../../domain/reconciling/rules.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import type { ReconciledPeriod } from '../../store/reconciliation.ts';
import type { ClosedPeriod } from './closed.ts';

/** Which days, and what was known. */
export interface DaysOrder {
  /** Missing: both, never mixed. */
  readonly environment?: Environment;
  /** The first and the last day, `yyyy-MM-dd`. */
  readonly from: string;
  readonly to: string;
  /** Nothing that became known later counts. */
  readonly asAtMs: number;
  /** The as-at time is now: everything counts. Missing: a person named it. */
  readonly isNow?: boolean;
  readonly dayRule: DayRule;
}

/** What to reconcile. */
export interface ReconcileOrder extends DaysOrder {
  readonly kinds: readonly RecordKind[];
  /** Kinds that the configuration gives no status endpoint. */
  readonly withoutEndpoint: readonly RecordKind[];
  readonly rules: Rules;
  /** Our own opening balances; null: the statements' own stand for both. */
  readonly begin: Begin | null;
  /** Periods that are closed. Missing: none. */
  readonly closed?: readonly ClosedPeriod[];
  /** The last days of accounts that were given up (configuration `periods.until`). Missing: none was. */
  readonly until?: Readonly<Record<string, string>>;
  /** Missing: every leg, and what stands in none. */
  readonly leg?: string;
  /** Missing: all of them. */
  readonly account?: string;
}

/** Our own opening balances (configuration `reconcile.begin`). Minor units by account and currency. */
export interface Begin {
  readonly date: string;
  readonly balances: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
}

/** Days, computed. */
export interface DaySpan {
  readonly order: DaysOrder;
  readonly days: BusinessDays;
  readonly period: ReconciledPeriod;
  /** When ages and due dates are judged: at the end of the last day, or earlier where no more is known. */
  readonly judgedAtMs: number;
  readonly judgedDay: string;
}

/** An order with its days computed. */
export interface Span extends DaySpan {
  readonly order: ReconcileOrder;
}

export function spanOf(order: ReconcileOrder): Span {
  return { ...daysOf(order), order };
}

export function daysOf(order: DaysOrder): DaySpan {
  const { from, to, asAtMs, environment, dayRule } = order;
  const days = businessDays(dayRule);
  const [fromMs, beforeMs] = [days.startOf(from), days.startOf(dayPlus(to, 1))];
  const judgedAtMs = Math.min(asAtMs, beforeMs - 1);
  return {
    order,
    days,
    period: { fromMs, beforeMs, asAtMs, ...(environment !== undefined && { environment }) },
    judgedAtMs,
    judgedDay: days.dayOf(judgedAtMs),
  };
}

/** Whether an instant belongs to the period. */
export function isWithin({ period }: Span, ms: number): boolean {
  return ms >= period.fromMs && ms < period.beforeMs;
}
