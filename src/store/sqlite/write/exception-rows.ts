import type { ResolvedTwin, WantedResolution } from '../../../domain/exceptions/act.ts';
import type { ExceptionState, Resolution } from '../../../domain/exceptions/words.ts';
import type { ExceptionEvent } from '../../exceptions.ts';
import type { KeptBreak } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import {
  EXCEPTION_OF_ID,
  EXCEPTION_SELECT,
  type ExceptionRow,
  IS_SAME_DIFFERENCE,
  SEEN_COLUMNS,
  seenColumns,
} from '../rows/exceptions.ts';

/** An exception as an act or a run finds it. */
export interface StoredException extends ExceptionRow {
  readonly evidence: string;
  readonly resolution_id: number | null;
  readonly comment_id: number | null;
  readonly value_minor: bigint | null;
  readonly carried_until: string | null;
}

/** A line as a resolution names it: by its place, and by what it says. */
export interface KnownLine {
  readonly lineId: number;
  readonly statement: number;
  readonly row: number;
  readonly accountId: number;
  readonly environment: string;
  readonly date: string;
  readonly fingerprint: string;
  readonly occurrence: number;
}

export interface ExceptionUpdate {
  readonly number: number;
  readonly status: ExceptionState;
  readonly assignee: string | null;
  readonly resolutionId: number | null;
  readonly commentId: number | null;
  readonly by: string;
  readonly nowMs: number;
}

export interface LogInsert {
  readonly number: number;
  readonly version: number;
  readonly nowMs: number;
  readonly who: string;
  readonly act: ExceptionEvent;
  readonly before: ExceptionState | null;
  readonly after: ExceptionState;
  readonly run: number | null;
  readonly assignee: string | null;
  readonly commentId: number | null;
  readonly resolutionId: number | null;
}

interface ResolutionInsert extends Pick<WantedResolution, 'reasonCode' | 'reference' | 'followUp' | 'attachments'> {
  readonly resolution: Resolution;
  readonly number: number;
  readonly lines: readonly KnownLine[];
  readonly approval: 'needed' | null;
  readonly carriedUntil: string | null;
  readonly by: string;
  readonly learntMs: number;
}

const SEEN = [...SEEN_COLUMNS, 'evidence', 'value_minor', 'place'] as const;

/** The rows of exceptions. The caller holds the transaction. */
export function exceptionRows(database: Database) {
  const one = database.prepare<[string], Omit<StoredException, 'value_minor'> & { value_text: string | null }>(`
    ${EXCEPTION_SELECT.replace('FROM exceptions e', ', e.evidence, e.resolution_id, e.comment_id, r.carried_until, CAST(e.value_minor AS TEXT) AS value_text FROM exceptions e')}
    ${EXCEPTION_OF_ID}`);
  const insert = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO exceptions (${SEEN.join(', ')}, version, status, first_run, changed_by, changed_at)
      VALUES (${SEEN.map((column) => `@${column}`).join(', ')}, 1, 'open', @run, @by, @nowMs) RETURNING number`)
    .pluck();
  const see = database.prepare(`
    UPDATE exceptions SET ${SEEN.filter((column) => column !== 'id')
      .map((column) => `${column} = @${column}`)
      .join(', ')} WHERE number = @number`);
  const sight = database.prepare<{ number: number; run: number; carried: number }>(`
    INSERT INTO exception_sightings (exception_number, run_id, carried) VALUES (@number, @run, @carried)
    ON CONFLICT (exception_number) DO UPDATE SET run_id = excluded.run_id, carried = excluded.carried`);
  const stand = database.prepare<ExceptionUpdate>(`
    UPDATE exceptions SET version = version + 1, status = @status, assignee = @assignee, resolution_id = @resolutionId,
      comment_id = @commentId, changed_by = @by, changed_at = @nowMs
    WHERE number = @number`);
  const log = database.prepare<LogInsert>(`
    INSERT INTO exception_log (exception_number, version, at, who, act, before, after, run_id, assignee, comment_id,
      resolution_id, ours, theirs, variance, effect)
    SELECT @number, @version, @nowMs, @who, @act, @before, @after, @run, @assignee, @commentId, @resolutionId,
      ours, theirs, variance, effect
    FROM exceptions WHERE number = @number`);
  const comment = database
    .prepare<{ number: number; text: string; by: string; nowMs: number }, number>(`
      INSERT INTO exception_comments (exception_number, text, said_by, said_at)
      VALUES (@number, @text, @by, @nowMs) RETURNING id`)
    .pluck();
  const resolve = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO exception_resolutions (exception_number, resolution, reason_code, reference, follow_up, attachments, lines,
        ours, theirs, variance, effect, resolved_by, resolved_at, approval, carried_until)
      SELECT @number, @resolution, @reasonCode, @reference, @followUp, @attachments, @lines,
        ours, theirs, variance, effect, @by, @learntMs, @approval, @carriedUntil
      FROM exceptions WHERE number = @number RETURNING id`)
    .pluck();
  const amend = database
    .prepare<{ id: number; followUp: string | null; lines: string | null }, number>(`
      INSERT INTO exception_resolutions (exception_number, resolution, reason_code, reference, follow_up, attachments, lines,
        ours, theirs, variance, effect, resolved_by, resolved_at, approval, approved_by, approved_at, carried_until)
      SELECT exception_number, resolution, reason_code, reference, @followUp, attachments, coalesce(@lines, lines),
        ours, theirs, variance, effect, resolved_by, resolved_at, approval, approved_by, approved_at, carried_until
      FROM exception_resolutions WHERE id = @id RETURNING id`)
    .pluck();
  const approve = database.prepare<{ id: number; by: string; nowMs: number }>(`
    UPDATE exception_resolutions SET approval = 'given', approved_by = @by, approved_at = @nowMs WHERE id = @id`);
  const paid = database
    .prepare<[number], 0 | 1>(`
      SELECT EXISTS (SELECT 1 FROM exception_resolutions r JOIN json_each(r.lines) n
        JOIN imported_lines l ON l.account_id = n.value ->> 'accountId' AND l.date = n.value ->> 'date'
          AND l.fingerprint = unhex(n.value ->> 'fingerprint') AND l.occurrence = n.value ->> 'occurrence'
        JOIN imported_statements s ON s.id = l.statement_id
      WHERE r.id = ? AND r.resolution = 'claim' AND s.state = 'imported')`)
    .pluck();
  const followers = database
    .prepare<[number], string>(`
      SELECT e.id FROM exceptions o JOIN exceptions e ON ${IS_SAME_DIFFERENCE}
        JOIN exception_resolutions r ON r.id = e.resolution_id
      WHERE o.number = ? AND e.status = 'resolved' AND r.resolution = 'claim' ORDER BY e.id`)
    .pluck();
  const twins = database.prepare<{ number: number }, ResolvedTwin>(`
    SELECT t.id, r.resolution, r.resolved_by AS "by"
    FROM (SELECT e.id, e.status, e.resolution_id FROM exceptions o JOIN exceptions e ON ${IS_SAME_DIFFERENCE}
        WHERE o.number = (SELECT @number)
      UNION ALL SELECT o.id, o.status, o.resolution_id FROM exceptions e JOIN exceptions o ON ${IS_SAME_DIFFERENCE}
        WHERE e.number = (SELECT @number)) t
      JOIN exception_resolutions r ON r.id = t.resolution_id
    WHERE t.status = 'resolved' ORDER BY t.id`);
  const days = database.prepare<[number], { from: string; to: string }>(
    'SELECT from_day AS "from", to_day AS "to" FROM reconciliation_runs WHERE id = ?',
  );

  return {
    /** Null: there is none. */
    one(id: string): StoredException | null {
      const found = one.get(id);
      if (found === undefined) return null;
      const { value_text: value, ...row } = found;
      return { ...row, value_minor: value === null ? null : BigInt(value) };
    },
    /** A new one, open; returns its number. */
    insert: (seen: KeptBreak, run: { run: number; by: string; nowMs: number }): number =>
      insert.get({ ...seenColumns(seen), ...run }) as number,
    /** Replaces the break by the one that was seen last. */
    see: (number: number, seen: KeptBreak) => see.run({ ...seenColumns(seen), number }),
    sight: (sighting: { number: number; run: number; carried: number }) => sight.run(sighting),
    /** The next version. */
    stand: (update: ExceptionUpdate) => stand.run(update),
    log: (entry: LogInsert) => log.run(entry),
    comment: (said: { number: number; text: string; by: string; nowMs: number }): number => comment.get(said) as number,
    resolve({ attachments, lines, ...order }: ResolutionInsert): number {
      const texts = { attachments: JSON.stringify(attachments), lines: JSON.stringify(lines) };
      return resolve.get({ ...order, ...texts }) as number;
    },
    /** The same resolution with another follow-up, or with the line that paid it: what was said before stays in the log. */
    amend: (id: number, followUp: string | null, lines: readonly KnownLine[] | null): number =>
      amend.get({ id, followUp, lines: lines === null ? null : JSON.stringify(lines) }) as number,
    approve: (given: { id: number; by: string; nowMs: number }) => approve.run(given),
    /** Whether the line that paid the claim shows. */
    isPaid: (resolutionId: number | null): boolean => resolutionId !== null && paid.get(resolutionId) === 1,
    /** Claims of the same amount that follow this one, and hold. */
    followers: (number: number): string[] => followers.all(number),
    /** Resolved ones about the same amount, of a wallet and of settlement accounts. */
    twins: (number: number): ResolvedTwin[] => twins.all({ number }),
    runDays: (run: number) => days.get(run) ?? { from: '', to: '' },
  };
}
