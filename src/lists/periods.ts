import type { CheckItem, CheckState } from '../reconcile/closing/check-items.ts';
import type { ListedPeriod } from '../reconcile/closing/list.ts';
import type { PeriodChange, SinceClose } from '../store/periods.ts';
import { count, id, type ListColumn, long, status, text, time, word } from './column.ts';

// Periods of each set of accounts, with the months that could be closed; and what is to be said of one.

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

/** What must be right before a period is closed. */
export function checkColumns(): ListColumn<CheckItem>[] {
  return [
    word('Check', ({ name }) => name),
    status('State', ({ state }) => state, { mark: ({ state }) => CHECK_MARKS[state] }),
    count('Count', (item) => item.count, { leaveOut: 2 }),
    long('What', (item) => item.text),
    long('Next', ({ next }) => next, { leaveOut: 1 }),
  ];
}

const CHECK_MARKS = {
  ok: 'good',
  explained: 'good',
  note: 'quiet',
  open: 'bad',
} as const satisfies Record<CheckState, ReturnType<NonNullable<ListColumn<CheckItem>['mark']>>>;

/** What came after the close, and is in no frozen figure. */
export function sinceColumns(): ListColumn<SinceClose>[] {
  return [
    time('At', ({ atMs }) => atMs),
    text('What', ({ what }) => what),
    id('Reference', ({ reference }) => reference),
  ];
}

/** What differs from the closing before. */
export function changeColumns(): ListColumn<PeriodChange>[] {
  return [
    long('What', ({ path }) => path.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/, '$1…')),
    long('Before', ({ path, before }) => changedText(before, path)),
    long('After', ({ path, after }) => changedText(after, path)),
  ];
}

/** A row that is in one of the closings alone is shown by its figures: its names stand in the path. */
function changedText(value: unknown, path: string): string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return shortened(String(value));
  const figures = Object.entries(value).filter(([, one]) => typeof one !== 'object' && !path.includes(String(one)));
  return figures.map(([name, one]) => `${name} ${shortened(String(one))}`).join(', ') || 'there';
}

/** The first digits of a digest tell it from another one. */
function shortened(value: string): string {
  return /^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 12)}…` : value;
}
