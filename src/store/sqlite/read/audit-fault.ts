import type { AuditFault, AuditVerdict } from '../../../domain/audit/fault.ts';
import { type Head, headText } from '../../../domain/audit/head.ts';
import type { Store } from '../../store.ts';
import { type AuditKey, auditKey } from '../engine/audit-key.ts';
import type { Database } from '../engine/database.ts';
import { openForReading, snapshot } from '../engine/reading.ts';
import { chainWalk } from './audit-chain.ts';
import { subjectDigests, subjectName } from './audit-digests.ts';
import { STRAYS, SUBJECTS } from './audit-subjects.ts';

interface LoggedRow {
  readonly subject: string;
  readonly seq: number;
  readonly before: string | null;
  readonly after: string | null;
}

const CHAIN_TABLES = ['audit_entries', 'audit_touched', 'audit_head'];

/** The tables that the chain covers, itself included. */
export const COVERED_TABLES: readonly string[] = [
  ...new Set([
    ...SUBJECTS.flatMap(({ table, parts }) => [table, ...parts.flatMap((part) => part.tables)]),
    ...CHAIN_TABLES,
  ]),
];

type VerdictOrder = Parameters<Store['auditVerdict']>[0];

/** The verdict on a database file. @throws StoreError */
export function readAuditVerdict(path: string, keyFile: string, { noted, onProgress }: VerdictOrder): AuditVerdict {
  const { database, close } = openForReading(path);
  try {
    return snapshot(database, () => auditVerdict(database, auditKey(keyFile, path), noted, onProgress))();
  } finally {
    close();
  }
}

/** The same on one state of an open database. A dropped table is the verdict, as nothing can be compared without it. */
export function auditVerdict(
  database: Database,
  key: AuditKey,
  noted: Head | null,
  onProgress?: VerdictOrder['onProgress'],
): AuditVerdict {
  const isTable = database.prepare<[string]>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const missing = COVERED_TABLES.find((table) => isTable.get(table) === undefined);
  if (missing === undefined) return auditVerdicts(database, key)(noted, onProgress);
  const firstBad = { seq: null, table: missing, key: '*', reason: 'missing' } as const;
  return { ok: false, entries: countOf(database, missing), head: null, covers: COVERED_TABLES, firstBad };
}

function countOf(database: Database, missing: string): number {
  if (missing === 'audit_entries') return 0;
  return database.prepare<[], number>('SELECT count(*) FROM audit_entries').pluck().get() ?? 0;
}

/**
 * Compares the chain, then each subject with its last entry, then finds rows without one. One row is in memory at a time. The
 * caller holds one state of the database.
 */
export function auditVerdicts(
  database: Database,
  key: AuditKey,
): (noted: Head | null, onProgress?: VerdictOrder['onProgress']) => AuditVerdict {
  const walk = chainWalk(database, key, isCovered);
  const digests = subjectDigests(database);
  // The subject of an entry of many is not what its digests are of.
  const logged = database.prepare<[], LoggedRow>(`
    SELECT subject, seq, before, after FROM (
      SELECT subject, seq, before, after FROM audit_entries e
      WHERE NOT EXISTS (SELECT 1 FROM audit_touched t WHERE t.seq = e.seq)
      UNION ALL
      SELECT subject, seq, before, after FROM audit_touched
      ORDER BY subject, seq)`);
  const isLogged = database.prepare<{ subject: string }>(`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM audit_entries e WHERE e.subject = @subject
        AND NOT EXISTS (SELECT 1 FROM audit_touched t WHERE t.seq = e.seq))
      OR EXISTS (SELECT 1 FROM audit_touched WHERE subject = @subject)`);

  /** Each entry is looked at in its place, and then with its subjects. */
  const rowsOfChain = database
    .prepare<[], number>(`
      SELECT (SELECT count(*) FROM audit_entries) + (SELECT count(*) FROM audit_touched)
        + (SELECT count(*) FROM audit_entries e WHERE NOT EXISTS (SELECT 1 FROM audit_touched t WHERE t.seq = e.seq))`)
    .pluck();
  // A table without row numbers names the parent that is missing.
  const orphan = database.prepare<[string], { key: number | string }>(
    'SELECT coalesce(rowid, parent) AS key FROM pragma_foreign_key_check(?) LIMIT 1',
  );

  /** The earliest entry whose subject is not as it left it: its rows now, or the `before` of the next entry of the subject. */
  function subjectFault(step: () => void): AuditFault | null {
    let first: AuditFault | null = null;
    const note = ({ subject, seq }: LoggedRow) => {
      if (first?.seq == null || seq < first.seq) first = faultAt(subject, seq);
    };
    let last: LoggedRow | undefined;
    const end = () => {
      if (last !== undefined && isCovered(last.subject) && digests.digestOf(last.subject) !== last.after) note(last);
    };
    for (const row of logged.iterate()) {
      step();
      if (row.subject !== last?.subject) end();
      const before = row.subject === last?.subject ? last.after : null;
      if (isCovered(row.subject) && row.before !== before) note(row);
      last = row;
    }
    end();
    return first;
  }

  function unlogged(): AuditFault | null {
    for (const { prefix, table, keys } of SUBJECTS) {
      for (const subjectKey of database.prepare<[], number | string>(keys).pluck().iterate()) {
        const subject = `${prefix}:${subjectKey}`;
        if (isLogged.get({ subject }) === undefined)
          return { seq: null, table, key: String(subjectKey), reason: 'unlogged' };
      }
    }
    return stray();
  }

  /** A row that belongs to no subject: nothing names it, or what it names is not there. */
  function stray(): AuditFault | null {
    for (const { table, keys } of STRAYS) {
      const key = database.prepare<[], number | string>(`${keys} ORDER BY 1 LIMIT 1`).pluck().get();
      if (key !== undefined) return { seq: null, table, key: String(key), reason: 'unlogged' };
    }
    for (const table of COVERED_TABLES) {
      const row = orphan.get(table);
      if (row !== undefined) return { seq: null, table, key: String(row.key), reason: 'unlogged' };
    }
    return null;
  }

  return (noted, onProgress) => {
    digests.prepare();
    const step = onProgress === undefined ? () => {} : steps(onProgress, rowsOfChain.get() ?? 0);
    const { entries, head, fault } = walk(noted, step);
    const firstBad = fault ?? subjectFault(step) ?? unlogged();
    return {
      ok: firstBad === null,
      entries,
      head: head === null ? null : headText(head),
      covers: COVERED_TABLES,
      firstBad,
    };
  };
}

/** Rows between two signs of progress: a few thousandths of a second. */
const STEP_ROWS = 1_000;

/** Counts the rows that are looked at. */
function steps(onProgress: NonNullable<VerdictOrder['onProgress']>, total: number): () => void {
  let done = 0;
  return () => {
    done++;
    if (done % STEP_ROWS === 0 || done === total) onProgress(done, total);
  };
}

function isCovered(subject: string): boolean {
  return tableOf(subject) !== undefined;
}

function tableOf(subject: string): string | undefined {
  const { prefix } = subjectName(subject);
  return SUBJECTS.find((one) => one.prefix === prefix)?.table;
}

function faultAt(subject: string, seq: number): AuditFault {
  return { seq, table: tableOf(subject) ?? subject, key: subjectName(subject).key, reason: 'subject' };
}
