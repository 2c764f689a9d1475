/** Why a chain is bad. */
export const AUDIT_REASONS = [
  'gap',
  'hash',
  'previous',
  'signature',
  'subject',
  'head',
  'unlogged',
  'missing',
] as const;
export type AuditReason = (typeof AUDIT_REASONS)[number];

/** The first thing that is wrong. */
export interface AuditFault {
  /** The entry; null: a row has none, or a table is missing. */
  readonly seq: number | null;
  readonly table: string;
  /** Of the row in that table, as text; `*` of a table that is missing. */
  readonly key: string;
  readonly reason: AuditReason;
}

export interface AuditVerdict {
  readonly ok: boolean;
  readonly entries: number;
  /** `SEQ:HASH`; null: there are no entries. */
  readonly head: string | null;
  /** The tables whose rows were compared. */
  readonly covers: readonly string[];
  readonly firstBad: AuditFault | null;
}
