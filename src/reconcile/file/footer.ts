import type { CellPlace } from '../../domain/statements/statement.ts';
import type { CellRef } from '../profile/columns.ts';
import type { Profile } from '../profile/load.ts';
import type { Cell } from './cell.ts';
import { cellText } from './cell.ts';
import type { Columns } from './columns.ts';
import { dateReader } from './dates.ts';
import { numberReader } from './number.ts';
import { StatementFileError } from './problem.ts';
import { isFault, type ReadRow, type RowReader, rowReader } from './row-reader.ts';
import { cellsOf, type NumberedRow, type Table } from './table.ts';
import { looksLikeDay } from './usual-dates.ts';

/** What the cells outside the table say; null where the profile names none. */
export interface StatedTotals {
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly rows: bigint | null;
  readonly sum: bigint | null;
  /** Where it says the totals that are checked. */
  readonly cells: { readonly [Name in 'closing' | 'rows' | 'sum']: CellPlace | null };
  readonly covers: { readonly from: string | null; readonly to: string | null };
  /** The currency of these amounts; null when there are none. */
  readonly currency: string | null;
}

/**
 * Throws StatementFileError when a row of the footer reads as a line, or has a date of another form, or a time, and an amount: it would
 * be lost without a word. A row in which the profile names a cell is a footer by its word.
 */
export function refuseLineInFooter(
  file: string,
  profile: Profile,
  footer: readonly NumberedRow[],
  reads: { readonly line: RowReader; readonly lineLike: RowReader },
): void {
  const named = new Set(cellsOf(profile).map(({ row }) => row));
  for (const [index, { row, number }] of footer.entries()) {
    if (named.has(number) || named.has(index - footer.length)) continue;
    const line = reads.line(row);
    if (isFault(line) ? isFault(reads.lineLike(row)) : isTotal(line, profile)) continue;
    const says = isFault(line)
      ? `has a date and an amount${line.column === null ? '' : ` (${line.column} ${line.reason})`}`
      : `reads as a line of ${line.said.date}`;
    throw new StatementFileError(
      file,
      { row: number, value: row.map(cellText).join(' | ') },
      `${says}, and file.footer: ${footer.length} says that it is none`,
      'Is the footer missing? Mend the file, or file.footer in the profile. If the row is a total, name its cell in balance or controls.',
    );
  }
}

/** Whether a row that reads as a line is a total: the profile does not know its type, and it has no reference. */
function isTotal({ said }: ReadRow, { columns }: Profile): boolean {
  return columns.type !== undefined && said.type === null && said.reference === null;
}

/** Returns the reader of rows that may be lines: with a date of any form, and with nothing but an amount and a currency. */
export function lineLikeReader(profile: Profile, columns: Columns): RowReader {
  const { date, currency } = profile.columns;
  const { fee: _fee, tax: _tax, duty: _duty, gross: _gross, net: _net, ...plain } = profile;
  const read = rowReader({ ...plain, columns: { date, currency }, dateFormat: 'yyyy-MM-dd', balance: {} }, columns);
  const { index } = columns.of(date);
  return (row) => {
    const cell = row[index] ?? '';
    const isDay = typeof cell === 'string' ? looksLikeDay(cell.trim()) : cell.kind === 'date';
    return read(isDay ? row.with(index, ANY_DAY) : row);
  };
}

const ANY_DAY = '2000-01-01';

/** Reads the cells outside the table. Throws StatementFileError for one that is not there, or has no number or day. */
export function statedTotals(
  file: string,
  profile: Profile,
  table: Table,
  currencies: readonly string[],
): StatedTotals {
  const number = numberReader(profile.number);
  const count = numberReader({ ...profile.number, unit: 'minor' });
  const dates = dateReader(profile.dateFormat ?? null, profile.zone);
  function stated<Value>(
    ref: CellRef | undefined,
    name: string,
    read: (cell: Cell) => Value | null | string,
  ): Value | null {
    if (ref === undefined) return null;
    const { cell, row, column } = table.cell(ref);
    const value = read(cell);
    if (value !== null && typeof value !== 'string') return value;
    const what =
      value === null
        ? `is empty, and the profile says that ${name} is here`
        : `is ${name} by the profile, and ${value}`;
    const cure = `Is the row where the profile says? Mend ${name} in the profile; the cell must carry nothing else.`;
    throw new StatementFileError(file, { row, column, value: cellText(cell) }, what, cure);
  }
  const { balance, controls, covers } = profile;
  const place = (ref: CellRef | undefined): CellPlace | null => {
    if (ref === undefined) return null;
    const { row, column } = table.cell(ref);
    return { row, column };
  };
  const day = (ref: CellRef | undefined, name: string) => stated(ref, name, (cell) => dates.day(cell))?.date ?? null;
  const money = {
    opening: stated(balance.opening, 'balance.opening', number),
    closing: stated(balance.closing, 'balance.closing', number),
    sum: stated(controls.sum, 'controls.sum', number),
  };
  const hasMoney = Object.values(money).some((value) => value !== null);
  const currency = profile.currency ?? (currencies.length === 1 ? (currencies[0] ?? null) : null);
  if (hasMoney && currency === null) {
    const what =
      currencies.length === 0
        ? 'has balances or sums, and no line that says their currency'
        : `has lines in ${currencies.join(', ')}, and its balances and sums name no currency`;
    throw new StatementFileError(
      file,
      {},
      what,
      'Set currency in the profile: it is the currency of the cells outside the table.',
    );
  }
  const rows = stated(controls.rows, 'controls.rows', count);
  return {
    ...money,
    rows,
    cells: { closing: place(balance.closing), rows: place(controls.rows), sum: place(controls.sum) },
    covers: { from: day(covers.from, 'covers.from'), to: day(covers.to, 'covers.to') },
    currency: hasMoney ? currency : null,
  };
}
