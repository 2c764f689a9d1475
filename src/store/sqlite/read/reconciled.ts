import type { ExceptionArchive } from '../../exceptions.ts';
import type { RunArchive, RunSummary } from '../../runs.ts';
import type { StatementArchive } from '../../statements.ts';
import type { PastMatch, Reconciled, StoryDecision, StoryFilter } from '../../story.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { idsInBatches } from './in-batches.ts';
import { SAME_LINE } from './match-decisions.ts';

/** Most rows of each sort read of one reference: a record has a handful. */
const MOST_ROWS = 1_000;

type MatchRow = Omit<PastMatch, 'ended'> & {
  readonly endedIn: number | null;
  readonly endedAtMs: number | null;
  readonly removedAtMs: number | null;
};
type DecisionRow = Omit<StoryDecision, 'line'> & { readonly statement: number | null; readonly row: number | null };

/** Reads what statements and runs say of a reference. */
export function reconciledReads(
  database: Database,
  archive: Pick<
    RunArchive & StatementArchive & ExceptionArchive,
    'breaks' | 'lastRun' | 'linesNaming' | 'exceptionsNaming'
  >,
): (reference: string, filter: StoryFilter) => Promise<Reconciled> {
  const matches = database.prepare<{ wanted: string; most: number }, MatchRow>(`
    SELECT m.id, m.leg, m.kind, s.environment, m.pass, m.state, m.run_id AS run, r.finished_at AS madeAtMs,
      s.id AS statement, coalesce(m.removed_row, l.row) AS "row", e.id AS endedIn, e.finished_at AS endedAtMs,
      m.removed_at AS removedAtMs
    FROM kept_matches m CROSS JOIN runs r ON r.id = m.run_id LEFT JOIN imported_lines l ON l.id = m.line_id
      JOIN imported_statements s ON s.id = coalesce(m.removed_statement, l.statement_id)
      LEFT JOIN reconciliation_runs e ON e.id = m.ended_in AND e.finished_at IS NOT NULL
    WHERE m.id IN (${idsInBatches('kept_matches', 'reference')}) ORDER BY m.id LIMIT @most`);
  const decisions = database.prepare<{ wanted: string; most: number }, DecisionRow>(`
    SELECT d.leg, d.kind, d.environment, d.verdict, d.decided_by AS "by", d.decided_at AS atMs, d.comment,
      l.statement_id AS statement, l.row
    FROM match_decisions d LEFT JOIN imported_lines l ON ${SAME_LINE}
    WHERE d.reference = @wanted ORDER BY d.id LIMIT @most`);
  const read = guarded(database, (wanted: string) => ({
    matches: matches.all({ wanted, most: MOST_ROWS }).map(matchFromRow),
    decisions: decisions.all({ wanted, most: MOST_ROWS }).map(decisionFromRow),
  }));

  async function breaksOf({ run, finishedAtMs }: RunSummary, reference: string): Promise<Reconciled['breaks']> {
    const read = (carried: boolean) =>
      archive.breaks({ run, reference, carried }, { order: 'oldest', limit: MOST_ROWS });
    const [own, carried] = [await read(false), await read(true)];
    return [
      ...own.map((one) => ({ ...one, foundAtMs: finishedAtMs, isCarried: false })),
      ...carried.map((one) => ({ ...one, foundAtMs: finishedAtMs, isCarried: true })),
    ];
  }

  return async (reference, { environment, kind }) => {
    const of = (one: { readonly environment: string }) => environment === undefined || one.environment === environment;
    const isWanted = (one: { readonly environment: string; readonly kind: string | null }) =>
      of(one) && (kind === undefined || one.kind === null || one.kind === kind);
    const found = read(reference);
    const lines = await archive.linesNaming(reference, MOST_ROWS);
    const run = await archive.lastRun();
    const breaks = run === null ? [] : await breaksOf(run, reference);
    return {
      lines: lines.filter(({ account }) => of(account)),
      matches: found.matches.filter(isWanted),
      decisions: found.decisions.filter(isWanted),
      breaks: breaks.filter(isWanted),
      exceptions: (await archive.exceptionsNaming(reference)).filter(isWanted),
    };
  };
}

function matchFromRow({ endedIn, endedAtMs, removedAtMs, ...match }: MatchRow): PastMatch {
  if (endedIn !== null && endedAtMs !== null) return { ...match, ended: { run: endedIn, atMs: endedAtMs } };
  return { ...match, ended: removedAtMs === null ? null : { run: null, atMs: removedAtMs } };
}

function decisionFromRow({ statement, row, ...decision }: DecisionRow): StoryDecision {
  return { ...decision, line: statement === null || row === null ? null : { statement, row } };
}
