import type { AuditEntry } from '../domain/audit/entry.ts';
import { count, type ListColumn, text, time } from './column.ts';

// Entries of the audit chain.

export function auditColumns(): ListColumn<AuditEntry>[] {
  return [
    count('Seq', ({ seq }) => seq),
    time('At', ({ at }) => Date.parse(at), { leaveOut: 2 }),
    text('Who', ({ who }) => who),
    text('Act', ({ act }) => act),
    text('Subject', ({ subject }) => subject),
    text('Hash', ({ hash }) => hash.slice(0, 12), { leaveOut: 1 }),
  ];
}
