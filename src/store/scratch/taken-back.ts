import type { Database } from 'better-sqlite3';

const SAME = (one: string, other: string) =>
  ['reference', 'environment', 'account', 'currency'].map((name) => `${one}.${name} = ${other}.${name}`).join(' AND ');

/**
 * Gives the first adjustment that takes a reversal back, by the same reference and the amount with the other sign, the type of the
 * reversal: some exports have one word for all corrections. A reversal that a line of its own type takes back needs none.
 */
export function retypeTakenBack(database: Database): void {
  database.exec(`
    UPDATE theirs SET type = back.type, leg = back.leg, kind = back.kind FROM (
      SELECT a.id AS line, r.type, r.leg, r.kind, min(concat(a.date, ' ', hex(a.fingerprint), ' ', a.occurrence))
      FROM theirs r
        JOIN theirs a ON ${SAME('a', 'r')} AND a.type = 'adjustment' AND a.amount = -r.amount AND a.date >= r.date
        LEFT JOIN theirs o ON ${SAME('o', 'r')} AND o.type = r.type AND o.amount = -r.amount
      WHERE r.type IN ('collection_reversal', 'payout_reversal') AND r.leg IS NOT NULL AND o.id IS NULL
      GROUP BY r.id) AS back
    WHERE theirs.id = back.line`);
}
