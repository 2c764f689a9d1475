import type { Database } from 'better-sqlite3';
import { CLEAN_COLUMNS, TAKEN } from './clean.ts';

/** What lines and rows of ours share: the key alone, or the key with the amount before or with all charges. */
export type Sharing = 'key' | 'key_and_amount';

export interface TiedPair {
  readonly line: number;
  readonly ours: number;
}

export type SharedKey = 'session_id' | 'transaction_reference';

/** The amounts that fit: before charges, or what a debit takes in all. By its name, that of a line and that of a row of ours. */
const AMOUNTS = [
  ['amount', 't.principal', 'o.amount'],
  ['whole', 'abs(t.amount)', 'o.amount + coalesce(o.fees, 0) + coalesce(o.duty, 0)'],
] as const;
/** Whether a line `t` has the amount of a row `o`. */
export const HAS_AMOUNT = `(${AMOUNTS.map(([, line, row]) => `${line} = ${row}`).join(' OR ')})`;

/**
 * Lines and rows of ours with one key of which neither side is unique. Ten thousand lines and as many rows of one key would be a
 * hundred million pairs: each line is paired with the first and the last of its rows, and each row with the first and the last
 * of its lines. That tells which of them have only one, and ties the others to one another.
 */
export function sharedKeys(database: Database) {
  /** Fills `pairs` with open lines and rows of a leg; false: there is no such line. */
  function pair(leg: number, key: SharedKey, sharing: Sharing): boolean {
    database.exec('DELETE FROM pairs; DELETE FROM line_keys; DELETE FROM row_keys;');
    if (database.prepare(linesWith(key, sharing)).run({ leg }).changes === 0) return false;
    database.prepare(rowsWith(key, sharing)).run({ leg });
    for (const place of ['ASC', 'DESC']) {
      database.exec(`
        INSERT OR IGNORE INTO pairs (line, ours) SELECT line, ours FROM (
          SELECT l.line, (${otherOf('row_keys', 'ours', 'l.line', 'other.ours', place)}) AS ours FROM line_keys l) WHERE ours IS NOT NULL;
        INSERT OR IGNORE INTO pairs (line, ours) SELECT line, ours FROM (
          SELECT l.ours, (${otherOf('line_keys', 'line', 'other.line', 'l.ours', place)}) AS line FROM row_keys l) WHERE line IS NOT NULL;`);
    }
    return true;
  }

  return {
    /** Takes lines that have one row; `isMutual`: of which they are the only line. */
    take(leg: number, key: SharedKey, pass: string, isMutual: boolean): void {
      if (!pair(leg, key, 'key_and_amount')) return;
      const only = 'AND min(ours) IN (SELECT ours FROM pairs GROUP BY ours HAVING count(*) = 1)';
      database
        .prepare(`
          INSERT OR IGNORE INTO taken (${TAKEN})
          SELECT n.line, @leg, n.ours, @pass, ${CLEAN_COLUMNS}
          FROM (SELECT line, min(ours) AS ours FROM pairs GROUP BY line HAVING count(*) = 1 ${isMutual ? only : ''}) n
            JOIN theirs t ON t.id = n.line JOIN ours o ON o.id = n.ours`)
        .run({ leg, pass });
    },

    /** What ties the others, in the order of their days. */
    ties(leg: number, key: SharedKey, sharing: Sharing): TiedPair[] {
      if (!pair(leg, key, sharing)) return [];
      return database
        .prepare<[], TiedPair>(`
          SELECT p.line, p.ours FROM pairs p JOIN theirs t ON t.id = p.line JOIN ours o ON o.id = p.ours
          ORDER BY t.date, t.fingerprint, t.occurrence, o.day, o.reference`)
        .all();
    },
  };
}

function linesWith(key: SharedKey, sharing: Sharing): string {
  const from = `
    FROM theirs t WHERE t.leg = @leg AND t.${key} IS NOT NULL AND t.kind IS NOT NULL AND t.id NOT IN (SELECT line FROM taken)
      AND EXISTS (SELECT 1 FROM ours o WHERE o.environment = t.environment AND o.${key} = t.${key})`;
  const of = (part: string, minor: string) => `
    SELECT json_array(t.environment, t.kind, t.currency, t.${key}, '${part}', ${minor}) AS name, t.id AS line,
      t.date AS date, t.fingerprint AS fingerprint, t.occurrence AS occurrence ${from}`;
  const all = sharing === 'key' ? [of('key', '0')] : AMOUNTS.map(([part, line]) => of(part, line));
  return `INSERT INTO line_keys (name, line) SELECT name, line FROM (${all.join(' UNION ALL ')}) ORDER BY date, fingerprint, occurrence`;
}

function rowsWith(key: SharedKey, sharing: Sharing): string {
  const from = `
    FROM ours o WHERE o.${key} IS NOT NULL AND o.id NOT IN (SELECT ours FROM taken WHERE leg = @leg)`;
  const of = (part: string, minor: string) => `
    SELECT json_array(o.environment, o.kind, o.currency, o.${key}, '${part}', ${minor}) AS name, o.id AS ours, o.day AS day,
      o.reference AS reference ${from}${sharing === 'key' ? '' : ' AND o.amount IS NOT NULL'}`;
  const all = sharing === 'key' ? [of('key', '0')] : AMOUNTS.map(([part, , row]) => of(part, row));
  return `
    INSERT INTO row_keys (name, ours)
    SELECT name, ours FROM (${all.join(' UNION ALL ')}) WHERE name IN (SELECT name FROM line_keys) ORDER BY day, reference`;
}

/** The first or the last of the other side with the same name, that no person took apart. */
function otherOf(table: string, column: string, line: string, ours: string, place: string): string {
  return `
    SELECT other.${column} FROM ${table} other
    WHERE other.name = l.name AND NOT EXISTS (SELECT 1 FROM apart a WHERE a.line = ${line} AND a.ours = ${ours})
    ORDER BY other.id ${place} LIMIT 1`;
}
