import type { RowChange } from '../reconcile/sheet/judge/judge.ts';
import type { Refusal } from '../reconcile/sheet/judge/refusal.ts';
import { count, id, type ListColumn, long, text, word } from './column.ts';

// What rows of a spreadsheet of exceptions change, and which of them are refused.

export function sheetChangeColumns(): ListColumn<RowChange>[] {
  return [count('Row', ({ row }) => row), id('Id', (change) => change.id), long('Change', changesText)];
}

/** `withTimes` writes the times of a message as a person reads them. */
export function sheetRefusalColumns(withTimes: (message: string) => string): ListColumn<Refusal>[] {
  return [
    count('Row', ({ row }) => row),
    id('Id', (refusal) => refusal.id, { leaveOut: 1 }),
    word('Refused', ({ reason }) => reason),
    word('Column', ({ column }) => column),
    text('Value', ({ value }) => value, { leaveOut: 2 }),
    long('Why', ({ message }) => withTimes(message)),
  ];
}

/** `resolution accept; comment "asked" → "paid"` */
function changesText({ changes }: RowChange): string {
  return Object.entries(changes)
    .map(
      ([column, [from, to]]) =>
        `${column} ${from === null ? '' : `${shown(from)} → `}${to === null ? 'nothing' : shown(to)}`,
    )
    .join('; ');
}

function shown(value: string): string {
  return /^[\w-]+$/.test(value) ? value : JSON.stringify(value);
}
