import { existsSync } from 'node:fs';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { LostLog } from '../../lost-log.ts';
import { type Database, writing } from '../engine/database.ts';
import { knownLog } from '../log/known-log.ts';
import { logFileOf, restOfLog } from '../log/log-file.ts';
import type { AuditWrites } from './audit.ts';

/** Lets books forget their log; one transaction with its entry in the audit. */
export function lostLogWrites(database: Database, audit: AuditWrites) {
  const file = logFileOf(database.name);
  const known = knownLog(database);
  const forget = database.prepare('UPDATE carried_out SET installation = NULL');
  return {
    lose: writing(database, ({ by = TALLYHOOK, dryRun, nowMs }: ByPerson & { dryRun: boolean } & Timed): LostLog => {
      const { installation, seq: carriedOut } = known();
      if (installation === null) return { refused: 'no log known', file, carriedOut };
      const present = existsSync(file) ? file : restOfLog(file);
      if (present !== null) return { refused: 'log is there', file: present, carriedOut };
      if (!dryRun) {
        forget.run();
        audit.append({
          who: by,
          act: 'log.lose',
          subject: `log:${installation}/${carriedOut}`,
          before: null,
          after: null,
          nowMs,
        });
      }
      return { refused: null, file, carriedOut };
    }),
  };
}
