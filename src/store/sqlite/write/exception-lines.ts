import type { NamedLine } from '../../../domain/exceptions/words.ts';
import type { MatchVerdict } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { idsInBatches } from '../read/in-batches.ts';
import type { Dated } from './books-time.ts';
import type { KnownLine, StoredException } from './exception-rows.ts';
import type { matchDecisionWrites } from './match-decisions.ts';

/** Why lines cannot be taken: a sentence. */
export class LineRefusal extends Error {}

/** The lines that resolutions name. The caller holds the transaction. */
export function exceptionLines(database: Database, decisions: ReturnType<typeof matchDecisionWrites>) {
  const columns = `l.id AS lineId, l.account_id AS accountId, a.environment, l.date, lower(hex(l.fingerprint)) AS fingerprint,
    l.occurrence`;
  const at = database.prepare<NamedLine, Omit<KnownLine, 'statement' | 'row'>>(`
    SELECT ${columns} FROM imported_lines l JOIN accounts a ON a.id = l.account_id
    WHERE l.id IN (
        SELECT id FROM imported_lines WHERE statement_id = @statement AND row = @row
        UNION ALL SELECT line_id FROM imported_overlaps WHERE statement_id = @statement AND row = @row)
      AND EXISTS (SELECT 1 FROM imported_statements s WHERE s.id = @statement AND s.state = 'imported')`);
  const matched = database.prepare<{ wanted: string; leg: string; kind: string; environment: string }, KnownLine>(`
    SELECT ${columns}, m.statement_id AS statement, m.row FROM matches m JOIN imported_lines l ON l.id = m.line_id
      JOIN accounts a ON a.id = l.account_id
    WHERE m.id IN (${idsInBatches('kept_matches', 'reference')}) AND m.leg = @leg AND m.kind = @kind
      AND m.environment = @environment
    ORDER BY m.id`);

  function named(exception: StoredException, lines: readonly NamedLine[]): KnownLine[] {
    return lines.map((line) => {
      const found = at.get(line);
      if (found === undefined)
        throw new LineRefusal(`There is no row ${line.row} in a statement ${line.statement} that shows.`);
      if (found.environment === exception.environment) return { ...line, ...found };
      throw new LineRefusal(`Row ${line.row} of statement ${line.statement} is of ${found.environment}.`);
    });
  }

  /** The row of ours that lines can belong to. */
  function ours({ break_id: id, side, leg, kind, reference }: StoredException) {
    if (side === 'ours' && leg !== null && kind !== null && reference !== null) return { leg, kind, reference };
    throw new LineRefusal(
      `${id} names no record of ours: resolve the exception of the record, and name this line with --line.`,
    );
  }

  return {
    /** The lines at these places. @throws LineRefusal */
    named,

    /**
     * Says that the lines belong to the row of ours of the exception, or never do; without lines, all that are matched.
     *
     * @throws LineRefusal
     */
    decide(
      exception: StoredException,
      lines: readonly NamedLine[],
      said: { verdict: MatchVerdict; by: string; comment: string | null } & Dated,
    ): KnownLine[] {
      const { environment, break_id: id } = exception;
      const row = ours(exception);
      const all =
        lines.length > 0 ? named(exception, lines) : said.verdict === 'together' ? [] : matchedWith(exception);
      if (all.length === 0) {
        const why =
          said.verdict === 'together' ? 'name the lines with --line STATEMENT:ROW' : 'no line is matched with it';
        throw new LineRefusal(`${id}: ${why}.`);
      }
      for (const { lineId } of all) decisions.decide({ ...row, environment, lineId, ...said });
      return all;
    },
  };

  function matchedWith(exception: StoredException): KnownLine[] {
    const { leg, kind, reference } = ours(exception);
    return matched.all({ wanted: reference, leg, kind, environment: exception.environment });
  }
}
