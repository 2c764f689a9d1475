import type { Environment } from '../../../domain/environment.ts';
import type { Fields } from '../../../domain/fields.ts';
import type { Database } from '../engine/database.ts';
import { fromColumns } from '../rows/record-columns.ts';

/** What a row of the list is held against. */
export interface KnownRefund {
  readonly id: number;
  /** The service's own word, else the webhooks'; null while nobody has said one. */
  readonly status: string | null;
  readonly facts: Fields;
  /** Complete walks on end that missed it. */
  readonly absences: number;
}

interface KnownRow {
  [column: string]: unknown;
  id: bigint;
  status: string | null;
  absences: bigint | null;
}

/** Refunds that we know, by reference: one look-up by index for each row of a list. */
export function knownRefunds(database: Database) {
  // Amounts may need all 64 bits.
  const find = database
    .prepare<[string, Environment], KnownRow>(`
      SELECT id, coalesce(confirmed, reported) AS status, amount_minor, currency, transaction_reference, absences
      FROM refunds LEFT JOIN refund_listings ON record_id = id
      WHERE reference = ? AND environment = ?`)
    .safeIntegers();
  return {
    find(reference: string, environment: Environment): KnownRefund | undefined {
      const row = find.get(reference, environment);
      if (row === undefined) return undefined;
      const { facts } = fromColumns('refund', row);
      return { id: Number(row.id), status: row.status, facts, absences: Number(row.absences ?? 0n) };
    },
  };
}
