import { wholeNextStep } from '../../domain/exceptions/same-difference.ts';
import { daysBetween } from '../../domain/reconciling/business-day.ts';
import type { Exception } from '../../store/exceptions.ts';
import { amountCell, dayCell, type SheetCell, textCell, valueCell, wholeCell } from './cells.ts';

export const SHEET_FORMATS = ['xlsx', 'csv'] as const;
export type SheetFormat = (typeof SHEET_FORMATS)[number];
/** Of an XLSX file; `import` reads this one. */
export const SHEET_NAME = 'exceptions';

/** Cells of a workbook that is written, and of one that is imported: both are in memory as a whole. */
export const MOST_SHEET_CELLS = 2_000_000;

/** What a row of the spreadsheet shows of an exception. */
export type SheetException = Pick<
  Exception,
  | 'id'
  | 'version'
  | 'code'
  | 'reason'
  | 'side'
  | 'reference'
  | 'date'
  | 'currency'
  | 'ours'
  | 'theirs'
  | 'variance'
  | 'effect'
  | 'firstSeen'
  | 'nextStep'
  | 'sameAs'
  | 'status'
  | 'resolution'
  | 'reasonCode'
  | 'assignee'
  | 'comment'
  | 'followUp'
  | 'changedBy'
  | 'changedAtMs'
>;

/** Columns that a person leaves as they are; `age_days` grows by itself. */
export const LOCKED_COLUMNS = [
  'id',
  'version',
  'code',
  'what',
  'side',
  'reference',
  'date',
  'currency',
  'ours',
  'theirs',
  'variance',
  'effect',
  'age_days',
  'next_step',
  'status',
] as const;
/** Columns that a person fills. */
export const FILLED_COLUMNS = ['resolution', 'reason_code', 'assignee', 'comment', 'follow_up'] as const;
export const SHEET_COLUMNS = [...LOCKED_COLUMNS, ...FILLED_COLUMNS] as const;
export type LockedColumn = (typeof LOCKED_COLUMNS)[number];
export type FilledColumn = (typeof FILLED_COLUMNS)[number];
export type SheetColumn = (typeof SHEET_COLUMNS)[number];

/** What stands in `id` of a row of control totals. */
export const TOTAL = 'total';

const CELLS: Readonly<Record<SheetColumn, (one: SheetException, today: string) => SheetCell>> = {
  id: ({ id }) => textCell(id),
  version: ({ version }) => wholeCell(version),
  code: ({ code }) => textCell(code),
  what: ({ reason }) => textCell(reason),
  side: ({ side }) => textCell(side),
  reference: ({ reference }) => textCell(reference),
  date: ({ date }) => dayCell(date),
  currency: ({ currency }) => textCell(currency),
  ours: ({ ours }) => valueCell(ours),
  theirs: ({ theirs }) => valueCell(theirs),
  variance: ({ variance }) => amountCell(variance),
  effect: ({ effect }) => amountCell(effect),
  age_days: ({ firstSeen }, today) => wholeCell(daysBetween(firstSeen, today)),
  next_step: (one) => textCell(wholeNextStep(one)),
  status: ({ status }) => textCell(status),
  resolution: ({ resolution }) => textCell(resolution),
  reason_code: ({ reasonCode }) => textCell(reasonCode),
  assignee: ({ assignee }) => textCell(assignee),
  comment: ({ comment }) => textCell(comment),
  follow_up: ({ followUp }) => dayCell(followUp),
};

/** Returns the cell of an exception in a column; `today` is `yyyy-MM-dd`. */
export function cellOf(column: SheetColumn, one: SheetException, today: string): SheetCell {
  return CELLS[column](one, today);
}
