import { sha256 } from '../events/json.ts';

/*
 * The audit chain: each act of a person, and what runs and jobs change, is one entry; each entry carries the hash of the one
 * before it. The signature of the head, by a key outside the database, is what a person who may write the file cannot make.
 */

/** An entry, as it is hashed, listed and exported. */
export interface AuditEntry {
  /** From 1, without gaps. */
  readonly seq: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  /** The stated name of the person; TALLYHOOK for what runs and jobs change. */
  readonly who: string;
  readonly act: string;
  /** What was changed, such as `statement:3`. */
  readonly subject: string;
  /** sha256 of the rows before and after the act (audit-subjects); null: there were none, or none of a covered table. */
  readonly before: string | null;
  readonly after: string | null;
  /** The hash of the entry before; null: the first one. */
  readonly previous: string | null;
  readonly hash: string;
}

/** Who changes what no person asked for. */
export const TALLYHOOK = 'tallyhook';

/** The hash of an entry: sha256 (hex) of the canonical JSON of its other eight columns, their names sorted, without blanks. */
export function entryHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { act, after, at, before, previous, seq, subject, who } = entry;
  return sha256(JSON.stringify({ act, after, at, before, previous, seq, subject, who }));
}

/** The entry with its hash. Text is made well-formed first: half of a surrogate pair would come back from the store as another. */
export function sealedEntry(entry: Omit<AuditEntry, 'hash'>): AuditEntry {
  const { who, act, subject } = entry;
  const stored = {
    ...entry,
    who: who.toWellFormed(),
    act: act.toWellFormed(),
    subject: subject.toWellFormed(),
  };
  return { ...stored, hash: entryHash(stored) };
}
