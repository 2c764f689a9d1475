import type { Database } from 'better-sqlite3';
import type { Pass } from '../../domain/reconciling/rules.ts';
import { type KeptMatch, MOST_MATCHES_ENDED, MOST_MATCHES_KEPT } from '../runs.ts';

/** The days of lines. */
interface Between {
  readonly from: string;
  readonly until: string;
}

/** In the order of their lines; what else a run has of legs is by their numbers. */
const FOUND = `
  SELECT n.name AS leg, c.line AS lineId, o.kind, o.record_id AS recordId, o.reference, c.pass,
    CASE WHEN c.line IN (SELECT line FROM doubtful) THEN 'claimed' ELSE 'confirmed' END AS state
  FROM taken c CROSS JOIN ours o ON o.id = c.ours CROSS JOIN legs n ON n.number = c.leg
  UNION ALL
  SELECT n.name, p.line, o.kind, o.record_id, o.reference, p.pass, 'suggested'
  FROM proposed p CROSS JOIN ours o ON o.id = p.ours CROSS JOIN legs n ON n.number = p.leg`;

const IS_KNOWN = `k.line = f.lineId AND k.kind = f.kind AND k.reference = f.reference AND k.state = f.state AND k.pass = f.pass AND k.leg = f.leg`;

/** The matches of this run, held against those that the store keeps (`known`, filled by the engine). */
export function knownMatches(database: Database) {
  return {
    propose(match: { readonly leg: number; readonly line: number; readonly ours: number; readonly pass: Pass }): void {
      database
        .prepare('INSERT OR IGNORE INTO proposed (line, leg, ours, pass) VALUES (@line, @leg, @ours, @pass)')
        .run(match);
    },

    /** Says the names of the legs, by their numbers; before anything is compared. */
    nameLegs(names: readonly string[]): void {
      const name = database.prepare<[number, string]>('INSERT INTO legs (number, name) VALUES (?, ?)');
      for (const [number, leg] of names.entries()) name.run(number, leg);
    },

    /** Takes no kept match of a line of these days for one that this run found. */
    outdate(days: Between): void {
      database
        .prepare("UPDATE known SET pass = '' WHERE line IN (SELECT id FROM theirs WHERE date BETWEEN @from AND @until)")
        .run(days);
    },

    /** Matches that the store does not have yet, in the order of their lines. */
    *added(): Generator<readonly KeptMatch[]> {
      const page = database.prepare<[number], KeptMatch>(`
        SELECT f.* FROM (${FOUND}) f WHERE f.lineId > ? AND NOT EXISTS (SELECT 1 FROM known k WHERE ${IS_KNOWN})
        ORDER BY f.lineId LIMIT ${MOST_MATCHES_KEPT}`);
      for (let after = 0; ; ) {
        const matches = page.all(after);
        if (matches.length > 0) yield matches;
        if (matches.length < MOST_MATCHES_KEPT) return;
        after = matches.at(-1)?.lineId ?? after;
      }
    },

    /**
     * Matches of the store, of lines of these days, that this run does not find any more. `added`: how many it found anew; when all
     * others that it found are as many as the store has, they are the same, and nothing is looked for.
     */
    *ended(days: Between, added: number): Generator<readonly number[]> {
      const count = database.prepare<[], { found: number; known: number }>(`
        SELECT (SELECT count(*) FROM taken) + (SELECT count(*) FROM proposed) AS found, (SELECT count(*) FROM known) AS known`);
      const { found, known } = count.get() ?? { found: 0, known: 0 };
      if (found - added === known) return;
      const page = database
        .prepare<Record<string, unknown>, number>(`
          SELECT k.id FROM known k JOIN theirs t ON t.id = k.line
          WHERE k.id > @after AND t.date BETWEEN @from AND @until AND NOT EXISTS (SELECT 1 FROM (${FOUND}) f WHERE ${IS_KNOWN})
          ORDER BY k.id LIMIT ${MOST_MATCHES_ENDED}`)
        .pluck();
      for (let after = 0; ; ) {
        const ids = page.all({ after, ...days });
        if (ids.length > 0) yield ids;
        if (ids.length < MOST_MATCHES_ENDED) return;
        after = ids.at(-1) ?? after;
      }
    },
  };
}
