import type { Environment } from '../../../domain/environment.ts';
import { amountCell, type SheetCell, textCell, wholeCell } from '../../sheet/cells.ts';
import { sumOf } from '../decimal.ts';

// The parts of a report as tables of typed cells, for a terminal and for the sheets of a workbook.

export interface Section {
  /** Of the sheet; at most 31 characters. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly SectionColumn[];
  readonly rows: readonly (readonly SheetCell[])[];
  readonly totals: readonly (readonly SheetCell[])[];
}

export interface SectionColumn {
  readonly header: string;
  /** In characters, on a sheet. */
  readonly width: number;
}

/** A column of rows. `adds`: it has a total for each currency. `names`: the word of a total stands there. */
export interface Column<Row> extends SectionColumn {
  readonly cell: (row: Row) => SheetCell;
  readonly role?: 'adds' | 'names';
}

interface Named {
  readonly environment: Environment;
  readonly currency?: string | null;
}

export function text<Row>(header: string, width: number, value: (row: Row) => string | null): Column<Row> {
  return { header, width, cell: (row) => textCell(value(row)) };
}

/** The first words of a row. */
export function name<Row>(header: string, width: number, value: (row: Row) => string | null): Column<Row> {
  return { ...text(header, width, value), role: 'names' };
}

export function count<Row>(header: string, value: (row: Row) => number): Column<Row> {
  return { header, width: Math.max(10, header.length + 2), cell: (row) => wholeCell(value(row)), role: 'adds' };
}

export function amount<Row>(header: string, value: (row: Row) => string | null): Column<Row> {
  return { header, width: Math.max(18, header.length + 2), cell: (row) => amountCell(value(row)), role: 'adds' };
}

/** Of accounts without a balance proof. */
export const EFFECT_OUTSIDE = 'Outside the proof';

const CURRENCY = 'Currency';

export function currency<Row extends { readonly currency: string | null }>(): Column<Row> {
  return text(CURRENCY, 10, (row) => row.currency ?? 'none');
}

const ENVIRONMENT = 'Environment';

/** Null: the report is of one environment, and every row of it. */
export function environment<Row extends Named>(only: Environment | null): Column<Row>[] {
  return only === null ? [text(ENVIRONMENT, 13, (row) => row.environment)] : [];
}

/** A table of rows, with totals by environment and currency where there are columns to add. */
export function section<Row extends Named>(
  { name, title, totals = true }: { readonly name: string; readonly title: string; readonly totals?: boolean },
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Section {
  const groups = [...Map.groupBy(rows, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    name,
    title,
    columns: columns.map(({ header, width }) => ({ header, width })),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    totals: totals ? groups.map(([, group]) => columns.map((column) => totalCell(column, group))) : [],
  };
}

/** A name that sorts, one without a currency last. */
function keyOf({ environment, currency = null }: Named): string {
  return JSON.stringify([environment, currency === null ? 1 : 0, currency]);
}

function totalCell<Row extends Named>({ header, cell, role }: Column<Row>, rows: readonly Row[]): SheetCell {
  const [first] = rows;
  if (role === 'names') return textCell('total');
  if (first !== undefined && (header === CURRENCY || header === ENVIRONMENT)) return cell(first);
  if (role !== 'adds') return null;
  const cells = rows.map(cell);
  const amounts = cells.flatMap((one) => (one?.kind === 'amount' ? [one.text] : []));
  if (amounts.length > 0) return amountCell(sumOf(amounts));
  const counts = cells.flatMap((one) => (one?.kind === 'whole' ? [one.value] : []));
  return counts.length === 0 ? null : wholeCell(counts.reduce((sum, one) => sum + one, 0));
}
