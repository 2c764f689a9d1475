import type { AuditEntry } from '../../../domain/audit/entry.ts';

export interface AuditRow extends Omit<AuditEntry, 'at'> {
  readonly at: number;
}

export const AUDIT_COLUMNS = 'seq, at, who, act, subject, before, after, previous, hash';

export function entryFromRow({ at, ...row }: AuditRow): AuditEntry {
  return { ...row, at: timeText(at) };
}

/** An invalid time, in a row that another program changed, is shown as it stands: it must be found, and stop nothing. */
export function timeText(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? String(at) : time.toISOString();
}
