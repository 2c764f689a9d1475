import type { Database } from 'better-sqlite3';
import type { Pass } from '../../domain/rules.ts';

/** What a pass needs of a line `t` and a row of ours `o` of the leg's sides. */
const KEYS: Readonly<Partial<Record<Pass, string>>> = {
  reference: 't.reference = o.reference',
  session_id: '(t.session_id = o.session_id OR t.reference = o.session_id OR t.session_id = o.reference)',
  group: '(t.group_name = o.reference OR t.reference = o.reference)',
};

/** Passes claim lines for rows of ours: each line once. Keys that name one row take every line with them. */
export function claims(database: Database) {
  const charges = `
    INSERT INTO claims (line, leg, ours, pass)
    SELECT t.id, t.leg, min(c.ours), 'reference'
    FROM theirs t JOIN theirs other ON other.environment = t.environment AND other.reference = t.reference
      JOIN claims c ON c.line = other.id AND c.leg = t.leg
    WHERE t.leg = ? AND t.kind IS NULL AND t.id NOT IN (SELECT line FROM claims) GROUP BY t.id`;

  return {
    /** Indexes for the passes, once everything is in. */
    prepare(): void {
      database.exec(`
        CREATE INDEX theirs_reference ON theirs (environment, reference) WHERE reference IS NOT NULL;
        CREATE INDEX ours_session ON ours (environment, session_id) WHERE session_id IS NOT NULL;
        CREATE INDEX ours_transaction ON ours (environment, transaction_reference) WHERE transaction_reference IS NOT NULL;
        CREATE INDEX theirs_transaction ON theirs (environment, transaction_reference) WHERE transaction_reference IS NOT NULL;
        ANALYZE;`);
    },

    /** What a person said comes first, and what never belongs together is left out of every pass. */
    decide(decisions: readonly { line: number; ours: number; isTogether: boolean }[]): void {
      const together = database.prepare<[number, number]>(`
        INSERT OR IGNORE INTO claims (line, leg, ours, pass)
        SELECT id, leg, ?, 'person' FROM theirs WHERE id = ? AND leg IS NOT NULL`);
      const apart = database.prepare<[number, number]>('INSERT OR IGNORE INTO apart (line, ours) VALUES (?, ?)');
      for (const { line, ours, isTogether } of decisions) {
        if (isTogether) together.run(ours, line);
        else apart.run(line, ours);
      }
    },

    /** Lines whose key names a row of ours. A key of several rows is left to `ties`. */
    byKey(leg: number, pass: Pass): void {
      const key = KEYS[pass];
      if (key === undefined) return;
      for (const alternative of key.replace(/^\(|\)$/g, '').split(' OR ')) {
        database
          .prepare<[string, number]>(`
            INSERT OR IGNORE INTO claims (line, leg, ours, pass)
            SELECT t.id, t.leg, min(o.id), ? FROM theirs t JOIN ours o ON o.environment = t.environment AND ${alternative}
            WHERE t.leg = ? AND o.kind = t.kind AND (o.currency = t.currency OR o.record_id IS NOT NULL)
              AND t.id NOT IN (SELECT line FROM claims)
              AND NOT EXISTS (SELECT 1 FROM apart a WHERE a.line = t.id AND a.ours = o.id)
            GROUP BY t.id HAVING count(*) = 1`)
          .run(pass, leg);
      }
    },

    /** Charges in lines of their own go where the lines with their reference went, else to the row with that reference. */
    charges(leg: number): void {
      database.prepare<[number]>(charges).run(leg);
      database
        .prepare<[number]>(`
          INSERT INTO claims (line, leg, ours, pass)
          SELECT t.id, t.leg, min(o.id), 'reference'
          FROM theirs t JOIN ours o ON o.environment = t.environment AND o.reference = t.reference
            JOIN sides s ON s.leg = t.leg AND s.environment = o.environment AND s.currency = t.currency AND s.kind = o.kind
          WHERE t.leg = ? AND t.kind IS NULL AND t.id NOT IN (SELECT line FROM claims) GROUP BY t.id`)
        .run(leg);
    },

    /** Lines and rows of one transaction and amount that are the only ones of their sides. */
    byTransaction(leg: number): void {
      database
        .prepare<[number, number]>(`
          WITH pairs AS (${TRANSACTION_PAIRS})
          INSERT OR IGNORE INTO claims (line, leg, ours, pass)
          SELECT line, leg, ours, 'transaction_reference_and_amount' FROM pairs
          WHERE line IN (SELECT line FROM pairs GROUP BY line HAVING count(*) = 1)
            AND ours IN (SELECT ours FROM pairs GROUP BY ours HAVING count(*) = 1)`)
        .run(leg, leg);
    },

    /** Of several rows with the session of a line, the one with its amount. */
    bySession(leg: number): void {
      database
        .prepare<[number, number]>(`
          INSERT OR IGNORE INTO claims (line, leg, ours, pass)
          SELECT line, leg, min(ours), 'session_id' FROM (${SESSION_PAIRS}) WHERE same_amount GROUP BY line HAVING count(*) = 1`)
        .run(leg, leg);
    },

    /** What is left of them: several rows, or several lines, and nobody can say which belongs to which. */
    ties(leg: number, pass: Pass): { line: number; ours: number }[] {
      const pairs = { session_id: SESSION_PAIRS, transaction_reference_and_amount: TRANSACTION_PAIRS };
      const sql = (pairs as Partial<Record<Pass, string>>)[pass];
      if (sql === undefined) return [];
      return database.prepare<[number, number], { line: number; ours: number }>(sql).all(leg, leg);
    },

    /** After the last pass: which rows have lines. */
    finish(): void {
      database.exec('CREATE INDEX claims_ours ON claims (leg, ours, line)');
    },
  };
}

/** What a debit takes. */
const WHOLE = '(o.amount + coalesce(o.fees, 0) + coalesce(o.duty, 0))';

const SESSION_PAIRS = `
  SELECT t.id AS line, t.leg AS leg, o.id AS ours, (o.amount = t.principal OR abs(t.amount) = ${WHOLE}) AS same_amount
  FROM theirs t JOIN ours o ON o.environment = t.environment AND o.session_id = t.session_id
  WHERE t.leg = ? AND o.kind = t.kind AND o.currency = t.currency
    AND t.id NOT IN (SELECT line FROM claims)
    AND o.id NOT IN (SELECT ours FROM claims WHERE leg = ?)
    AND NOT EXISTS (SELECT 1 FROM apart a WHERE a.line = t.id AND a.ours = o.id)
  ORDER BY t.date, t.fingerprint, t.occurrence, o.day, o.reference`;

const TRANSACTION_PAIRS = `
  SELECT t.id AS line, t.leg AS leg, o.id AS ours
  FROM theirs t JOIN ours o ON o.environment = t.environment AND o.transaction_reference = t.transaction_reference
  WHERE t.leg = ? AND o.kind = t.kind AND o.currency = t.currency AND (o.amount = t.principal OR abs(t.amount) = ${WHOLE})
    AND t.id NOT IN (SELECT line FROM claims)
    AND o.id NOT IN (SELECT ours FROM claims WHERE leg = ?)
    AND NOT EXISTS (SELECT 1 FROM apart a WHERE a.line = t.id AND a.ours = o.id)
  ORDER BY t.date, t.fingerprint, t.occurrence, o.day, o.reference`;
