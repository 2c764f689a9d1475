import type { IntakeArchive } from '../../intake.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { entryFromRow, type IntakeRow } from '../rows/intake.ts';

/** Reads what became of the files of the statements folder. */
export function intakeReads(database: Database): IntakeArchive {
  const all = database.prepare<[], IntakeRow>('SELECT * FROM statement_intake ORDER BY path');
  return { intake: async () => guarded(database, () => all.all().map(entryFromRow))() };
}
