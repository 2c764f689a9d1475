import type { IntakeEntry } from '../../../domain/statements/statement-intake.ts';
import { StoreError } from '../../error.ts';
import { MOST_FORGOTTEN } from '../../intake.ts';
import { type Database, writing } from '../engine/database.ts';
import { type IntakeRow, rowFromEntry } from '../rows/intake.ts';

/** Writes what became of the files of the statements folder. Each call is one short transaction. */
export function intakeWrites(database: Database) {
  const put = database.prepare<IntakeRow>(`
    INSERT OR REPLACE INTO statement_intake
      (path, outcome, file_bytes, modified_at, seen_at, since, file_sha256, profile_digest, statement_id, reason, hint)
    VALUES (@path, @outcome, @file_bytes, @modified_at, @seen_at, @since, @file_sha256, @profile_digest, @statement_id,
      @reason, @hint)`);
  const drop = database.prepare<[string]>('DELETE FROM statement_intake WHERE path = ?');
  return {
    note: writing(database, (entry: IntakeEntry): void => {
      put.run(rowFromEntry(entry));
    }),

    forget: writing(database, ({ paths }: { readonly paths: readonly string[] }): void => {
      if (paths.length > MOST_FORGOTTEN)
        throw new StoreError('other', `${paths.length} files are more than ${MOST_FORGOTTEN}.`);
      for (const path of paths) drop.run(path);
    }),
  };
}
