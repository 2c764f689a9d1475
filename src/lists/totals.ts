import { formatAmount } from '../domain/money/amount.ts';
import type { PeriodTotal, TotalsBy } from '../reconcile/witnesses/period-totals.ts';
import { count, figure, type ListColumn, text } from './column.ts';

// How many records of a period, and how much.

export function totalsColumns(by: TotalsBy): ListColumn<PeriodTotal>[] {
  return [
    text('Env', ({ environment }) => environment),
    text('Kind', ({ kind }) => kind),
    ...(by === 'currency' ? [] : [text<PeriodTotal>(`${by[0]?.toUpperCase()}${by.slice(1)}`, ({ value }) => value)]),
    text('Currency', ({ currency }) => currency),
    count('Records', ({ records }) => records),
    figure('Total', ({ total }) => formatAmount(total)),
    count('Succeeded', ({ succeeded }) => succeeded, { leaveOut: 1 }),
    figure('Of them', ({ succeededTotal }) => formatAmount(succeededTotal), { leaveOut: 1 }),
  ];
}
