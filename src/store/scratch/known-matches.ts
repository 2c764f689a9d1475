import type { Database } from 'better-sqlite3';
import type { OurKind, Pass } from '../../domain/reconciling/rules.ts';
import type { MatchState } from '../runs.ts';

/** A line with its row of ours, as this run has it. */
export interface ScratchMatch {
  readonly leg: number;
  readonly line: number;
  readonly kind: OurKind;
  readonly recordId: number | null;
  readonly reference: string;
  readonly pass: Pass | 'person';
  readonly state: MatchState;
}

/** Rows of one page, at most MOST_MATCHES_KEPT. */
const PAGE = 2_000;

/** The matches of this run, held against those that the store keeps (`known`, filled by the engine). */
export function knownMatches(database: Database) {
  const found = `
    SELECT c.leg, c.line, o.kind, o.record_id AS recordId, o.reference, c.pass,
      CASE WHEN c.line IN (SELECT line FROM doubtful) THEN 'claimed' ELSE 'confirmed' END AS state
    FROM taken c JOIN ours o ON o.id = c.ours
    UNION ALL
    SELECT p.leg, p.line, o.kind, o.record_id, o.reference, p.pass, 'suggested' FROM proposed p JOIN ours o ON o.id = p.ours`;

  return {
    propose(match: { readonly leg: number; readonly line: number; readonly ours: number; readonly pass: Pass }): void {
      database
        .prepare('INSERT OR IGNORE INTO proposed (line, leg, ours, pass) VALUES (@line, @leg, @ours, @pass)')
        .run(match);
    },

    /** Takes no kept match of a line of these days for one that this run found. */
    outdate(from: string, until: string): void {
      database
        .prepare("UPDATE known SET pass = '' WHERE line IN (SELECT id FROM theirs WHERE date BETWEEN ? AND ?)")
        .run(from, until);
    },

    /** Matches that the store does not have yet, in the order of their lines. */
    *added(legNames: readonly string[]): Generator<readonly ScratchMatch[]> {
      const page = database.prepare<{ after: number; legs: string }, ScratchMatch>(`
        SELECT f.* FROM (${found}) f
        WHERE f.line > @after AND NOT EXISTS (
          SELECT 1 FROM known k WHERE k.line = f.line AND k.kind = f.kind AND k.reference = f.reference AND k.state = f.state
            AND k.pass = f.pass AND k.leg = (SELECT value FROM json_each(@legs) WHERE key = f.leg))
        ORDER BY f.line LIMIT ${PAGE}`);
      for (let after = 0; ; ) {
        const matches = page.all({ after, legs: JSON.stringify(legNames) });
        if (matches.length > 0) yield matches;
        if (matches.length < PAGE) return;
        after = matches.at(-1)?.line ?? after;
      }
    },

    /** Matches of the store, of lines of these days, that this run does not find any more. */
    *ended(legNames: readonly string[], from: string, until: string): Generator<readonly number[]> {
      const page = database
        .prepare<Record<string, unknown>, number>(`
          SELECT k.id FROM known k JOIN theirs t ON t.id = k.line
          WHERE k.id > @after AND t.date BETWEEN @from AND @until AND NOT EXISTS (
            SELECT 1 FROM (${found}) f WHERE f.line = k.line AND f.kind = k.kind AND f.reference = k.reference AND f.state = k.state
              AND f.pass = k.pass AND k.leg = (SELECT value FROM json_each(@legs) WHERE key = f.leg))
          ORDER BY k.id LIMIT 200`)
        .pluck();
      for (let after = 0; ; ) {
        const ids = page.all({ after, from, until, legs: JSON.stringify(legNames) });
        if (ids.length > 0) yield ids;
        if (ids.length < 200) return;
        after = ids.at(-1) ?? after;
      }
    },
  };
}
