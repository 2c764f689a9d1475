import { count, digest, type ListColumn, long, text, time } from '../../../lists/column.ts';
import { changeColumns, sinceColumns } from '../../../lists/periods.ts';
import { MOST_SINCE } from '../../../reconcile/closing/since-close.ts';
import type { Closing, PeriodChange, SinceClose } from '../../../store/periods.ts';
import { addressOf } from '../asked.ts';
import { listTable } from '../list-blocks.ts';
import type { TableBlock } from '../page.ts';

// What became of a period after it was closed: what came since, what the next closing changed, and who did it.

export function sinceTable(since: readonly SinceClose[]): TableBlock {
  return listTable(sinceColumns(), since, {
    ...{ id: 'since', caption: 'Since the close, and in no frozen figure', head: 'What' },
    links: { Reference: ({ reference }) => (reference === null ? undefined : addressOf('/find', { q: reference })) },
    empty: { text: 'Nothing came since.', next: 'The frozen report says everything that is known of these days.' },
    note: since.length < MOST_SINCE ? undefined : `The first ${MOST_SINCE} are shown.`,
  });
}

export function changesTable(changes: readonly PeriodChange[]): TableBlock {
  return listTable(changeColumns(), changes, {
    ...{
      id: 'changes',
      caption: 'Changed since the closing before',
      empty: { text: 'Nothing changed.', next: 'Both closings say the same; the later one counts.' },
    },
  });
}

const CLOSING_COLUMNS: readonly ListColumn<Closing>[] = [
  count('Closing', ({ closing }) => closing),
  text('Prepared by', ({ preparer }) => preparer),
  time('Closed', ({ closedAtMs }) => closedAtMs),
  text('Approved by', ({ approver }) => approver),
  text('Opened again by', ({ reopenedBy }) => reopenedBy),
  long('Because', ({ reason }) => reason),
  digest('Digest', (one) => one.digest),
];

export function closingsTable(closings: readonly Closing[]): TableBlock {
  return listTable(CLOSING_COLUMNS, closings, { id: 'closings', caption: 'Closings', empty: null });
}
