import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';

interface StatementAct extends Timed {
  readonly statement: number;
  readonly by: string;
}

/** Enters what is done with statements, and with the profiles that read them, into the audit chain. The caller holds the transaction. */
export function statementActs(database: Database, audit: AuditWrites) {
  const profileOf = database
    .prepare<[number], string>(
      'SELECT p.digest FROM imported_statements s JOIN statement_profiles p ON p.id = s.profile_id WHERE s.id = ?',
    )
    .pluck();

  return {
    /** `show` makes the statement show and returns its digest. */
    imported({ statement, by, nowMs }: StatementAct, show: () => string | null): void {
      const profile = `profile:${profileOf.get(statement)}`;
      const before = audit.digestOf(profile);
      const digest = show();
      const after = audit.digestOf(profile);
      if (before !== after) audit.append({ who: by, act: 'profile.use', subject: profile, before, after, nowMs });
      const subject = `statement:${statement}`;
      audit.append({ who: by, act: 'statement.import', subject, before: null, after: digest, nowMs });
    },

    /** From here on its lines belong to other statements, or to none. */
    removed({ statement, by, nowMs }: StatementAct, before: string | null): void {
      const subject = `statement:${statement}`;
      audit.append({ who: by, act: 'statement.remove', subject, before, after: audit.digestOf(subject), nowMs });
    },

    /** `end`: its last lines are gone. */
    cleared(statement: number, nowMs: number, end: () => void): void {
      const subject = `statement:${statement}`;
      const before = audit.digestOf(subject);
      end();
      const after = audit.digestOf(subject);
      audit.append({ who: TALLYHOOK, act: 'statement.clear', subject, before, after, nowMs });
    },
  };
}
