import type { Database } from '../engine/database.ts';
import { exceptionActs } from './exception-acts.ts';
import { exceptionFollowing } from './exception-follow.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { sheetImports } from './sheet-imports.ts';

/** Writes the queue of exceptions; on disk when a method returns. */
export function exceptionWrites(database: Database, audit: GuardedAudit) {
  const sheets = sheetImports(database);
  return {
    act: exceptionActs(database, audit, sheets),
    follow: exceptionFollowing(database, audit),
    beginSheet: sheets.begin,
    endSheet: sheets.end,
  };
}
