import type { AuditEntry } from '../../src/domain/audit/entry.ts';
import type { CsvColumns } from './csv.ts';

/** The columns of an entry, exactly those that its hash is made of, and the hash. */
export function entryJson({ seq, at, who, act, subject, before, after, previous, hash }: AuditEntry): AuditEntry {
  return { seq, at, who, act, subject, before, after, previous, hash };
}

export const ENTRY_CSV: CsvColumns<AuditEntry> = {
  seq: ({ seq }) => seq,
  at: ({ at }) => at,
  who: ({ who }) => who,
  act: ({ act }) => act,
  subject: ({ subject }) => subject,
  before: ({ before }) => before,
  after: ({ after }) => after,
  previous: ({ previous }) => previous,
  hash: ({ hash }) => hash,
};
