import type { AuditEntry } from '../../src/domain/audit/entry.ts';
import type { CsvColumns } from './csv.ts';
import type { Column } from './output.ts';
import { timeHeader, timeInColumn } from './text.ts';

/** The columns of an entry, exactly those that its hash is made of, and the hash. */
export function entryJson({ seq, at, who, act, subject, before, after, previous, hash }: AuditEntry): AuditEntry {
  return { seq, at, who, act, subject, before, after, previous, hash };
}

/** Made anew for each command: a header names the zone of its times, which the configuration says. */
export const entryColumns = (): readonly Column<AuditEntry>[] => [
  { header: 'SEQ', value: ({ seq }) => seq, align: 'right' },
  { ...timeHeader('AT'), value: ({ at }) => timeInColumn(Date.parse(at)), leaveOut: 2 },
  { header: 'WHO', value: ({ who }) => who },
  { header: 'ACT', value: ({ act }) => act },
  { header: 'SUBJECT', value: ({ subject }) => subject },
  { header: 'HASH', value: ({ hash }) => hash.slice(0, 12), leaveOut: 1 },
];

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
