import { didYouMean } from '../../config/did-you-mean.ts';
import { type ColumnRef, columnPlaces, isOutside } from '../profile/columns.ts';
import type { Profile } from '../profile/load.ts';
import { cellText, type Row } from './cell.ts';
import { StatementFileError, shownValue } from './problem.ts';

/** A column of a file that its profile names. */
export interface Column {
  /** From 0. */
  readonly index: number;
  /** As in the file, or its number; for messages. */
  readonly name: string;
}

export interface Columns {
  readonly of: (ref: ColumnRef) => Column;
  /** The same for a cell outside the table: a number may be beyond its last column. */
  readonly outside: (ref: ColumnRef) => Column;
  /** Cells of the header; null without one, and in a workbook, where a row ends with its last filled cell. */
  readonly width: number | null;
  /** Throws StatementFileError for a column that the file has not: of a workbook it is known at its end how many it has. */
  readonly refuseBeyond: (last: number) => void;
  /** Columns without a name beside one that the profile names: a merged header covers both. */
  readonly unnamed: readonly { readonly index: number; readonly left: Column }[];
}

/**
 * Finds the columns that a profile names in the header of a file.
 *
 * @throws StatementFileError for a name that is missing, or that two columns have
 */
export function columnsIn(
  file: string,
  profile: Profile,
  header: { readonly row: Row; readonly number: number } | null,
): Columns {
  const names = header === null ? [] : header.row.map((cell) => cellText(cell));
  const place = header === null ? {} : { row: header.number };
  const isWorkbook = profile.file.format === 'xlsx';
  const width = header === null || isWorkbook ? null : names.length;
  function find(given: ColumnRef, most: number | null): Column {
    // A number that was a guess keeps its quotes when it is confirmed.
    const isNumber = typeof given === 'string' && /^\d{1,5}$/.test(given) && !names.includes(given);
    const ref = isNumber ? Number(given) : given;
    if (typeof ref === 'number') {
      if (most !== null && ref > most)
        throw new StatementFileError(file, { ...place, column: String(ref) }, `is column ${ref} of ${most}`, CURE);
      return { index: ref - 1, name: names[ref - 1] || String(ref) };
    }
    const index = names.indexOf(ref);
    const again = names.indexOf(ref, index + 1);
    if (index < 0) throw missing(file, place, ref, names);
    if (again < 0) return { index, name: ref };
    const what = `is the header of columns ${index + 1} and ${again + 1}`;
    throw new StatementFileError(
      file,
      { ...place, column: ref, value: ref },
      what,
      'Name the column by its number in the profile.',
    );
  }
  const places = columnPlaces(profile);
  const named = places.map(({ column }) => column as ColumnRef);
  const used = places.map((one) => find(one.column as ColumnRef, isOutside(one) ? null : width));
  const unnamed = used
    .filter(
      ({ index }) =>
        (names[index + 1] ?? (isWorkbook ? '' : null)) === '' && !used.some((one) => one.index === index + 1),
    )
    .filter((column) => named.includes(column.name))
    .map((left) => ({ index: left.index + 1, left }));
  const refuseBeyond = (last: number) => {
    for (const one of header === null ? [] : places) if (!isOutside(one)) find(one.column as ColumnRef, last);
  };
  return { of: (ref) => find(ref, width), outside: (ref) => find(ref, null), width, refuseBeyond, unnamed };
}

/** Returns the columns of a line that a profile names. */
export function columnsOfRow(profile: Profile, columns: Columns): readonly Column[] {
  return columnPlaces(profile)
    .filter((place) => !isOutside(place))
    .map(({ column }) => columns.of(column as ColumnRef));
}

/**
 * Returns the cells that tell a row from others when it cannot be read: those of the columns that a line's fingerprint counts, so
 * that the same row of two exports is one.
 */
export function namingCells(profile: Profile, columns: Columns): (row: Row) => Row {
  const indexes = columnPlaces(profile)
    .filter((place) => !isOutside(place) && !CHECKING.has(place.path.join('.')))
    .map(({ column }) => columns.of(column as ColumnRef).index);
  return (row) => indexes.map((index) => row[index] ?? '');
}

/** What only checks a line. */
const CHECKING = new Set(['balance.running', 'net']);

const CURE = 'Mend columns in the profile, or file.skipRows when the header is in another row.';

function missing(
  file: string,
  place: { readonly row?: number },
  name: string,
  names: readonly string[],
): StatementFileError {
  const shown = names.slice(0, 20).map((one) => (one === '' ? '(empty)' : shownValue(one)));
  const meant = didYouMean(
    name,
    names.filter((one) => one !== ''),
  );
  const suggestion = meant === undefined ? '' : ` Did you mean ${shownValue(meant)}?`;
  const nul = names.some((one) => one.includes('\0')) ? ' The text has NUL characters: is file.encoding utf-16le?' : '';
  const single =
    names.length === 1 && /[,;\t|]/.test(names[0] ?? '') ? ' The row is one cell: is file.delimiter right?' : '';
  const what = `has no column ${shownValue(name)}; it has ${shown.join(', ') || 'no cells'}`;
  return new StatementFileError(file, { ...place, column: name }, what, `${CURE}${suggestion}${single}${nul}`);
}

/** Throws StatementFileError when a column without a name has values: which of the two has the amount is not known. */
export function refuseMergedHeader(file: string, columns: Columns, row: Row, headerRow: number): void {
  for (const { index, left } of columns.unnamed) {
    const value = cellText(row[index]);
    if (value === '') continue;
    const what = `is the header of column ${left.index + 1}, and column ${index + 1} beside it has values and no header: the header cells are merged`;
    throw new StatementFileError(
      file,
      { row: headerRow, column: left.name, value },
      what,
      'Unmerge the header cells, or name the column by its number in the profile.',
    );
  }
}
