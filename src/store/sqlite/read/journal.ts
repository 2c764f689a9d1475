import type { JournalLine, NumberedEntry } from '../../../domain/journal/entry.ts';
import type { JournalGrouping } from '../../../domain/journal/words.ts';
import type { JournalArchive, KeptJournal } from '../../journal.ts';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';

interface PeriodKey {
  readonly set: string;
  readonly period: string;
}
type EntryRow = Omit<NumberedEntry, 'lines'> & { readonly grouping: JournalGrouping };
type LineRow = Omit<JournalLine, 'minor'> & { readonly number: number; readonly minor: string };

/** Reads the kept journal of a period. */
export function journalReads(database: Database): JournalArchive {
  const entriesOf = database.prepare<PeriodKey, EntryRow>(`
    SELECT number, closing, date, source, account, currency, grouping, reverses
    FROM journal_entries WHERE set_name = @set AND period = @period ORDER BY number`);
  const linesOf = database.prepare<PeriodKey, LineRow>(`
    SELECT number, ledger_account AS account, role, CAST(minor AS TEXT) AS minor, text, reference, subject
    FROM journal_lines WHERE set_name = @set AND period = @period ORDER BY number, line`);

  const journal = snapshot(database, (set: string, period: string): KeptJournal => {
    const rows = entriesOf.all({ set, period });
    const lines = Map.groupBy(linesOf.all({ set, period }), ({ number }) => number);
    const entries = rows.map(({ grouping: _grouping, ...entry }) => ({
      ...entry,
      lines: (lines.get(entry.number) ?? []).map(({ number: _number, minor, ...line }) => ({
        ...line,
        minor: BigInt(minor),
      })),
    }));
    return { set, period, by: rows[0]?.grouping ?? null, entries };
  });

  return { journal: async (set, period) => journal(set, period) };
}
