import type { ListedPeriod } from '../reconcile/closing/list.ts';
import { count, type ListColumn, status, text, time } from './column.ts';

// Periods of each set of accounts, and the months that could be closed.

export function periodColumns(): ListColumn<ListedPeriod>[] {
  return [
    text('Set', ({ set }) => set),
    text('Period', ({ period }) => period),
    status('State', ({ state }) => state, { mark: ({ state }) => (state === 'open' ? 'warn' : 'good') }),
    count('Closings', ({ closing }) => closing, { leaveOut: 2 }),
    text('Prepared by', ({ preparer }) => preparer),
    text('Approved by', ({ approver }) => approver),
    time('Closed', ({ closedAtMs }) => closedAtMs, { leaveOut: 1 }),
  ];
}
