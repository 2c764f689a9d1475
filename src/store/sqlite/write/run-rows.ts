import type { FrozenGroup, KeptBreak, KeptMatch } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { BREAK_COLUMNS, rowFromBreak } from '../rows/breaks.ts';
import { GROUP_COLUMNS, rowFromGroup } from '../rows/period-groups.ts';

/** Keeps matches and breaks of a run that is being written. The caller holds the transaction. */
export function runRowWrites(database: Database) {
  const next = (table: string) =>
    database
      .prepare<[], number>(`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0) + 1`)
      .pluck();
  const nextMatch = next('kept_matches');
  const nextBreak = next('kept_breaks');
  // Without a line that was removed since it was matched. All of a piece in one statement: handing the engine nine values for
  // each match takes a third of the time to keep it.
  const keepMatches = database.prepare<{ run: number; batch: number; matches: string }>(`
    INSERT INTO kept_matches (run_id, batch, leg, kind, record_id, reference, pass, state, line_id)
    SELECT @run, @batch, m.value ->> 'leg', m.value ->> 'kind', m.value ->> 'recordId', m.value ->> 'reference',
      m.value ->> 'pass', m.value ->> 'state', l.id
    FROM json_each(@matches) m CROSS JOIN imported_lines l ON l.id = m.value ->> 'lineId'`);
  const endMatch = database.prepare<{ run: number; id: number }>(`
    UPDATE kept_matches SET ended_in = @run
    WHERE id = @id AND removed_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM reconciliation_runs WHERE id = ended_in AND finished_at IS NOT NULL)`);
  const keepBreak = database.prepare(`
    INSERT INTO kept_breaks (run_id, batch, carried, ${BREAK_COLUMNS.join(', ')})
    VALUES (@run, @batch, @carried, ${BREAK_COLUMNS.map((column) => `@${column}`).join(', ')})`);

  const markGroups = database.prepare<[number]>('UPDATE reconciliation_runs SET has_groups = 1 WHERE id = ?');
  const keepGroup = database.prepare(`
    INSERT INTO period_groups (run_id, ${GROUP_COLUMNS.join(', ')})
    VALUES (@run, ${GROUP_COLUMNS.map((column) => `@${column}`).join(', ')})`);

  return {
    keepGroups(run: number, groups: readonly FrozenGroup[]): void {
      for (const one of groups) keepGroup.run({ ...rowFromGroup(one), run });
      markGroups.run(run);
    },

    /** Where the rows of a new run begin. */
    next: () => ({ firstMatch: nextMatch.get() as number, firstBreak: nextBreak.get() as number }),

    keepMatches(run: number, matches: readonly KeptMatch[]): void {
      keepMatches.run({ run, batch: nextMatch.get() as number, matches: JSON.stringify(matches) });
    },

    endMatches(run: number, ids: readonly number[]): void {
      for (const id of ids) endMatch.run({ run, id });
    },

    keepBreaks(run: number, breaks: readonly KeptBreak[], carried: 0 | 1): void {
      const batch = nextBreak.get();
      for (const one of breaks) keepBreak.run({ ...rowFromBreak(one), run, batch, carried });
    },
  };
}
