import type { Database } from 'better-sqlite3';

/** Lines that were named as the payment of a claim. */
export function paidLines(database: Database) {
  return {
    /** Makes them adjustments without a reference: they have no row of ours, and no leg looks for one. */
    setAside(lines: readonly number[]): void {
      database
        .prepare(`
          UPDATE theirs SET type = 'adjustment', principal = abs(amount), fee = NULL, tax = NULL, duty = NULL, reference = NULL,
            session_id = NULL, transaction_reference = NULL, group_name = NULL, leg = NULL, kind = NULL
          WHERE id IN (SELECT value FROM json_each(?))`)
        .run(JSON.stringify(lines));
    },

    /** The days on which these lines post: of those that this run looks at. */
    days(lines: readonly number[]): Map<number, string> {
      const found = database
        .prepare<[string], [number, string]>('SELECT id, date FROM theirs WHERE id IN (SELECT value FROM json_each(?))')
        .raw()
        .all(JSON.stringify(lines));
      return new Map(found);
    },
  };
}
