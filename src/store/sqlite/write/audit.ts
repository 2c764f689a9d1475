import type { ActName } from '../../../domain/audit/acts.ts';
import { sealedEntry } from '../../../domain/audit/entry.ts';
import { headSignature, isSignedBy } from '../../../domain/audit/head.ts';
import { inOrder, type Touched, touchedDigests } from '../../../domain/audit/touched.ts';
import type { Timed } from '../../../time/clock.ts';
import { type AuditKey, foreignKey, goneKey } from '../engine/audit-key.ts';
import type { Database } from '../engine/database.ts';
import { subjectDigests } from '../read/audit-digests.ts';
import { AUDIT_COLUMNS } from '../rows/audit.ts';

export type { AuditKey } from '../engine/audit-key.ts';
export { auditKey } from '../engine/audit-key.ts';

interface ActOf {
  /** The stated name of the person; TALLYHOOK for what runs and jobs change. */
  readonly who: string;
  readonly act: ActName;
  readonly subject: string;
}

/** One subject: its digests before and after. */
export interface Act extends ActOf {
  readonly before: string | null;
  readonly after: string | null;
}

/** Many subjects in one entry, each once: those that a run or an imported spreadsheet changed. `subject` itself need not be one of them. */
export interface ActOnMany extends ActOf {
  readonly touched: readonly Touched[];
}

interface HeadRow {
  readonly seq: number;
  readonly hash: string;
  readonly signature: string;
}

export interface AuditWrites {
  /** Appends an entry and returns its `seq`; the caller holds the transaction in which the rows change. */
  append(act: (Act | ActOnMany) & Timed): number;
  /** sha256 of the rows of a subject as they stand now (audit-subjects); null: it has none. For a statement of many lines it takes seconds. */
  digestOf(subject: string): string | null;
  /** Throws what `append` would: no key while there are entries, or another one. For what takes long before it appends. */
  expectEntry(act: Pick<ActOf, 'who' | 'act'> & Timed): void;
}

/** Writes the audit chain. Its key is read at each act. */
export function auditWrites(database: Database, key: AuditKey): AuditWrites {
  const digests = subjectDigests(database);
  const last = database.prepare<[], Pick<HeadRow, 'seq' | 'hash'>>(
    'SELECT seq, hash FROM audit_entries ORDER BY seq DESC LIMIT 1',
  );
  const head = database.prepare<[], HeadRow>('SELECT seq, hash, signature FROM audit_head WHERE id = 1');
  const insert = database.prepare(`
    INSERT INTO audit_entries (${AUDIT_COLUMNS})
    VALUES (@seq, @nowMs, @who, @act, @subject, @before, @after, @previous, @hash)`);
  const insertTouched = database.prepare<Touched & { seq: number }>(
    'INSERT INTO audit_touched (seq, subject, before, after) VALUES (@seq, @subject, @before, @after)',
  );
  const moveHead = database.prepare<HeadRow>(`
    INSERT INTO audit_head (id, seq, hash, signature) VALUES (1, @seq, @hash, @signature)
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, signature = excluded.signature`);

  /** The head as signed by the key; without entries undefined. Throws for a head that is not: signing behind it would make it good. */
  function signedHead(bytes: Uint8Array | null): Pick<HeadRow, 'seq' | 'hash'> | undefined {
    const entry = last.get();
    const signed = head.get();
    if (entry === undefined && signed === undefined) return undefined;
    if (bytes === null) throw goneKey(key.path, 'Nothing was written.');
    const isHead = signed !== undefined && entry?.seq === signed.seq && entry.hash === signed.hash;
    if (!isHead || !isSignedBy(bytes, signed, signed.signature)) throw foreignKey(key.path);
    return entry;
  }

  return {
    append({ nowMs, ...given }) {
      const present = key.read();
      const before = signedHead(present);
      const many = 'touched' in given ? given.touched : [];
      const { who, act, subject } = given;
      const sides = 'touched' in given ? touchedDigests(given.touched) : { before: given.before, after: given.after };
      const entry = sealedEntry({
        seq: (before?.seq ?? 0) + 1,
        at: new Date(nowMs).toISOString(),
        who,
        act,
        subject,
        ...sides,
        previous: before?.hash ?? null,
      });
      const { at: _, ...columns } = entry;
      insert.run({ ...columns, nowMs });
      for (const one of inOrder(many)) insertTouched.run({ ...one, seq: entry.seq });
      // Last: a key is made only for an entry that could be written.
      const signature = headSignature(present ?? key.make(), entry);
      moveHead.run({ seq: entry.seq, hash: entry.hash, signature });
      return entry.seq;
    },

    digestOf: digests.digestOf,

    expectEntry: () => void signedHead(key.read()),
  };
}
