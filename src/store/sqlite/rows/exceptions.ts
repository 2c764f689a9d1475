import { TallyhookError } from '../../../domain/error.ts';
import { evidenceDigest, worthOf } from '../../../domain/exceptions/evidence.ts';
import type { Attachment, ExceptionState, NamedLine, Resolution } from '../../../domain/exceptions/words.ts';
import { isAt, STATEMENT_KINDS } from '../../../domain/statements/lines.ts';
import type { Cursor } from '../../cursor.ts';
import type { Exception, ExceptionLogEntry, ExceptionProgress } from '../../exceptions.ts';
import type { KeptBreak } from '../../runs.ts';
import { BREAK_COLUMNS, type BreakRow, breakFromRow, rowFromBreak } from './breaks.ts';

/** The columns of the break that an exception is, as its table names them. */
export const SEEN_COLUMNS = ['id', ...BREAK_COLUMNS.filter((column) => column !== 'break_id')] as const;

const IS_SAME_AMOUNT = `
  o.reference = e.reference AND o.environment = e.environment AND o.code = e.code AND o.sub IS e.sub AND o.side = e.side
  AND o.kind IS e.kind AND o.field_name IS e.field_name AND o.currency IS e.currency AND o.ours IS e.ours AND o.theirs IS e.theirs
  AND o.variance IS e.variance AND o.effect = e.effect`;
function accountsAt(stage: 'service' | 'transit'): string {
  const kinds = STATEMENT_KINDS.filter((kind) => isAt(kind, stage)).map((kind) => `'${kind}'`);
  return `accounts w WHERE w.kind IN (${kinds.join(', ')})`;
}

const IS_OF_SETTLEMENT = `e.account IN (SELECT name FROM ${accountsAt('transit')})`;

/** Whether an exception `e` of a settlement account is about the same amount as an exception `o` of a wallet. */
export const IS_SAME_DIFFERENCE = `
  ${IS_SAME_AMOUNT} AND ${IS_OF_SETTLEMENT} AND o.account IN (SELECT name FROM ${accountsAt('service')})`;

/**
 * That of a wallet which `e` follows, the first by its id. Of each wallet one row of the index is read: thousands of lines may have
 * one reference, and one amount.
 */
const SAME_AS = `
  CASE WHEN ${IS_OF_SETTLEMENT} THEN (
    SELECT min((
      SELECT o.id FROM exceptions o LEFT JOIN exception_resolutions x ON x.id = o.resolution_id
      WHERE o.account = w.name AND ${IS_SAME_AMOUNT} AND (o.status <> 'closed' OR x.resolution = 'claim')
      ORDER BY o.id LIMIT 1))
    FROM ${accountsAt('service')}) END`;

const PROGRESS = `
  e.version, e.status, e.assignee, c.text AS comment, r.resolution, r.reason_code, r.follow_up, r.resolved_at, r.approval,
  r.approved_by, r.approved_at, ${SAME_AS} AS same_as`;
const RESOLVED = `
  LEFT JOIN exception_resolutions r ON r.id = e.resolution_id
  LEFT JOIN exception_comments c ON c.id = e.comment_id`;

/** How an exception stands, without the break that it is: a period of 200,000 exceptions reads them several times. */
export const PROGRESS_SELECT = `SELECT e.id AS break_id, ${PROGRESS} FROM exceptions e ${RESOLVED}`;

/** An exception with what holds of it. */
export const EXCEPTION_SELECT = `
  SELECT ${SEEN_COLUMNS.map((column) => (column === 'id' ? 'e.id AS break_id' : `e.${column}`)).join(', ')},
    e.number, e.first_run, e.changed_by, e.changed_at, e.place, s.run_id AS last_run, r.reference AS resolution_reference,
    r.attachments, r.lines, r.resolved_by, ${PROGRESS}
  FROM exceptions e JOIN exception_sightings s ON s.exception_number = e.number ${RESOLVED}`;

/**
 * The one of an id. A parameter that stands in the condition itself makes the engine compile these joins anew for each value,
 * which takes eight times as long as finding the row.
 */
export const EXCEPTION_OF_ID = 'WHERE e.id = (SELECT ?)';

export interface ProgressRow {
  readonly break_id: string;
  readonly version: number;
  readonly status: ExceptionState;
  readonly assignee: string | null;
  readonly comment: string | null;
  readonly resolution: Resolution | null;
  readonly reason_code: string | null;
  readonly follow_up: string | null;
  readonly resolved_at: number | null;
  readonly approval: 'needed' | 'given' | null;
  readonly approved_by: string | null;
  readonly approved_at: number | null;
  readonly same_as: string | null;
}

export interface ExceptionRow extends BreakRow, ProgressRow {
  readonly break_id: string;
  readonly number: number;
  readonly first_run: number;
  readonly changed_by: string;
  readonly changed_at: number;
  readonly place: string;
  readonly last_run: number;
  readonly resolution_reference: string | null;
  readonly attachments: string | null;
  readonly lines: string | null;
  readonly resolved_by: string | null;
}

export function progressFromRow(row: ProgressRow): ExceptionProgress {
  return {
    id: row.break_id,
    version: row.version,
    status: row.status,
    resolution: row.resolution,
    reasonCode: row.reason_code,
    followUp: row.follow_up,
    resolvedAtMs: row.resolved_at,
    approval: approvalOf(row),
    assignee: row.assignee,
    comment: row.comment,
    sameAs: row.same_as,
  };
}

export function exceptionFromRow(row: ExceptionRow): Exception {
  return {
    ...breakFromRow(row),
    ...progressFromRow(row),
    resolutionReference: row.resolution_reference,
    attachments: attachmentsIn(row.attachments),
    resolvedBy: row.resolved_by,
    payment: row.resolution === 'claim' ? (linesIn(row.lines)[0] ?? null) : null,
    firstRun: row.first_run,
    lastRun: row.last_run,
    changedBy: row.changed_by,
    changedAtMs: row.changed_at,
  };
}

export function approvalOf({
  approval,
  approved_by,
  approved_at,
}: Pick<ExceptionRow, 'approval' | 'approved_by' | 'approved_at'>): Exception['approval'] {
  if (approval === null) return null;
  if (approval === 'needed' || approved_by === null || approved_at === null) return { state: 'needed' };
  return { state: 'given', who: approved_by, atMs: approved_at };
}

/** Between the parts of a place. The unit separator sorts before all that a name holds. */
const PLACE_MARK = '\u001f';

/** What a run saw, as columns of `exceptions`. */
export function seenColumns(seen: KeptBreak) {
  const { break_id: id, ...columns } = rowFromBreak(seen);
  const { account, currency, code, date, reference } = seen;
  // A list is ordered by it, and goes on behind it.
  const place = [account ?? '', currency ?? '', code, date, reference ?? '', id].join(PLACE_MARK);
  return { ...columns, id, evidence: evidenceDigest(seen), value_minor: worthOf(seen), place };
}

/** The place of an exception as text; '' for null, the beginning. @throws TallyhookError for a text that no list gave out: another text would begin somewhere in it */
export function placeBefore(cursor: Cursor | null): string {
  if (cursor === null || cursor.split(PLACE_MARK).length === 6) return cursor ?? '';
  throw new TallyhookError(`${JSON.stringify(cursor)} is not a place in the list of exceptions.`, {
    kind: 'usage',
    hint: 'Begin with its first page, and follow its links.',
  });
}

export function attachmentsIn(text: string | null): readonly Attachment[] {
  return text === null ? [] : JSON.parse(text);
}

export function linesIn(text: string | null): readonly NamedLine[] {
  if (text === null) return [];
  return (JSON.parse(text) as NamedLine[]).map(({ statement, row }) => ({ statement, row }));
}

export interface LogRow {
  readonly version: number;
  readonly at: number;
  readonly who: string;
  readonly act: ExceptionLogEntry['act'];
  readonly before: ExceptionState | null;
  readonly after: ExceptionState;
  readonly run_id: number | null;
  readonly assignee: string | null;
  readonly text: string | null;
  readonly comment_id: number | null;
  readonly resolution: Resolution | null;
  readonly reason_code: string | null;
  readonly reference: string | null;
  readonly follow_up: string | null;
  readonly attachments: string | null;
  readonly lines: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly variance: string | null;
  readonly effect: string;
}

export function logFromRow(row: LogRow): ExceptionLogEntry {
  const { version, who, act, before, after, assignee, text, resolution, ours, theirs, variance, effect } = row;
  const said =
    resolution === null
      ? null
      : {
          resolution,
          reasonCode: row.reason_code,
          reference: row.reference,
          followUp: row.follow_up,
          attachments: attachmentsIn(row.attachments),
          lines: linesIn(row.lines),
        };
  const evidence = { ours, theirs, variance, effect };
  return {
    version,
    atMs: row.at,
    who,
    act,
    before,
    after,
    run: row.run_id,
    assignee,
    text,
    isErased: row.comment_id !== null && text === null,
    resolution: said,
    evidence,
  };
}
