import type { Environment } from '../../domain/environment.ts';
import { type Amount, amountOfMinor } from '../../domain/money/amount.ts';
import { type BusinessDays, daysFrom } from '../../domain/reconciling/business-day.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { ReconciliationArchive, RecordGroup } from '../../store/reconciliation.ts';
import { HOUR_MS } from '../../time/clock.ts';
import { type DaySpan, type DaysOrder, daysOf } from '../load/order.ts';
import { isSuccess } from './totals.ts';

export const TOTALS_BY = ['status', 'day', 'currency', 'channel'] as const;
export type TotalsBy = (typeof TOTALS_BY)[number];

/** How many and how much, for one value of what was asked by. Environments, kinds and currencies are never added up. */
export interface PeriodTotal {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly currency: string | null;
  /** A status, day, currency or channel; null: the records have none. */
  readonly value: string | null;
  readonly records: number;
  /** Of these, records without an amount that counts. */
  readonly withoutAmount: number;
  readonly total: Amount;
  /** Of these, records that succeeded: money that moved. */
  readonly succeeded: number;
  readonly succeededTotal: Amount;
}

type TotalsOrder = Omit<DaysOrder, 'asAtMs'> & { readonly kinds: readonly RecordKind[]; readonly by: TotalsBy };

/** Counts and adds up the records of a period, exactly, by everything that is known now. */
export async function periodTotals(
  archive: ReconciliationArchive,
  { by, ...order }: TotalsOrder,
): Promise<PeriodTotal[]> {
  const span = daysOf({ ...order, asAtMs: Number.MAX_SAFE_INTEGER });
  const grouped = by === 'day' ? partOfDay(span) : by === 'channel' ? 'channel' : 'status';
  const sums = new Map<string, PeriodTotal & { readonly minor: bigint; readonly succeededMinor: bigint }>();
  for (const kind of order.kinds) {
    for (const group of await archive.recordGroups(kind, { ...span.period, by: grouped })) {
      const { environment, currency, records, withoutAmount, minor } = group;
      const value = rowValue(group, by, span.days);
      const name = JSON.stringify([environment, kind, currency, value]);
      const before = sums.get(name);
      const success = isSuccess(group);
      const totalMinor = (before?.minor ?? 0n) + minor;
      const succeededMinor = (before?.succeededMinor ?? 0n) + (success ? minor : 0n);
      sums.set(name, {
        environment,
        kind,
        currency,
        value,
        records: (before?.records ?? 0) + records,
        withoutAmount: (before?.withoutAmount ?? 0) + withoutAmount,
        total: amountOfMinor(totalMinor),
        succeeded: (before?.succeeded ?? 0) + (success ? records : 0),
        succeededTotal: amountOfMinor(succeededMinor),
        minor: totalMinor,
        succeededMinor,
      });
    }
  }
  return [...sums.values()].map(({ minor: _minor, succeededMinor: _succeeded, ...total }) => total).sort(compareTotals);
}

function rowValue({ confirmed, reported, currency, channel, startMs }: RecordGroup, by: TotalsBy, days: BusinessDays) {
  if (by === 'status') return confirmed ?? reported;
  if (by === 'currency') return currency;
  return by === 'channel' ? channel : startMs === null ? null : days.dayOf(startMs);
}

/** The largest part of a day that lies within one day: an hour where every day begins at a whole hour of UTC. */
function partOfDay({ days, order }: DaySpan): 'hour' | 'minute' {
  return daysFrom(order.from, order.to).every((day) => days.startOf(day) % HOUR_MS === 0) ? 'hour' : 'minute';
}

function compareTotals(one: PeriodTotal, other: PeriodTotal): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.value ?? '', other.value ?? '') ||
    compareTexts(one.currency ?? '', other.currency ?? '')
  );
}
