import type { IntakeEntry } from '../../../domain/statements/statement-intake.ts';

/** A row of `statement_intake`. */
export interface IntakeRow {
  readonly path: string;
  readonly outcome: IntakeEntry['outcome'];
  readonly file_bytes: number;
  readonly modified_at: number;
  readonly seen_at: number;
  readonly since: number;
  readonly file_sha256: string | null;
  readonly profile_digest: string | null;
  readonly statement_id: number | null;
  readonly reason: string | null;
  readonly hint: string | null;
}

export function entryFromRow(row: IntakeRow): IntakeEntry {
  return {
    path: row.path,
    outcome: row.outcome,
    bytes: row.file_bytes,
    modifiedAtMs: row.modified_at,
    seenAtMs: row.seen_at,
    sinceMs: row.since,
    sha256: row.file_sha256,
    profileDigest: row.profile_digest,
    statement: row.statement_id,
    reason: row.reason,
    hint: row.hint,
  };
}

export function rowFromEntry(entry: IntakeEntry): IntakeRow {
  return {
    path: entry.path,
    outcome: entry.outcome,
    file_bytes: entry.bytes,
    modified_at: entry.modifiedAtMs,
    seen_at: entry.seenAtMs,
    since: entry.sinceMs,
    file_sha256: entry.sha256,
    profile_digest: entry.profileDigest,
    statement_id: entry.statement,
    reason: entry.reason,
    hint: entry.hint,
  };
}
