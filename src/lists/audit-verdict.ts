import type { AuditFault, AuditReason, AuditVerdict } from '../domain/audit/fault.ts';
import { SUBJECT_TABLES } from '../domain/audit/subjects.ts';

/** What a comparison of the audit chain found, in sentences for people. */
export interface VerdictWords {
  readonly sentences: readonly string[];
  /** What to do; null when the chain is whole. */
  readonly next: string | null;
}

export function verdictWords({ ok, entries, head, covers, firstBad }: AuditVerdict): VerdictWords {
  if (ok) {
    const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
    return {
      sentences: [
        `The audit chain is whole: ${count}${head === null ? '' : `, head ${head}`}`,
        `Every row of ${covers.length} tables is as its last entry left it.`,
      ],
      next: null,
    };
  }
  return {
    sentences:
      firstBad === null ? [] : [`The audit chain is bad (${firstBad.reason}): ${FAULTS[firstBad.reason](firstBad)}`],
    next: 'What to do now: docs/security.md, "When the chain is bad". Change nothing before the file is copied.',
  };
}

const FAULTS: Readonly<Record<AuditReason, (fault: AuditFault) => string>> = {
  gap: ({ seq }) => `entry ${seq} is missing.`,
  hash: ({ seq }) => `entry ${seq} is not what it was when it was written.`,
  previous: ({ seq }) => `entry ${seq} does not follow the entry before it.`,
  signature: ({ seq }) =>
    `the head, entry ${seq}, is not signed by the key: the chain was changed without it, or the key is another one.`,
  subject: ({ seq, table, key }) => `${table} ${key} is not as entry ${seq} left it${ownRows(table)}.`,
  head: ({ seq }) => `the noted head is not in the chain: entry ${seq} is another one, or gone.`,
  unlogged: ({ table, key }) => `${table} ${key} has no entry.`,
  missing: ({ table }) => `table ${table} is missing: nothing can be compared without it.`,
};

/** The digest of a subject is of all its rows: it says that one of them was changed, and not which. */
function ownRows(table: string): string {
  const others = SUBJECT_TABLES.find(([first]) => first === table)?.slice(1) ?? [];
  return others.length === 0 ? '' : `: that row, or one that belongs to it in ${others.join(', ')}`;
}
