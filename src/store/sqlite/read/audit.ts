import { foldedName } from '../../../domain/persons/person.ts';
import type { AuditArchive, AuditFilter, SignedHead } from '../../audit.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { AUDIT_COLUMNS, type AuditRow, entryFromRow, timeText } from '../rows/audit.ts';
import { countRows, finite, type IdRange, scan } from './scan.ts';

type Wanted = { who: string | null; acts: string | null; subject: string | null; sinceMs: number; untilMs: number };

/** Each with its way to the entries of a range: by `seq`, or by the indexes of a subject. */
const SOURCES = {
  all: 'seq BETWEEN @first AND @last',
  ofSubject: `seq IN (
    SELECT seq FROM audit_entries WHERE subject = @subject AND seq BETWEEN @first AND @last
    UNION SELECT seq FROM audit_touched WHERE subject = @subject AND seq BETWEEN @first AND @last)`,
} as const;

/** Reads the audit chain. */
export function auditReads(database: Database): AuditArchive {
  const lists = { all: statementsOf(database, SOURCES.all), ofSubject: statementsOf(database, SOURCES.ofSubject) };
  const head = database.prepare<[], Omit<SignedHead, 'at'> & { at: number | null }>(`
    SELECT h.seq, h.hash, h.signature, e.at FROM audit_head h LEFT JOIN audit_entries e ON e.seq = h.seq WHERE h.id = 1`);
  const lastSeq = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM audit_entries').pluck();
  const all = guarded(database, (): IdRange => ({ first: 1, last: lastSeq.get() ?? 0 }));
  const signed = guarded(database, (): SignedHead | null => {
    const row = head.get();
    return row === undefined ? null : { ...row, at: row.at === null ? '' : timeText(row.at) };
  });

  return {
    async auditEntries(filter, page) {
      const statement = listOf(lists, filter)[page.order];
      const parameters = parametersOf(filter);
      const read = guarded(database, (range: IdRange, limit: number) =>
        statement.all({ ...parameters, ...range, limit: finite(limit) }).map(entryFromRow),
      );
      return scan(all(), page, read);
    },

    async countAuditEntries(filter) {
      if (Object.keys(filter).length === 0) return all().last; // `seq` has no gaps
      const statement = listOf(lists, filter).count;
      const parameters = parametersOf(filter);
      const countIn = guarded(database, (range: IdRange) => statement.get({ ...parameters, ...range }) ?? 0);
      return countRows(all(), countIn);
    },

    auditHead: async () => signed(),
  };
}

type Statements = ReturnType<typeof statementsOf>;

function statementsOf(database: Database, source: string) {
  // Names are folded once each, not once an entry: few persons make many entries.
  const names = `WITH names AS MATERIALIZED (SELECT DISTINCT who AS name FROM audit_entries WHERE ${source})`;
  const matching = `FROM audit_entries WHERE ${source}
    AND (@who IS NULL OR who IN (SELECT name FROM names WHERE folded_name(name) = @who))
    AND (@acts IS NULL OR act IN (SELECT value FROM json_each(@acts))) AND at >= @sinceMs AND at < @untilMs`;
  const paged = (order: 'ASC' | 'DESC') =>
    database.prepare<Wanted & IdRange & { limit: number }, AuditRow>(
      `${names} SELECT ${AUDIT_COLUMNS} ${matching} ORDER BY seq ${order} LIMIT @limit`,
    );
  const count = database.prepare<Wanted & IdRange, number>(`${names} SELECT count(*) ${matching}`).pluck();
  return { newest: paged('DESC'), oldest: paged('ASC'), count };
}

function listOf(lists: Record<keyof typeof SOURCES, Statements>, { subject }: AuditFilter): Statements {
  return subject === undefined ? lists.all : lists.ofSubject;
}

function parametersOf({ who, acts, subject, sinceMs, untilMs }: AuditFilter): Wanted {
  return {
    who: who === undefined ? null : foldedName(who),
    acts: acts === undefined ? null : JSON.stringify(acts),
    subject: subject ?? null,
    sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
  };
}
