import { parse } from 'csv-parse/sync';

/** A line as a reader of the file sees it; amounts in hundred-millionths, dates as `yyyy-MM-dd`. */
export interface ReadLine {
  readonly row: number;
  readonly date: string;
  readonly type: string;
  readonly reference: string;
  readonly group: string;
  readonly amount: bigint;
  readonly gross: bigint | null;
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly balance: bigint | null;
}

export interface ReadFile {
  readonly lines: ReadLine[];
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly rows: number | null;
  readonly sum: bigint | null;
  readonly from: string | null;
  readonly to: string | null;
}

type Place = string | number;
interface Outside {
  readonly row: number;
  readonly column: number;
}
interface Profile {
  readonly file: {
    encoding: string;
    delimiter: string;
    quote: string;
    skipRows: number;
    header: boolean;
    footer: number;
  };
  readonly columns: Readonly<Record<string, Place>>;
  readonly dateFormat: string;
  readonly amount: {
    signed?: Place;
    debitCredit?: { debit: Place; credit: Place };
    unsigned?: Place;
    sign?: { column: Place; debit: string[]; credit: string[] };
  };
  readonly number: { decimal: string; group?: string; unit: string; negative: string };
  readonly gross?: Place;
  readonly fee?: Place;
  readonly tax?: Place;
  readonly types: Readonly<Record<string, string>>;
  readonly balance?: { running?: Place; opening?: Outside; closing?: Outside };
  readonly controls?: { rows?: Outside; sum?: Outside };
  readonly covers?: { from?: Outside; to?: Outside };
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Reads a CSV statement by its profile alone, but for the rows in `skipped`. Throws for what the profile does not say. */
export function readByProfile(bytes: Uint8Array, untyped: unknown, skipped: readonly number[] = []): ReadFile {
  const profile = untyped as Profile;
  const { file, columns, number, balance, controls, covers } = profile;
  const text = new TextDecoder(file.encoding, { fatal: true }).decode(bytes);
  const table: string[][] = parse(text, { delimiter: file.delimiter, quote: file.quote, relaxColumnCount: true });
  const headerRow = file.skipRows + 1;
  const header = file.header ? (table[headerRow - 1] ?? []) : [];
  const first = file.header ? headerRow + 1 : headerRow;
  const cellAt = (cells: readonly string[], place: Place | undefined): string => {
    if (place === undefined) return '';
    const position = typeof place === 'number' ? place - 1 : header.indexOf(place);
    const cell = cells[position];
    if (position < 0 || cell === undefined) throw new Error(`no column ${place}`);
    return cell;
  };
  const outside = <Value>(place: Outside | undefined, read: (cell: string) => Value): Value | null =>
    place === undefined ? null : read(table.at(place.row < 0 ? place.row : place.row - 1)?.[place.column - 1] ?? '');
  const amount = (cell: string) => readNumber(cell, number);
  const optional = (cells: readonly string[], place: Place | undefined) => {
    const cell = cellAt(cells, place);
    return cell === '' ? null : amount(cell);
  };
  const moved = (cells: readonly string[]): bigint => {
    const { signed, debitCredit, unsigned, sign } = profile.amount;
    if (signed !== undefined) return amount(cellAt(cells, signed));
    if (debitCredit) {
      const [debit, credit] = [optional(cells, debitCredit.debit), optional(cells, debitCredit.credit)];
      if ((debit === null) === (credit === null)) throw new Error('debit and credit');
      return (credit ?? 0n) - (debit ?? 0n);
    }
    const word = cellAt(cells, sign?.column);
    if (!sign?.debit.includes(word) && !sign?.credit.includes(word)) throw new Error(`sign ${word}`);
    return amount(cellAt(cells, unsigned)) * (sign.debit.includes(word) ? -1n : 1n);
  };
  const numbered = table.slice(first - 1, table.length - file.footer).map((cells, position) => ({
    cells,
    row: first + position,
  }));
  const kept = numbered.filter(({ row }) => !skipped.includes(row));
  const lines = kept.map(({ cells, row }) => {
    const word = cellAt(cells, columns.type);
    const type = profile.types[word];
    if (type === undefined) throw new Error(`word ${word}`);
    return {
      row,
      date: readDate(cellAt(cells, columns.date), profile.dateFormat),
      type,
      reference: cellAt(cells, columns.reference),
      group: cellAt(cells, columns.group),
      amount: moved(cells),
      gross: optional(cells, profile.gross),
      fee: optional(cells, profile.fee),
      tax: optional(cells, profile.tax),
      balance: optional(cells, balance?.running),
    };
  });
  return {
    lines,
    opening: outside(balance?.opening, amount),
    closing: outside(balance?.closing, amount),
    rows: outside(controls?.rows, Number),
    sum: outside(controls?.sum, amount),
    from: outside(covers?.from, (cell) => readDate(cell, profile.dateFormat)),
    to: outside(covers?.to, (cell) => readDate(cell, profile.dateFormat)),
  };
}

function readNumber(cell: string, { decimal, group, unit, negative }: Profile['number']): bigint {
  const signs = { minus: /^-(.*)$/, parentheses: /^\((.*)\)$/, trailing: /^(.*)-$/ }[negative];
  const inside = signs?.exec(cell)?.[1];
  const [whole = '', fraction = ''] = (inside ?? cell).split(decimal);
  const digits = group === undefined ? whole : whole.replaceAll(group, '');
  if (!/^\d+$/.test(digits) || !/^\d*$/.test(fraction)) throw new Error(`number ${cell}`);
  if (group !== undefined && digits.length > 3 && !whole.includes(group)) throw new Error(`no groups in ${cell}`);
  const value = unit === 'minor' ? BigInt(digits) * 1_000_000n : BigInt(digits + fraction.padEnd(8, '0'));
  return inside === undefined ? value : -value;
}

function readDate(cell: string, format: string): string {
  const form = format
    .replace('yyyy', '(?<y>\\d{4})')
    .replace('MMM', '(?<n>[A-Z][a-z]{2})')
    .replace('MM', '(?<m>\\d{2})');
  const groups = new RegExp(`^${form.replace('dd', '(?<d>\\d{2})')}$`).exec(cell)?.groups;
  if (!groups) throw new Error(`date ${cell}`);
  const month = groups.m ?? String(MONTHS.indexOf(groups.n ?? '?') / 3 + 1).padStart(2, '0');
  return `${groups.y}-${month}-${groups.d}`;
}
