import type { Page } from '../../records.ts';
import type { RunArchive, RunSummary } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { GROUP_COLUMNS, type GroupRow, groupFromRow } from '../rows/period-groups.ts';
import { LAST_AS_AT, RUN_COLUMNS, type RunRow, runFromRow } from '../rows/runs.ts';
import { breakReads } from './breaks.ts';
import { matchReads } from './matches.ts';
import { type IdRange, scan } from './scan.ts';
import { undoneReads } from './undone-matches.ts';

/** Reads whole runs of the reconciliation, and what they found. */
export function runReads(database: Database): RunArchive {
  const whole = `SELECT ${RUN_COLUMNS}
    FROM reconciliation_runs r JOIN matching_rules u ON u.digest = r.rules_digest WHERE r.finished_at IS NOT NULL`;
  const pageIn = (direction: 'ASC' | 'DESC') =>
    database.prepare<IdRange & { limit: number }, RunRow>(
      `${whole} AND r.id BETWEEN @first AND @last ORDER BY r.id ${direction} LIMIT @limit`,
    );
  const pages = { newest: pageIn('DESC'), oldest: pageIn('ASC') };
  const one = database.prepare<[number], RunRow>(`${whole} AND r.id = ?`);
  const lastId = database
    .prepare<[], number>('SELECT coalesce(max(id), 0) FROM reconciliation_runs WHERE finished_at IS NOT NULL')
    .pluck();

  const last = guarded(database, () => lastId.get() ?? 0);
  const read = guarded(database, (range: IdRange, limit: number, order: Page['order']) =>
    pages[order].all({ ...range, limit }).map(runFromRow),
  );
  const run = guarded(database, (id: number): RunSummary | null => {
    const row = one.get(id);
    return row === undefined ? null : runFromRow(row);
  });

  const lastAsAt = database.prepare<[], number | null>(LAST_AS_AT).pluck();
  const lastAsAtNow = guarded(database, () => lastAsAt.get() ?? null);
  const hasGroups = database
    .prepare<[number], number>('SELECT has_groups FROM reconciliation_runs WHERE id = ? AND finished_at IS NOT NULL')
    .pluck();
  const groupsOf = database.prepare<[number], Omit<GroupRow, 'effect_minor'>>(
    `SELECT ${GROUP_COLUMNS.filter((column) => column !== 'effect_minor').join(', ')} FROM period_groups WHERE run_id = ? ORDER BY id`,
  );
  const frozenGroups = snapshot(database, (id: number) =>
    hasGroups.get(id) === 1 ? groupsOf.all(id).map(groupFromRow) : null,
  );

  return {
    runs: async (page) => scan({ first: 1, last: last() }, page, (range, limit) => read(range, limit, page.order)),
    run: async (id) => run(id),
    lastRun: async () => run(last()),
    lastAsAtMs: async () => lastAsAtNow(),
    frozenGroups: async (id) => frozenGroups(id),
    ...breakReads(database, last),
    ...matchReads(database),
    ...undoneReads(database),
  };
}
