import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { sha256 } from '../../../domain/events/json.ts';
import type { Timed } from '../../../time/clock.ts';
import type { AsideChanged, AsideOrder } from '../../aside.ts';
import type { Delivery } from '../../inbox.ts';
import { type Database, writing } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';

/** Why something is set aside, and when. */
interface Cause {
  readonly reason: string;
  readonly nowMs: number;
}

/** What was set aside, as carrying out takes it again. */
export type AsideRow = { readonly seq: number } & (
  | { readonly place: number; readonly delivery: Delivery }
  | { readonly place: null; readonly bytes: Buffer; readonly digest: Buffer }
);

interface Row extends Omit<Delivery, 'body'> {
  readonly id: number;
  readonly seq: number;
  readonly place: number | null;
  readonly bytes: Buffer;
  readonly digest: Buffer | null;
}

/** Keeps what could not be carried out, with its bytes. The caller holds the transaction. */
export function asideWrites(database: Database) {
  const insert = database.prepare(`
    INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes, merchant_signature, sent_at, digest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const asked = database.prepare<[], Row>(`
    SELECT id, seq, place, environment, key_id AS keyId, received_at AS receivedAtMs, bytes, sent_at AS sentAt, digest,
      coalesce(merchant_signature, 'absent') AS merchantSignature
    FROM aside WHERE retry_at IS NOT NULL ORDER BY id LIMIT 1`);
  const hasAsked = database
    .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM aside WHERE retry_at IS NOT NULL)')
    .pluck();
  const remove = database.prepare<[number]>('DELETE FROM aside WHERE id = ?');
  return {
    /** `place`: of the delivery in its entry, from 0. */
    addDelivery(seq: number, place: number, delivery: Delivery, { reason, nowMs }: Cause): void {
      const { environment, keyId, receivedAtMs, body, merchantSignature, sentAt } = delivery;
      const source = [environment, keyId, receivedAtMs, body, merchantSignature, sentAt, null];
      insert.run(seq, place, nowMs, reason, ...source);
    },

    addEntry(seq: number, bytes: Uint8Array, digest: Uint8Array, { reason, nowMs }: Cause): void {
      insert.run(seq, null, nowMs, reason, null, null, null, bytes, null, null, digest);
    },

    /** Whether a person asked for one again. */
    isAsked: (): boolean => hasAsked.get() === 1,

    /** Removes the next one that a person asked for, and returns it; null: none. */
    takeAsked(): AsideRow | null {
      const row = asked.get();
      if (row === undefined) return null;
      remove.run(row.id);
      const { id: _, seq, place, bytes, digest, ...delivery } = row;
      if (place !== null) return { seq, place, delivery: { ...delivery, body: bytes } };
      // Of an entry that an earlier version set aside no digest was kept: its bytes cannot be trusted.
      return { seq, place, bytes, digest: digest ?? Buffer.alloc(0) };
    },
  };
}

/** What a person does about it; each act is one transaction with its entries in the audit. */
export function asideActs(database: Database, audit: AuditWrites) {
  const bytesOf = database.prepare<[number], Buffer>('SELECT bytes FROM aside WHERE id = ?').pluck();
  const ask = database.prepare<[number, number]>('UPDATE aside SET retry_at = ? WHERE id = ?');
  const remove = database.prepare<[number]>('DELETE FROM aside WHERE id = ?');

  const act = (name: 'aside.retry' | 'aside.drop', change: (id: number, nowMs: number) => void) =>
    writing(database, ({ ids, by = TALLYHOOK, nowMs }: AsideOrder & Timed): AsideChanged => {
      const there = [...new Set(ids)].flatMap((id) => {
        const bytes = bytesOf.get(id);
        return bytes === undefined ? [] : { id, bytes };
      });
      for (const { id, bytes } of there) {
        change(id, nowMs);
        // The digest of its bytes names it, also when it is gone.
        const subject = `aside:${sha256(bytes)}`;
        audit.append({ who: by, act: name, subject, before: null, after: null, nowMs });
      }
      return { ids: there.map(({ id }) => id) };
    });

  return {
    retry: act('aside.retry', (id, nowMs) => void ask.run(nowMs, id)),
    drop: act('aside.drop', (id) => void remove.run(id)),
  };
}
