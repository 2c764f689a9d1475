import type { JournalOrder } from '../../journal.ts';
import type { Database } from '../engine/database.ts';

/** Writes the journal of a closing; the caller holds the transaction in which the period is closed. */
export function journalWrites(database: Database) {
  const insertEntry = database.prepare<Record<string, string | number | null>>(`
    INSERT INTO journal_entries (set_name, period, number, closing, date, source, account, currency, grouping, reverses)
    VALUES (@set, @period, @number, @closing, @date, @source, @account, @currency, @by, @reverses)`);
  const insertLine = database.prepare<Record<string, string | number | bigint | null>>(`
    INSERT INTO journal_lines (set_name, period, number, line, ledger_account, role, minor, text, reference, subject)
    VALUES (@set, @period, @number, @line, @account, @role, @minor, @text, @reference, @subject)`);

  return {
    /** Adds entries, never changes one. */
    keep({ set, period, by, entries }: JournalOrder): void {
      for (const { lines, ...entry } of entries) {
        insertEntry.run({ set, period, by, ...entry });
        for (const [at, line] of lines.entries()) {
          insertLine.run({ set, period, number: entry.number, line: at + 1, ...line });
        }
      }
    },
  };
}
