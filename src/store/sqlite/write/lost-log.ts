import { existsSync } from 'node:fs';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { LostLog } from '../../lost-log.ts';
import { type Database, writing } from '../engine/database.ts';
import { knownLog } from '../log/known-log.ts';
import { goOnWithRest, logFactsAt, logFileOf, restOfLog } from '../log/log-file.ts';
import { waitingRead } from '../read/waiting.ts';
import type { AuditWrites } from './audit.ts';

type Order = ByPerson & { readonly dryRun: boolean } & Timed;

/** Lets books forget their log, or go on with what is left of it; its entry in the audit comes first. */
export function lostLogWrites(database: Database, audit: AuditWrites) {
  const file = logFileOf(database.name);
  const known = knownLog(database);
  const waiting = waitingRead(database);
  const forget = database.prepare('UPDATE carried_out SET installation = NULL');
  const enter = writing(database, ({ by = TALLYHOOK, dryRun, nowMs }: Order): LostLog => {
    const { installation, seq: carriedOut } = known();
    if (installation === null) return { refused: 'no log known', file, carriedOut, left: null };
    const isGone = !existsSync(file);
    const present = isGone ? restOfLog(file) : file;
    if (present !== null && (isGone || !lacksItsEnd(carriedOut)))
      return { refused: 'log is there', file: present, carriedOut, left: null };
    if (!dryRun) {
      if (isGone) forget.run();
      const subject = `log:${installation}/${carriedOut}`;
      audit.append({ who: by, act: 'log.lose', subject, before: null, after: null, nowMs });
    }
    return { refused: null, file, carriedOut, left: isGone ? null : waiting().deliveries };
  });
  return {
    lose(order: Order): LostLog {
      const lost = enter(order);
      if (!order.dryRun && lost.left !== null) goOnWithRest(file, lost.carriedOut);
      return lost;
    },
  };

  /** Its write-ahead log is lost, or it is an older copy. */
  function lacksItsEnd(carriedOut: number): boolean {
    const facts = logFactsAt(file);
    return facts !== null && facts.installation === known().installation && (facts.isCut || facts.last < carriedOut);
  }
}
