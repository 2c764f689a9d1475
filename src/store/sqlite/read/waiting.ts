import { existsSync } from 'node:fs';
import type { Waiting } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { entryReads } from '../log/entries.ts';
import { logFileOf, openLog } from '../log/log-file.ts';

const NOTHING: Waiting = { deliveries: 0, sinceMs: null };

/** Reads what the log holds and the books have not carried out yet. A copy of the books has no log. */
export function waitingRead(database: Database): () => Waiting {
  const carriedOut = database.prepare<[], { installation: string | null; seq: number }>(
    'SELECT installation, seq FROM carried_out',
  );
  const file = logFileOf(database.name);
  return () => {
    const { installation = null, seq = 0 } = carriedOut.get() ?? {};
    if (installation === null || !existsSync(file)) return NOTHING;
    try {
      const log = openLog(file, { readonly: true });
      try {
        return entryReads(log).waiting(seq);
      } finally {
        log.close();
      }
    } catch (error) {
      throw storeError(error, file);
    }
  };
}
