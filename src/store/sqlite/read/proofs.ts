import { GIFT_ACTS, type Gift, type GiftsTo } from '../../../domain/access/hands.ts';
import type { Credential, KnownCredential, ProofFacts } from '../../../domain/access/proof.ts';
import { foldedName } from '../../../domain/persons/person.ts';
import type { KnownSession } from '../../access.ts';
import type { Database } from '../engine/database.ts';
import { SESSIONS, type SessionRow, sessionFromRow } from '../rows/access.ts';
import { rolesFromColumn, userSubject } from '../rows/users.ts';

interface TokenRow {
  readonly name: string;
  readonly roles: string;
  readonly madeAtMs: number;
  readonly endsAtMs: number;
}

/** Whether the entry `e` carries out what a second person approved: it follows the entry that used a request of its act (`approval:ID`). */
const IS_APPROVED = `EXISTS (
  SELECT 1 FROM audit_entries u JOIN approvals a ON a.id = CAST(substr(u.subject, 10) AS INTEGER)
  WHERE u.seq = e.seq - 1 AND u.act = 'approval.use' AND u.who = e.who AND a.act = e.act)`;

export interface ProofFactReads {
  /** What the books know of a credential. */
  factsOf(credential: Credential | null): Omit<ProofFacts, 'nowMs'>;
  giftsTo: GiftsTo;
}

/** What names are proved by: the same for commands that ask before they begin, and in the transaction of an act. */
export function proofFactReads(database: Database): ProofFactReads {
  const hasUsers = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM users)').pluck();
  const tokenOf = database.prepare<[string], TokenRow>(`
    SELECT u.name, u.roles, t.made_at AS madeAtMs, t.ends_at AS endsAtMs
    FROM user_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?`);
  const sessionOf = database.prepare<[string], SessionRow>(`${SESSIONS} WHERE s.digest = ?`);
  const nameOf = database.prepare<[string], string>('SELECT name FROM users WHERE folded_name = ?').pluck();
  const gifts = database.prepare<{ subject: string }, Omit<Gift, 'isApproved'> & { isApproved: 0 | 1 }>(`
    SELECT e.seq, e.at AS atMs, e.act, e.who AS "by", ${IS_APPROVED} AS isApproved FROM audit_entries e
    WHERE e.subject = @subject AND e.act IN (${GIFT_ACTS.map((act) => `'${act}'`)}) ORDER BY e.seq`);

  function session(digest: string): KnownSession | null {
    const row = sessionOf.get(digest);
    return row === undefined ? null : sessionFromRow(row);
  }

  function known(credential: Credential | null): KnownCredential | 'none' | 'unknown' {
    if (credential === null) return 'none';
    if (credential.kind === 'session') {
      const found = session(credential.digest);
      return found === null ? 'unknown' : { kind: 'session', ...found };
    }
    const row = tokenOf.get(credential.digest);
    if (row === undefined) return 'unknown';
    return { kind: 'token', ...row, roles: rolesFromColumn(row.roles) };
  }

  return {
    factsOf: (credential) => ({ hasUsers: hasUsers.get() === 1, credential: known(credential) }),

    giftsTo(name) {
      const known = nameOf.get(foldedName(name));
      if (known === undefined) return []; // such as the name on the machine that added the first user
      return gifts.all({ subject: userSubject(known) }).map((row) => ({ ...row, isApproved: row.isApproved === 1 }));
    },
  };
}
