import type { Closing, PeriodChange, SinceClose } from '../../../store/periods.ts';
import { addressOf } from '../asked.ts';
import type { Shown, TableBlock } from '../page.ts';

// What became of a period after it was closed: what came since, what the next closing changed, and who did it.

export function sinceTable(since: readonly SinceClose[]): TableBlock {
  return {
    ...{ kind: 'table', id: 'since', caption: 'Since the close, and in no frozen figure' },
    columns: [{ name: 'What', as: 'head' }, { name: 'Reference' }, { name: 'At' }],
    rows: since.map(({ what, reference, atMs }) => ({
      cells: [
        what,
        reference === null ? null : { text: reference, as: 'id', href: addressOf('/find', { q: reference }) },
        { ms: atMs },
      ],
    })),
    empty: { text: 'Nothing came since.' },
  };
}

export function changesTable(changes: readonly PeriodChange[]): TableBlock {
  return {
    ...{ kind: 'table', id: 'changes', caption: 'Changed since the closing before' },
    columns: [{ name: 'What', as: 'head' }, { name: 'Before' }, { name: 'After' }],
    rows: changes.map(({ path, before, after }) => ({ cells: [path, changedShown(before), changedShown(after)] })),
    empty: { text: 'Nothing changed.' },
  };
}

function changedShown(value: unknown): Shown {
  if (value === null || value === undefined) return null;
  return { text: typeof value === 'object' ? JSON.stringify(value) : String(value), as: 'long' };
}

export function closingsTable(closings: readonly Closing[]): TableBlock {
  return {
    ...{ kind: 'table', id: 'closings', caption: 'Closings' },
    columns: [
      { name: 'Closing', as: 'head' },
      { name: 'Prepared by' },
      { name: 'Approved by' },
      { name: 'Opened again by' },
      { name: 'Because' },
      { name: 'Digest', as: 'digest' },
    ],
    rows: closings.map((one) => ({
      cells: [
        one.closing,
        [{ text: one.preparer }, { ms: one.closedAtMs }],
        one.approver,
        one.reopenedBy,
        one.reason === null ? null : { text: one.reason, as: 'long' },
        { text: one.digest, as: 'digest' },
      ],
    })),
    empty: { text: 'It was never closed.' },
  };
}
