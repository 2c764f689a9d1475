import { entryName, type JournalEntry, type NumberedEntry } from '../../domain/journal/entry.ts';

/** An entry as it is printed; a draft has neither name nor reversals. */
export interface PrintedEntry extends JournalEntry {
  readonly name: string | null;
  /** The name of the entry that it takes back. */
  readonly reverses: string | null;
}

export function printedEntry(period: string): (entry: NumberedEntry) => PrintedEntry {
  return ({ number, closing: _closing, reverses, ...entry }) => ({
    ...entry,
    name: entryName(period, number),
    reverses: reverses === null ? null : entryName(period, reverses),
  });
}

export function draftEntry(entry: JournalEntry): PrintedEntry {
  return { ...entry, name: null, reverses: null };
}

/** Leaves out what the merchant's own books hold already. */
export function withoutBooks(entries: readonly PrintedEntry[]): PrintedEntry[] {
  const books = new Set(entries.filter(({ source }) => source === 'books').map(({ name }) => name));
  return entries.filter(({ source, reverses }) => source !== 'books' && (reverses === null || !books.has(reverses)));
}
