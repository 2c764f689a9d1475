import { RESOLUTIONS, type ReasonRules } from '../../domain/exceptions/words.ts';
import { type SheetCell, textCell } from './cells.ts';
import {
  cellOf,
  LOCKED_COLUMNS,
  MOST_SHEET_CELLS,
  SHEET_COLUMNS,
  SHEET_NAME,
  type SheetColumn,
  type SheetException,
  type SheetFormat,
} from './columns.ts';
import { csvFile } from './csv.ts';
import { totalCells } from './totals.ts';
import { WorkbookTooLargeError, workbook } from './workbook.ts';
import type { WorkbookSheet } from './workbook-sheet.ts';

/** Exceptions for a person to work through in a spreadsheet. */
export interface SheetContent {
  /** In the order of the rows. */
  readonly exceptions: readonly SheetException[];
  /** `yyyy-MM-dd`, for the ages. */
  readonly today: string;
  /** The words to choose from. */
  readonly reasons: ReasonRules;
}

const WORDS = 'words';

/** Returns the file. @throws WorkbookTooLargeError */
export async function sheetFile(content: SheetContent, format: SheetFormat): Promise<Buffer> {
  if (format === 'csv') return Buffer.from(csvFile(SHEET_COLUMNS, [...rowsOf(content), ...totalsOf(content)]));
  return workbook([exceptionsSheet(content), wordsSheet(content.reasons)], CURE);
}

const CURE = 'Export CSV (--format csv), or fewer with a filter such as --period, --code or --min-value.';

/** Refuses so many exceptions before they are read. @throws WorkbookTooLargeError */
export function refuseTooMany(exceptions: number, format: SheetFormat): void {
  const cells = SHEET_COLUMNS.length * (exceptions + 1);
  if (format === 'xlsx' && cells > MOST_SHEET_CELLS) throw new WorkbookTooLargeError(cells, CURE);
}

function rowsOf({ exceptions, today }: SheetContent): SheetCell[][] {
  return exceptions.map((one) => SHEET_COLUMNS.map((column) => cellOf(column, one, today)));
}

function totalsOf({ exceptions }: SheetContent): SheetCell[][] {
  return totalCells(exceptions).map((cells) => SHEET_COLUMNS.map((column) => cells[column] ?? null));
}

/** In characters; what is longer shows when its column is widened. */
const WIDTHS: Readonly<Record<SheetColumn, number>> = {
  ...{ id: 28, version: 8, code: 20, what: 60, side: 8, reference: 26, date: 11, currency: 9 },
  ...{ ours: 15, theirs: 15, variance: 15, effect: 15, age_days: 9, next_step: 50, status: 10 },
  ...{ resolution: 12, reason_code: 18, assignee: 18, comment: 40, follow_up: 11 },
};

function exceptionsSheet(content: SheetContent): WorkbookSheet {
  const locked: readonly string[] = LOCKED_COLUMNS;
  const choices: Partial<Record<SheetColumn, string>> = {
    resolution: `${WORDS}!$A$2:$A$${CHOSEN.length + 1}`,
    reason_code: `${WORDS}!$B$2:$B$${Math.max(Object.keys(content.reasons).length, 1) + 1}`,
  };
  return {
    name: SHEET_NAME,
    columns: SHEET_COLUMNS.map((column) => ({
      header: column,
      width: WIDTHS[column],
      isLocked: locked.includes(column),
      ...(!locked.includes(column) && { typing: column === 'follow_up' ? ('day' as const) : ('text' as const) }),
      ...(choices[column] !== undefined && { choices: choices[column] }),
    })),
    rows: rowsOf(content),
    hasFilter: true,
    totals: totalsOf(content),
  };
}

/** The others name lines of a statement: they are commands of their own. */
const CHOSEN = RESOLUTIONS.filter((one) => one !== 'match' && one !== 'undo_match');

function wordsSheet(reasons: ReasonRules): WorkbookSheet {
  const codes = Object.entries(reasons);
  const rows = Array.from({ length: Math.max(CHOSEN.length, codes.length) }, (_, index) => {
    const [code, rule] = codes[index] ?? [];
    const goesWith = rule === undefined ? null : (rule.resolution ?? 'any');
    return [textCell(CHOSEN[index] ?? null), textCell(code ?? null), textCell(goesWith), needsCell(rule?.needs)];
  });
  const columns = [
    { header: 'resolution', width: 14 },
    { header: 'reason_code', width: 24 },
    { header: 'goes with', width: 14 },
    { header: 'needs', width: 34 },
  ];
  return { name: WORDS, columns: columns.map((column) => ({ ...column, isLocked: true })), rows };
}

function needsCell(needs: readonly string[] | undefined): SheetCell {
  return needs === undefined || needs.length === 0 ? null : textCell(needs.join(', '));
}
