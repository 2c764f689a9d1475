import type { KnownRefund } from '../../../domain/checks/listed-refund.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Database } from '../engine/database.ts';
import { fromColumns } from '../rows/record-columns.ts';

interface KnownRow {
  [column: string]: unknown;
  id: bigint;
  status: string | null;
  absences: bigint | null;
}

/** Reads known refunds, with the complete walks in a row that missed each: one look-up by index for each row of the list. */
export function knownRefunds(database: Database) {
  // An amount may need all 64 bits.
  const find = database
    .prepare<[string, Environment], KnownRow>(`
      SELECT id, coalesce(confirmed, reported) AS status, amount_minor, currency, transaction_reference, absences
      FROM refunds LEFT JOIN refund_listings ON record_id = id
      WHERE reference = ? AND environment = ?`)
    .safeIntegers();
  return {
    find(reference: string, environment: Environment): (KnownRefund & { id: number; absences: number }) | undefined {
      const row = find.get(reference, environment);
      if (row === undefined) return undefined;
      const { facts } = fromColumns('refund', row);
      return { id: Number(row.id), status: row.status, facts, absences: Number(row.absences ?? 0n) };
    },
  };
}
