import type { ReasonRules } from '../../../domain/exceptions/words.ts';
import { nameProblem } from '../../../domain/persons/person.ts';
import type { ExceptionAct } from '../../../store/exceptions.ts';
import {
  FILLED_COLUMNS,
  type FilledColumn,
  type SheetColumn,
  type SheetException,
  type SheetFormat,
} from '../columns.ts';
import { formulaIn, formulaMessage, lockedMessage, shown, versionOf, writtenIn } from './cell-facts.ts';
import { changedLock } from './locked.ts';
import type { Refusal } from './refusal.ts';
import type { SheetRow } from './row.ts';
import { isCurrent, readFilled, type Said } from './said.ts';
import { textIn } from './same.ts';
import { resolutionIn } from './words.ts';

export type ImportAct = ExceptionAct & { readonly act: 'import' };

/** A row that changes its exception, if the state allows it. */
export interface RowChange {
  readonly row: number;
  readonly id: string;
  /** What each column says now, and what it is to say. */
  readonly changes: Partial<Readonly<Record<FilledColumn, readonly [string | null, string | null]>>>;
  readonly act: ImportAct;
}

export interface JudgedRows {
  readonly unchanged: number;
  readonly changed: readonly RowChange[];
  readonly refused: readonly Refusal[];
}

/** What rows are held against. */
export interface SheetJudge {
  readonly format: SheetFormat;
  readonly exceptions: ReadonlyMap<string, SheetException>;
  readonly reasons: ReasonRules;
  readonly by: string;
  /** `yyyy-MM-dd` */
  readonly today: string;
}

/**
 * Judges the rows of a sheet, each by itself, as far as the exceptions alone tell: `unreadable` to `missing` of ROW_REFUSALS. A row
 * without a change is not refused because it is old. Pure.
 */
export function judgeRows(rows: readonly SheetRow[], judge: SheetJudge): JudgedRows {
  const seen = new Map<string, number>();
  const changed: RowChange[] = [];
  const refused: Refusal[] = [];
  for (const row of rows) {
    const verdict = judgeRow(row, judge, seen);
    if (verdict === null) continue;
    if ('act' in verdict) changed.push(verdict);
    else refused.push(verdict);
  }
  return { unchanged: rows.length - changed.length - refused.length, changed, refused };
}

function judgeRow(row: SheetRow, judge: SheetJudge, seen: Map<string, number>): RowChange | Refusal | null {
  const id = textIn(row.cells.id ?? '');
  const refuse = (reason: Refusal['reason'], column: SheetColumn | null, message: string): Refusal => ({
    ...{ row: row.row, id: id === '' ? null : id, reason, column, message },
    ...{ value: column === null ? null : writtenIn(row.cells[column]), who: null, atMs: null },
  });
  const one = judge.exceptions.get(id);
  const { said, fault } = read(row, one);
  if (id === '') return refuse('unreadable', 'id', 'The row has no id: copy it from the export.');
  const first = seen.get(id);
  if (first === undefined) seen.set(id, row.row);
  const version = versionOf(row.cells.version);
  if (version === null) return refuse('unreadable', 'version', 'It is no whole number: copy it from the export.');
  if (fault !== null) return refuse('unreadable', fault.column, `${shown(row.cells[fault.column])} ${fault.what}.`);
  const formula = formulaIn(row, judge.format);
  if (formula !== null) return refuse('formula', formula, formulaMessage(row.cells[formula]));
  if (one === undefined) return refuse('unknown_id', 'id', 'There is no exception of this id: export again.');
  if (first !== undefined) return refuse('duplicate', 'id', `Row ${first} has this id already: delete one of them.`);
  const isChanged = Object.keys(said).length > 0;
  if (version !== one.version) {
    if (!isChanged) return null;
    const message = `It was changed by ${one.changedBy} since the export: it has version ${one.version} now. Export again.`;
    return { ...refuse('stale', 'version', message), who: one.changedBy, atMs: one.changedAtMs };
  }
  const locked = changedLock(row, one, judge.today);
  if (locked !== null) return refuse('locked', locked, lockedMessage(locked, row.cells[locked]));
  if (!isChanged) return null;
  const problem = typeof said.assignee === 'string' ? nameProblem(said.assignee) : null;
  if (problem !== null) return refuse('unknown_word', 'assignee', `The name ${problem}.`);
  const resolve = resolutionIn(said, one, judge.reasons);
  if (resolve !== null && 'reason' in resolve) return refuse(resolve.reason, resolve.column, resolve.message);
  const { assignee, comment, followUp } = said;
  const act: ImportAct = {
    ...{ id, act: 'import', by: judge.by, version },
    ...(resolve !== null && { resolve }),
    ...(assignee !== undefined && { assignee }),
    ...(comment !== undefined && { comment }),
    ...(followUp !== undefined && resolve === null && { followUp }),
  };
  return { row: row.row, id, changes: changesOf(said, one), act };
}

/** What a row says beside what the exception has; or the first cell that cannot be read. */
function read({ cells }: SheetRow, one: SheetException | undefined) {
  const said: { -readonly [Name in keyof Said]: Said[Name] } = {};
  let fault: { readonly column: FilledColumn; readonly what: string } | null = null;
  for (const column of FILLED_COLUMNS) {
    const cell = cells[column];
    if (cell === undefined || (one !== undefined && isCurrent(column, cell, one))) continue;
    const found = readFilled(column, cell);
    if ('fault' in found) fault ??= { column, what: found.fault };
    else if (found.value !== undefined && found.value !== (one?.[FIELDS[column]] ?? null))
      Object.assign(said, { [FIELDS[column]]: found.value });
  }
  return { said: said as Said, fault };
}

const FIELDS = {
  resolution: 'resolution',
  reason_code: 'reasonCode',
  assignee: 'assignee',
  comment: 'comment',
  follow_up: 'followUp',
} as const satisfies Record<FilledColumn, keyof Said>;

function changesOf(said: Said, one: SheetException): RowChange['changes'] {
  return Object.fromEntries(
    FILLED_COLUMNS.flatMap((column) => {
      const to = said[FIELDS[column]];
      return to === undefined ? [] : [[column, [one[FIELDS[column]], to]]];
    }),
  );
}
