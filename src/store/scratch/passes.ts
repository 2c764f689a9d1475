import type { Database } from 'better-sqlite3';
import type { Pass } from '../../domain/reconciling/rules.ts';
import type { AtBank } from './batches.ts';
import { CLEAN_COLUMNS, TAKEN } from './clean.ts';
import { HAS_AMOUNT, sharedKeys, type TiedPair } from './pairs.ts';
import { IS_CHARGE } from './schema.ts';

/** By what a line `t` may name a row of ours `o`, in this order. */
const KEYS: Readonly<Partial<Record<Pass, readonly string[]>>> = {
  reference: ['o.reference = t.reference'],
  session_id: ['o.session_id = t.session_id', 'o.session_id = t.reference', 'o.reference = t.session_id'],
  group: ['o.reference = t.group_name', 'o.reference = t.reference'],
  transaction_reference_and_amount: ['o.transaction_reference = t.transaction_reference'],
};

/** Why a pass did not take a line for the row that it names, in the order in which it is found. */
export const OBSTACLES = ['other_kind', 'apart', 'other_currency', 'amount_differs'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** A line and a row of ours that it names. */
export interface NamedPair {
  readonly line: number;
  readonly ours: number;
  /** Null: none, so that the pass took the line, unless others fit as well. */
  readonly obstacle: Obstacle | null;
}

/** What must hold besides of a line and the row that it names: each ends an obstacle. */
function required(pass: Pass): readonly (readonly [Obstacle, string])[] {
  const isByAmount = pass === 'transaction_reference_and_amount';
  return [
    ['other_kind', 'o.kind = t.kind'],
    ['apart', 'NOT EXISTS (SELECT 1 FROM apart a WHERE a.line = t.id AND a.ours = o.id)'],
    // A line in another currency still belongs to the record that it names, but by nothing that looks at amounts.
    ['other_currency', `(o.currency = t.currency${isByAmount ? '' : ' OR o.record_id IS NOT NULL'})`],
    ...(isByAmount ? ([['amount_differs', HAS_AMOUNT]] as const) : []),
  ];
}

const IS_CHARGE_WITHOUT_REFERENCE = `kind IS NULL AND reference IS NULL AND type ${IS_CHARGE}`;

/** The accounts of a side of which a leg has the charges. */
interface Invoiced {
  readonly number: number;
  readonly accounts: readonly string[];
  readonly environment: string;
  readonly currency: string;
}

/** Passes take lines for rows of ours: each line once. Keys that name one row take every line with them. */
export function passes(database: Database) {
  const shared = sharedKeys(database);
  const charges = `
    INSERT INTO taken (${TAKEN})
    SELECT t.id, t.leg, min(c.ours), 'reference', 0, NULL, NULL, NULL
    FROM theirs t JOIN theirs other ON other.environment = t.environment AND other.reference = t.reference
      JOIN taken c ON c.line = other.id AND c.leg = t.leg
    WHERE t.leg = ? AND t.kind IS NULL AND t.id NOT IN (SELECT line FROM taken) GROUP BY t.id`;

  const chargesOfSession = `
    INSERT INTO taken (${TAKEN})
    SELECT id, leg, ours, 'session_id', 0, NULL, NULL, NULL FROM (
      SELECT t.id, t.leg, (
        SELECT CASE count(DISTINCT c.ours) WHEN 1 THEN min(c.ours) END
        FROM theirs other JOIN taken c ON c.line = other.id AND c.leg = t.leg
        WHERE other.environment = t.environment AND other.session_id = t.session_id AND other.kind IS NOT NULL) AS ours
      FROM (SELECT * FROM theirs WHERE leg = ? AND ${IS_CHARGE_WITHOUT_REFERENCE}) t
      WHERE t.session_id IS NOT NULL AND t.id NOT IN (SELECT line FROM taken)) WHERE ours IS NOT NULL`;

  const hasCharges = database
    .prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM theirs WHERE leg IS NOT NULL AND kind IS NULL)')
    .pluck();

  return {
    /** Indexes for the passes, once everything is in. */
    prepare(): void {
      database.exec(`
        CREATE INDEX ours_session ON ours (session_id, environment) WHERE session_id IS NOT NULL;
        CREATE INDEX ours_transaction ON ours (transaction_reference, environment) WHERE transaction_reference IS NOT NULL;
        CREATE INDEX theirs_transaction ON theirs (transaction_reference, environment) WHERE transaction_reference IS NOT NULL;
        PRAGMA analysis_limit = 1000;
        ANALYZE;`);
      if (hasCharges.get() === 1) {
        database.exec(`
          CREATE INDEX theirs_reference ON theirs (reference, environment);
          CREATE INDEX theirs_session ON theirs (session_id, environment) WHERE session_id IS NOT NULL;`);
      }
    },

    /** A line and the one of several top-ups of its name that it is. */
    pair({ line, leg, pass }: AtBank, ours: number): void {
      database
        .prepare<[number, number, number, string]>(
          `INSERT INTO taken (${TAKEN}) VALUES (?, ?, ?, ?, 0, NULL, NULL, NULL)`,
        )
        .run(line, leg, ours, pass);
    },

    /**
     * What a person said comes first, the last word on a line before any other; what never belongs together is left out of every
     * pass. A line that stands in no leg of this run has no other side, also where a person named one.
     */
    decide(decisions: readonly { line: number; ours: number; isTogether: boolean }[]): void {
      const together = database.prepare<[number, number]>(`
        INSERT OR REPLACE INTO taken (${TAKEN})
        SELECT id, leg, ?, 'person', 0, NULL, NULL, NULL FROM theirs WHERE id = ? AND leg IS NOT NULL`);
      const apart = database.prepare<[number, number]>('INSERT OR IGNORE INTO apart (line, ours) VALUES (?, ?)');
      const unpair = database.prepare<[number, number]>('DELETE FROM taken WHERE line = ? AND ours = ?');
      for (const { line, ours, isTogether } of decisions) {
        if (isTogether) together.run(ours, line);
        else {
          apart.run(line, ours);
          unpair.run(line, ours);
        }
      }
    },

    /** Lines whose key names a row of ours. A key of several rows is left to `ties`. */
    byKey(leg: number, pass: Pass): void {
      const isFree = required(pass)
        .map(([, condition]) => condition)
        .join(' AND ');
      for (const key of KEYS[pass] ?? []) {
        database
          .prepare<[string, number]>(`
            INSERT INTO taken (${TAKEN})
            SELECT t.id, t.leg, o.id, ?, ${CLEAN_COLUMNS}
            FROM theirs t CROSS JOIN ours o ON o.environment = t.environment AND ${key} AND ${isFree}
            WHERE t.leg = ? AND t.id NOT IN (SELECT line FROM taken) GROUP BY t.id HAVING count(*) = 1`)
          .run(pass, leg);
      }
    },

    /**
     * Charges in lines of their own go where the lines with their reference went, else to the row with that reference. Those without
     * one go where the lines of their session went, when that is one row; else they stand in no leg.
     */
    charges(leg: number): void {
      if (hasCharges.get() === 0) return;
      database.prepare<[number]>(charges).run(leg);
      database
        .prepare<[number]>(`
          INSERT INTO taken (${TAKEN})
          SELECT t.id, t.leg, min(o.id), 'reference', 0, NULL, NULL, NULL
          FROM theirs t JOIN ours o ON o.environment = t.environment AND o.reference = t.reference
            JOIN sides s ON s.leg = t.leg AND s.environment = o.environment AND s.currency = t.currency AND s.kind = o.kind
          WHERE t.leg = ? AND t.kind IS NULL AND t.id NOT IN (SELECT line FROM taken) GROUP BY t.id`)
        .run(leg);
      database.prepare<[number]>(chargesOfSession).run(leg);
      database
        .prepare<[number]>(`
          UPDATE theirs SET leg = NULL WHERE leg = ? AND ${IS_CHARGE_WITHOUT_REFERENCE} AND id NOT IN (SELECT line FROM taken)`)
        .run(leg);
    },

    /** Charges of these accounts that name nothing stand in a leg whose fees are charged so; before the passes are finished. */
    invoices({ number, accounts, environment, currency }: Invoiced): void {
      database
        .prepare(`
          UPDATE theirs SET leg = @number
          WHERE account IN (SELECT value FROM json_each(@accounts)) AND environment = @environment AND currency = @currency
            AND leg IS NULL AND type IN ('fee', 'tax') AND reference IS NULL AND id NOT IN (SELECT line FROM taken)`)
        .run({ number, accounts: JSON.stringify(accounts), environment, currency });
    },

    /** Lines and rows of one transaction and amount that are the only ones of their sides. */
    byTransaction(leg: number): void {
      shared.take(leg, 'transaction_reference', 'transaction_reference_and_amount', true);
    },

    /** Of several rows with the session of a line, the one with its amount. */
    bySession(leg: number): void {
      shared.take(leg, 'session_id', 'session_id', false);
    },

    /** What is left of them: several rows or several lines that fit equally well. */
    ties(leg: number, pass: Pass): TiedPair[] {
      if (pass === 'session_id') return shared.ties(leg, 'session_id', 'key');
      if (pass !== 'transaction_reference_and_amount') return [];
      return shared.ties(leg, 'transaction_reference', 'key_and_amount');
    },

    /** Every line and the rows that it names in the way of a pass, and why it was not taken: of a small scratch database. */
    named(pass: Pass): NamedPair[] {
      const keys = KEYS[pass];
      if (keys === undefined) return [];
      const obstacle = required(pass).map(([name, condition]) => `WHEN (${condition}) IS NOT 1 THEN '${name}'`);
      return database
        .prepare<[], NamedPair>(`
          SELECT t.id AS line, o.id AS ours, CASE ${obstacle.join(' ')} END AS obstacle
          FROM theirs t JOIN ours o ON o.environment = t.environment AND (${keys.join(' OR ')})
          ORDER BY t.date, t.fingerprint, t.occurrence, o.kind, o.reference, o.currency`)
        .all();
    },

    /** After the last pass: which rows have lines, and which of them are clean: no row of several lines is. */
    finish(): void {
      database.exec(`
        CREATE INDEX taken_ours ON taken (leg, ours, line);
        UPDATE taken SET clean = 0 WHERE line IN (
          SELECT c.line FROM (SELECT leg, ours FROM taken GROUP BY leg, ours HAVING count(*) > 1) several
            JOIN taken c ON c.leg = several.leg AND c.ours = several.ours);
        CREATE INDEX taken_unclean ON taken (leg, ours) WHERE clean = 0;`);
    },

    /** Whether a row of ours has a line of these days in one of these legs; once the passes are finished. */
    hasLine(ours: number, { legs, until }: { readonly legs: readonly number[]; readonly until: string }): boolean {
      const found = database
        .prepare<[number, string, string], number>(`
          SELECT 1 FROM taken c JOIN theirs t ON t.id = c.line
          WHERE c.ours = ? AND c.leg IN (SELECT value FROM json_each(?)) AND t.date <= ? LIMIT 1`)
        .pluck();
      return found.get(ours, JSON.stringify(legs), until) === 1;
    },
  };
}
