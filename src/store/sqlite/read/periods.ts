import { booksMs } from '../../../domain/periods/books-time.ts';
import type { Clock } from '../../../time/clock.ts';
import type { ClosedPeriod, ClosingBalance, KeptPeriod, NewsOrder, PeriodArchive, RunDays } from '../../periods.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import {
  accountsOf,
  CLOSING_COLUMNS,
  type ClosingRow,
  type PeriodRow,
  periodFromRows,
  periodSubject,
} from '../rows/periods.ts';
import { LAST_AS_AT, RUN_COLUMNS, type RunRow, runFromRow } from '../rows/runs.ts';
import { runNews } from './run-news.ts';
import { sinceCloseReads } from './since-close.ts';

/** Reads periods, what was frozen at their closings, and what came since. */
export function periodReads(database: Database, clock: Clock): PeriodArchive {
  const rows = database.prepare<{ set: string | null }, PeriodRow>(
    'SELECT * FROM periods WHERE @set IS NULL OR set_name = @set ORDER BY set_name, from_day',
  );
  const one = database.prepare<[string, string], PeriodRow>('SELECT * FROM periods WHERE set_name = ? AND name = ?');
  const closings = database.prepare<[number], ClosingRow>(
    `SELECT ${CLOSING_COLUMNS} FROM period_closings c WHERE c.period_id = ? ORDER BY c.closing`,
  );
  const head = database
    .prepare<[string], string>(
      `SELECT seq || ':' || hash FROM audit_entries WHERE subject = ? ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  const frozen = database
    .prepare<{ set: string; period: string; closing: number }, string | null>(`
      SELECT c.report FROM period_closings c JOIN periods p ON p.id = c.period_id
      WHERE p.set_name = @set AND p.name = @period AND c.closing = @closing`)
    .pluck();
  const closed = database.prepare<[], PeriodRow & Pick<ClosedPeriod, 'run' | 'closedAtMs' | 'decidedUntilMs'>>(`
    SELECT p.*, c.run_id AS run, c.as_at AS closedAtMs, c.closed_at AS decidedUntilMs
    FROM periods p JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
    WHERE p.state <> 'open' ORDER BY p.set_name, p.from_day`);
  const balances = database
    .prepare<[number | bigint, number | bigint], ClosingBalance>(`
      SELECT account, currency, ours_minor AS ours, theirs_minor AS theirs FROM period_balances
      WHERE period_id = ? AND closing = ? ORDER BY account, currency`)
    .safeIntegers();
  const runOfDays = database.prepare<RunDays, RunRow>(`
    SELECT ${RUN_COLUMNS} FROM reconciliation_runs r JOIN matching_rules u ON u.digest = r.rules_digest
    WHERE r.what = 'all' AND r.account IS NULL AND (r.environment IS NULL OR r.environment = @environment)
      AND r.from_day = @from AND r.to_day = @to AND r.zone = @zone AND r.cut_off_minutes = @cutOffMinutes
      AND r.finished_at IS NOT NULL
    ORDER BY r.id DESC LIMIT 1`);
  const news = runNews(database);
  const lastAsAt = database.prepare<[], number | null>(LAST_AS_AT).pluck();
  const carriedOut = database.prepare<[], number>('SELECT seq FROM carried_out').pluck();

  const kept = (row: PeriodRow): KeptPeriod =>
    periodFromRows(row, closings.all(row.id), head.get(periodSubject(row.set_name, row.name)) ?? null);
  const all = snapshot(database, (set: string | null) => rows.all({ set }).map(kept));
  const period = snapshot(database, (set: string, name: string): KeptPeriod | null => {
    const row = one.get(set, name);
    return row === undefined ? null : kept(row);
  });
  const closedNow = snapshot(database, (): ClosedPeriod[] =>
    closed.all().map((row) => ({
      set: row.set_name,
      period: row.name,
      from: row.from_day,
      to: row.to_day,
      environment: row.environment,
      accounts: accountsOf(row),
      run: row.run,
      closedAtMs: row.closedAtMs,
      decidedUntilMs: row.decidedUntilMs,
      balances: balances.all(row.id, row.closing),
    })),
  );

  /** What comes in the same millisecond is looked at again. */
  const newsSince = snapshot(database, (order: NewsOrder, nowMs: number) => ({
    news: news.all(order),
    until: { carriedOut: carriedOut.get() ?? 0, asAtMs: booksMs(nowMs, lastAsAt.get() ?? null) - 1 },
  }));

  return {
    periods: async ({ set }) => all(set ?? null),
    period: async (set, name) => period(set, name),
    frozen: async (order) => guarded(database, () => frozen.get(order) ?? null)(),
    closedPeriods: async () => closedNow(),
    runOfDays: async ({ environment, from, to, zone, cutOffMinutes }) => {
      const row = guarded(database, () => runOfDays.get({ environment, from, to, zone, cutOffMinutes }))();
      return row === undefined ? null : runFromRow(row);
    },
    newsSince: async (order) => newsSince(order, clock.nowMs()),
    sinceClose: sinceCloseReads(database),
  };
}
