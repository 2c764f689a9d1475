import type { AuditEntry } from '../../../domain/audit/entry.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import type { AuditArchive, AuditFilter, SignedHead } from '../../audit.ts';
import type { Count, Page } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { AUDIT_COLUMNS, type AuditRow, entryFromRow, timeText } from '../rows/audit.ts';

type Wanted = { people: string | null; acts: string | null; subject: string | null; sinceMs: number; untilMs: number };

/** Reads the audit chain. */
export function auditReads(database: Database): AuditArchive {
  const wanted = `
    (@people IS NULL OR who IN (SELECT value FROM json_each(@people))) AND (@acts IS NULL OR act IN (SELECT value FROM json_each(@acts)))
    AND (@subject IS NULL OR subject = @subject
      OR seq IN (SELECT t.seq FROM audit_touched t WHERE t.subject = @subject)) AND at >= @sinceMs AND at < @untilMs`;
  const paged = (order: 'ASC' | 'DESC', beyond: '>' | '<') =>
    database.prepare<Wanted & { afterId: number | null; limit: number }, AuditRow>(`
      SELECT ${AUDIT_COLUMNS} FROM audit_entries
      WHERE ${wanted} AND (@afterId IS NULL OR seq ${beyond} @afterId) ORDER BY seq ${order} LIMIT @limit`);
  const pages = { newest: paged('DESC', '<'), oldest: paged('ASC', '>') };
  const count = database.prepare<Wanted, number>(`SELECT count(*) FROM audit_entries WHERE ${wanted}`).pluck();
  const head = database.prepare<[], Omit<SignedHead, 'at'> & { at: number | null }>(`
    SELECT h.seq, h.hash, h.signature, e.at FROM audit_head h LEFT JOIN audit_entries e ON e.seq = h.seq WHERE h.id = 1`);
  const everyone = database.prepare<[], string>('SELECT DISTINCT who FROM audit_entries').pluck();

  function parameters({ who, acts, subject, sinceMs, untilMs }: AuditFilter): Wanted {
    // The engine folds no letter beyond ASCII.
    const people = who === undefined ? null : everyone.all().filter((name) => samePerson(name, who));
    return {
      people: people === null ? null : JSON.stringify(people),
      acts: acts === undefined ? null : JSON.stringify(acts),
      subject: subject ?? null,
      sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER,
      untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    };
  }

  const page = guarded(database, (filter: AuditFilter, { order, limit, afterId }: Page): AuditEntry[] =>
    pages[order]
      .all({ ...parameters(filter), afterId: afterId ?? null, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) })
      .map(entryFromRow),
  );
  const total = guarded(database, (filter: AuditFilter): Count => count.get(parameters(filter)) ?? 0);
  const signed = guarded(database, (): SignedHead | null => {
    const row = head.get();
    return row === undefined ? null : { ...row, at: row.at === null ? '' : timeText(row.at) };
  });

  return {
    auditEntries: async (filter, where) => page(filter, where),
    countAuditEntries: async (filter) => total(filter),
    auditHead: async () => signed(),
  };
}
