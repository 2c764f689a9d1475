import { existsSync } from 'node:fs';
import type { Waiting } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { isMade, logError, logFactsAt, logFileOf, openLog } from '../log/log-file.ts';
import { entryReads } from '../log/reader.ts';

const NOTHING: Waiting = { deliveries: 0, sinceMs: null };

/** Reads what the log holds and the books have not carried out yet; all of it when `restore` offers it. A copy of the books has no log. */
export function waitingRead(database: Database): () => Waiting {
  const carriedOut = database.prepare<[], { installation: string | null; seq: number }>(
    'SELECT installation, seq FROM carried_out',
  );
  const file = logFileOf(database.name);
  return () => {
    const { installation = null, seq = 0 } = carriedOut.get() ?? {};
    if (!existsSync(file) || (installation === null && logFactsAt(file)?.isOffered !== true)) return NOTHING;
    try {
      const log = openLog(file, { readonly: true });
      try {
        return isMade(log) ? entryReads(log).waiting(installation === null ? 0 : seq) : NOTHING;
      } finally {
        log.close();
      }
    } catch (error) {
      throw logError(error, file);
    }
  };
}
