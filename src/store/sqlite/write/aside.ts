import type { Delivery } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';

interface Aside {
  readonly seq: number;
  readonly reason: string;
  readonly nowMs: number;
}

/** Keeps what could not be carried out, with its bytes. The caller holds the transaction. */
export function asideWrites(database: Database) {
  const insert = database.prepare(`
    INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    /** `place`: of the delivery in its entry, from 0. */
    addDelivery({ seq, place, delivery, reason, nowMs }: Aside & { place: number; delivery: Delivery }): void {
      const { environment, keyId, receivedAtMs, body } = delivery;
      insert.run(seq, place, nowMs, reason, environment, keyId, receivedAtMs, body);
    },

    addEntry({ seq, bytes, reason, nowMs }: Aside & { bytes: Uint8Array }): void {
      insert.run(seq, null, nowMs, reason, null, null, null, bytes);
    },
  };
}
