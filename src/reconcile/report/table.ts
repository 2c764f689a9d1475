import type { Environment } from '../../domain/environment.ts';
import { isZero, sumOf } from './decimal.ts';

/*
 * What a table of a report is, said once. Four writers show every table, and know none: the terminal, CSV, XLSX and the page; the
 * fifth form, JSON, is the report itself, of which the rows are parts. A table is made without its writer, and a writer reads
 * nothing but this.
 */

/**
 * What the cells of a column are. `amount` and `effect` are exact decimal text; an `effect` moves a balance, and a page writes its
 * plus. A `value` is money in some rows and a word in others. A `rate` is per cent; null: nothing was due. A `day` is `yyyy-MM-dd`.
 */
export type ColumnType = 'text' | 'day' | 'amount' | 'effect' | 'value' | 'rate' | 'count' | 'digest';

export type Value = string | number | null;

/** The columns of the one table that CSV is. */
export const CSV_COLUMNS = [
  ...['environment', 'account', 'currency', 'item', 'detail', 'date', 'count', 'open', 'ours', 'theirs', 'difference'],
  ...[
    'variance',
    'effect',
    'amount',
    'effect_outside',
    'reference',
    'since',
    'status',
    'resolution',
    'reason_code',
    'same_as',
  ],
  ...['follow_up', 'kind', 'from', 'to', 'unreadable', 'broken', 'not_stated'],
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

export interface Column<Row> {
  /** Null: of CSV alone. */
  readonly heading: string | null;
  readonly type: ColumnType;
  value(row: Row): Value;
  /** What a person reads instead of the value. */
  words?(row: Row): string | null;
  /** `name`: it names its row, and the word of a total stands there. The others say of which environment, account and currency it is. */
  readonly as?: 'name' | 'environment' | 'account' | 'currency';
  /** Whether it has a total. */
  readonly adds?: boolean;
  /** Where it stands in CSV; missing: nowhere. */
  readonly csv?: CsvColumn;
  /** Of a row that is several lines of CSV: the word of the line. */
  readonly line?: string;
  /** Only on a sheet, which has room. */
  readonly isDetail?: boolean;
  /** A page has a link in its place. */
  readonly isLinked?: boolean;
  /** Left out where it is null or zero in every row. */
  readonly isRare?: boolean;
  /** On a terminal that is too narrow the columns with the highest number are left out first. */
  readonly leaveOut?: number;
  /** In characters, on a sheet. */
  readonly width?: number;
  /** What a page marks: `bad` needs attention. */
  mark?(row: Row): 'good' | 'bad' | undefined;
  /** The id on the page of what the figure is made of. */
  to?(row: Row): string | undefined;
}

export interface Table<Row> {
  /** Of the sheet, at most 31 characters; its id on the page is made of it. */
  readonly name: string;
  readonly title: string;
  /** The section of CSV; missing: it is not there. */
  readonly csv?: string;
  /** Which column of CSV has the word of a line, where a row is several. */
  readonly csvLine?: 'item' | 'detail';
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Whether each environment and currency has a total. */
  readonly hasTotals?: boolean;
  /** Each account or currency has a table of its own: on a `page`, or for `people`, on a terminal, too. */
  readonly parts?: 'page' | 'people';
  /** The title of a part; missing: the title and the name of its place. */
  titleOf?(place: string): string;
  /** The id of a part on the page; missing: made of the name. */
  idOf?(rows: readonly Row[]): string;
  /** A row in which nothing moved: a page and a terminal leave it out. */
  isMinor?(row: Row): boolean;
  /** A row that adds up or explains the others: a page sets it apart. */
  isSum?(row: Row): boolean;
  /** A row for each day: a page folds it, a terminal leaves it out. */
  readonly isDaily?: boolean;
  chart?(rows: readonly Row[]): Chart;
  /** What a person must know beside the figures. */
  note?(rows: readonly Row[]): string | null;
}

/** Some tables under one heading. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** Where to look further: a command. */
  readonly command?: string;
  readonly tables: readonly Table<unknown>[];
  /** What stands there without any table. */
  readonly nothing: string;
}

/** The figures of a table to be drawn. Amounts are decimal text. */
export type Chart =
  | { readonly as: 'waterfall'; readonly steps: readonly Step[] }
  | { readonly as: 'days' | 'rates'; readonly days: readonly DayValue[] }
  | ({ readonly as: 'bars' } & Bars);

/** A bar of a waterfall: a `balance` stands on zero; a `movement` adds to what is before it; a `gap` does too, and needs an explanation. */
export interface Step {
  readonly name: string;
  readonly amount: string;
  readonly as: 'balance' | 'movement' | 'gap';
}

export interface DayValue {
  /** `yyyy-MM-dd` */
  readonly day: string;
  /** Decimal text; null: there is none of that day. */
  readonly value: string | null;
  /** The value in words. */
  readonly shown: string;
}

export interface Bars {
  /** What the parts of a bar are, at most four. */
  readonly parts: readonly string[];
  /** `state`: open and resolved; `age`: the older, the darker. */
  readonly colours: 'state' | 'age';
  readonly rows: readonly Bar[];
}

export interface Bar {
  readonly name: string;
  readonly parts: readonly { readonly size: number; readonly shown: string }[];
  readonly total: string;
}

type More<Row> = Partial<Omit<Column<Row>, 'heading' | 'type' | 'value'>>;
type Maker<Kind> = <Row>(heading: string, value: (row: Row) => Kind, more?: More<Row>) => Column<Row>;

function maker<Kind extends Value>(type: ColumnType, all: More<never> = {}): Maker<Kind> {
  return (heading, value, more) => ({ heading, type, value, ...(all as object), ...more });
}

export const text = maker<string | null>('text');
/** The words by which a row is known. */
export const name = maker<string | null>('text', { as: 'name' });
export const day = maker<string | null>('day');
export const amount = maker<string | null>('amount', { adds: true });
export const effect = maker<string | null>('effect', { adds: true });
export const value = maker<string | null>('value');
export const rate = maker<string | null>('rate');
export const count = maker<number>('count', { adds: true });
export const digest = maker<string>('digest');

/** What only CSV has. */
export function onlyCsv<Row>(csv: CsvColumn, value: (row: Row) => Value, type: ColumnType = 'text'): Column<Row> {
  return { heading: null, type, value, csv };
}

export interface Book {
  readonly environment: Environment;
  readonly account?: string | null;
  readonly currency?: string | null;
}

/** Of which environment, account and currency a row is; people read the environment where a report (`only`: null) has both. */
export function book<Row extends Book>(
  only: Environment | null,
  ...names: readonly ('account' | 'currency')[]
): Column<Row>[] {
  const environment = onlyCsv<Row>('environment', (row) => row.environment);
  return [
    only === null ? { ...environment, heading: 'Environment', as: 'environment', width: 13 } : environment,
    ...names.map((one) =>
      text<Row>(one === 'account' ? 'Account' : 'Currency', (row) => row[one] ?? null, {
        ...{ as: one, csv: one, width: one === 'account' ? 22 : 10 },
        words: (row) => row[one] ?? `no ${one}`,
      }),
    ),
  ];
}

/** `wallet-main, NGN`; with its environment in a report of both; without `account` the currency alone. */
export function bookName({ environment, account, currency }: Book, only: Environment | null): string {
  const names = [
    account === null ? 'no account' : (account ?? null),
    currency ?? 'no currency',
    only === null ? environment : null,
  ];
  return names.filter((name) => name !== null).join(', ');
}

/** What stands in a column of a row, or of a total. */
export interface Cell {
  readonly type: ColumnType;
  readonly value: Value;
  /** For people, instead of the value; null: the value. */
  readonly words: string | null;
  readonly mark?: 'good' | 'bad' | undefined;
  readonly to?: string | undefined;
}

export function cellOf<Row>(column: Column<Row>, row: Row): Cell {
  const { type } = column;
  const cell = { type, value: column.value(row), words: column.words?.(row) ?? null };
  return column.mark === undefined && column.to === undefined
    ? cell
    : { ...cell, mark: column.mark?.(row), to: column.to?.(row) };
}

const NOTHING: Cell = { type: 'text', value: null, words: null };

/** The columns that people read: on a sheet all that have a heading. */
export function columnsFor<Row>({ columns, rows }: Table<Row>, on: 'sheet' | 'terminal' | 'page'): Column<Row>[] {
  return columns.filter(
    (column) =>
      column.heading !== null &&
      (on === 'sheet' || column.isDetail !== true) &&
      (on !== 'page' || column.isLinked !== true) &&
      (column.isRare !== true || rows.some((row) => !isNothing(column.value(row)))),
  );
}

function isNothing(value: Value): boolean {
  return value === null || value === 0 || (typeof value === 'string' && isZero(value));
}

/** The totals of some columns: a row for each environment and currency, one without a currency last. */
export function totalsOf<Row>({ rows, hasTotals }: Table<Row>, columns: readonly Column<Row>[]): Cell[][] {
  if (hasTotals !== true) return [];
  const places = columns.filter(({ as }) => as === 'environment' || as === 'currency');
  const keyOf = (row: Row) => JSON.stringify(places.map((one) => one.value(row)));
  const groups = [...Map.groupBy(rows, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const [first] = columns;
  const named =
    first?.as === undefined && first?.type === 'text'
      ? first
      : (columns.find(({ as }) => as === 'name') ?? columns.find((one) => !places.includes(one)));
  return groups.map(([, group]) =>
    columns.map((column) => {
      if (column === named && column.adds !== true) return { ...NOTHING, value: 'Total' };
      if (places.includes(column)) return { ...cellOf(column, group[0] as Row), to: undefined };
      return column.adds === true ? totalOf(column, group) : NOTHING;
    }),
  );
}

function totalOf<Row>(column: Column<Row>, rows: readonly Row[]): Cell {
  const values = rows.map((row) => column.value(row));
  const amounts = values.filter((one) => typeof one === 'string');
  if (amounts.length > 0) return { type: column.type, value: sumOf(amounts), words: null };
  const counts = values.filter((one) => typeof one === 'number');
  if (counts.length === 0) return NOTHING;
  return { type: 'count', value: counts.reduce((sum, one) => sum + one, 0), words: null };
}

/** A table that is shown by itself; `id`: on a page, of one of several. */
export interface ShownTable<Row> extends Table<Row> {
  readonly id?: string | undefined;
}

/** The table, or a table of each place, which then is part of the title and of no column. */
export function partsOf<Row>(table: Table<Row>, on: 'page' | 'terminal'): ShownTable<Row>[] {
  const { name, parts, rows, columns } = table;
  if (parts === undefined || (parts === 'page' && on === 'terminal')) return [table];
  const isPlace = ({ as, heading }: Column<Row>) => heading !== null && as !== undefined && as !== 'name';
  const places = columns.filter(isPlace).sort((one, other) => orderOf(one) - orderOf(other));
  const nameOf = (row: Row) => places.map((one) => one.words?.(row) ?? one.value(row)).join(', ');
  return [...Map.groupBy(rows, nameOf)].map(([place, own], at) => ({
    ...{ ...table, rows: own, columns: columns.filter((one) => !isPlace(one)) },
    id: table.idOf?.(own) ?? `${name.toLowerCase().replaceAll(' ', '-')}-${at + 1}`,
    title: table.titleOf?.(place) ?? `${table.title}, ${place}`,
  }));
}

/** Account and currency, then the environment. */
function orderOf({ as }: Column<never>): number {
  return ['account', 'currency', 'environment'].indexOf(as ?? '');
}
