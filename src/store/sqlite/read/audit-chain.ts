import { type AuditEntry, entryHash } from '../../../domain/audit/entry.ts';
import type { AuditFault, AuditReason } from '../../../domain/audit/fault.ts';
import { type Head, isSignedBy } from '../../../domain/audit/head.ts';
import { type Touched, touchedDigests } from '../../../domain/audit/touched.ts';
import { type AuditKey, goneKey } from '../engine/audit-key.ts';
import type { Database } from '../engine/database.ts';
import { AUDIT_COLUMNS, type AuditRow, entryFromRow } from '../rows/audit.ts';

export interface ChainFound {
  readonly entries: number;
  readonly head: Head | null;
  readonly fault: AuditFault | null;
}

/** Walks the entries from the first: numbers, hashes, the lists of touched subjects, the signed head, and a head noted elsewhere. */
export function chainWalk(
  database: Database,
  key: AuditKey,
  hasRows: (subject: string) => boolean,
): (noted: Head | null, step: () => void) => ChainFound {
  const all = database.prepare<[], AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_entries ORDER BY seq`);
  const touchedBy = database.prepare<[number], Touched>(
    'SELECT subject, before, after FROM audit_touched WHERE seq = ? ORDER BY subject',
  );
  const headRow = database.prepare<[], Head & { signature: string }>(
    'SELECT seq, hash, signature FROM audit_head WHERE id = 1',
  );

  /** Whether the list of subjects is that of the entry. Digests of a subject without rows of its own are of a list. */
  function isListTrue({ seq, subject, before, after }: AuditEntry): boolean {
    const touched = touchedBy.all(seq);
    if (touched.length === 0) return hasRows(subject) || (before === null && after === null);
    const digests = touchedDigests(touched);
    return before === digests.before && after === digests.after;
  }

  /** What is wrong with an entry behind `last`. */
  function entryFault(entry: AuditEntry, last: Head | null): AuditFault | null {
    const expected = (last?.seq ?? 0) + 1;
    if (entry.seq !== expected) return entryAt(expected, 'gap');
    if (entry.previous !== (last?.hash ?? null)) return entryAt(entry.seq, 'previous');
    if (entry.hash !== entryHash(entry)) return entryAt(entry.seq, 'hash');
    return isListTrue(entry)
      ? null
      : { seq: entry.seq, table: 'audit_touched', key: String(entry.seq), reason: 'hash' };
  }

  function headFault(last: Head | null): AuditFault | null {
    const signed = headRow.get();
    if (last === null && signed === undefined) return null;
    const bytes = key.read();
    if (bytes === null) throw goneKey(key.path, 'Nothing can be proved without it.');
    const lastSeq = last?.seq ?? 0;
    if (signed !== undefined && signed.seq > lastSeq) return entryAt(lastSeq + 1, 'gap');
    const isLast = signed !== undefined && signed.seq === lastSeq && signed.hash === last?.hash;
    if (isLast && isSignedBy(bytes, signed, signed.signature)) return null;
    return { seq: lastSeq, table: 'audit_head', key: '1', reason: 'signature' };
  }

  return (noted, step) => {
    let last: Head | null = null;
    let entries = 0;
    let fault: AuditFault | null = null;
    let hashNoted: string | null = null;
    for (const row of all.iterate()) {
      step();
      const entry = entryFromRow(row);
      fault ??= entryFault(entry, last);
      if (entry.seq === noted?.seq) hashNoted = entry.hash;
      last = { seq: entry.seq, hash: entry.hash };
      entries++;
    }
    fault ??= headFault(last);
    if (noted !== null && hashNoted !== noted.hash) fault ??= entryAt(noted.seq, 'head');
    return { entries, head: last, fault };
  };
}

function entryAt(seq: number, reason: AuditReason): AuditFault {
  return { seq, table: 'audit_entries', key: String(seq), reason };
}
