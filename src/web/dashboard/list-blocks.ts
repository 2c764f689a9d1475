import type { ListColumn, ListColumnType } from '../../lists/column.ts';
import type { Count } from '../../store/records.ts';
import { addressOf, numberIn } from './asked.ts';
import type { Block, PagesBlock, Shown, TableBlock, TableColumn, TableRow, Tone } from './page.ts';

// Lists of the command line as tables of a page, and the way through one that is longer than a page.

export interface ListTableParts<Row> {
  readonly id: string;
  readonly caption: string;
  readonly empty: TableBlock['empty'];
  /** The names of columns that are links, each to where. */
  readonly links?: Readonly<Record<string, (row: Row) => string | undefined>>;
  /** Names of columns that the page leaves out, because its heading says them. */
  readonly without?: readonly string[];
  /** The column that names its row; missing: the first that is a link, else the first. */
  readonly head?: string;
  readonly chooses?: TableBlock['chooses'];
  readonly choice?: (row: Row) => TableRow['choice'];
  readonly tone?: (row: Row) => Tone | undefined;
  readonly more?: (row: Row) => readonly Block[] | undefined;
  readonly note?: string | undefined;
}

/** A list as a table. */
export function listTable<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  parts: ListTableParts<Row>,
): TableBlock {
  const { id, caption, empty, links = {}, without = [], chooses, choice, tone, more, note } = parts;
  const shown = columns.filter(({ name }) => !without.includes(name));
  const head = parts.head ?? shown.find(({ name }) => name in links)?.name ?? shown[0]?.name;
  return {
    ...{ kind: 'table', id, caption, empty, columns: shown.map((column) => columnOf(column, head)) },
    rows: rows.map((row) => {
      const [chosen, toned, unfolds] = [choice?.(row), tone?.(row), more?.(row)];
      return {
        cells: shown.map((column) => cellOf(column, row, links[column.name]?.(row))),
        ...(chosen !== undefined && { choice: chosen }),
        ...(toned !== undefined && { tone: toned }),
        ...(unfolds !== undefined && { more: unfolds }),
      };
    }),
    ...(chooses !== undefined && { chooses }),
    ...(note !== undefined && { note }),
  };
}

function columnOf<Row>({ name, type }: ListColumn<Row>, head: string | undefined): TableColumn {
  return { name, as: name === head ? 'head' : COLUMN_AS[type] };
}

const COLUMN_AS: Readonly<Record<ListColumnType, NonNullable<TableColumn['as']>>> = {
  ...{
    text: 'text',
    id: 'text',
    status: 'text',
    long: 'text',
    time: 'day',
    day: 'day',
    count: 'figure',
    figure: 'figure',
  },
};

function cellOf<Row>({ type, value, mark }: ListColumn<Row>, row: Row, href: string | undefined): Shown {
  const shown = value(row);
  if (shown === null || shown === '') return null;
  const tone = mark?.(row);
  const linked = href === undefined ? {} : { href };
  if ((type === 'time' || type === 'day') && typeof shown === 'number') return { ms: shown, as: type, ...linked };
  if (type === 'figure' && typeof shown === 'string') return { ...amountOf(shown), ...linked };
  const as = type === 'id' || type === 'status' || type === 'long' ? type : undefined;
  if (as === undefined && tone === undefined && href === undefined) return shown;
  const text = typeof shown === 'number' ? String(shown) : String(shown);
  return { text, ...linked, ...(as !== undefined && { as }), ...(tone !== undefined && { tone }) };
}

/** `5.00 USD` as an amount with its currency. */
function amountOf(text: string): Extract<Shown, { amount: string | null }> | { text: string } {
  const parts = /^(-?\d+(?:\.\d+)?)(\*?)(?: (\w+))?$/.exec(text);
  if (parts === null) return { text };
  const [, amount = '', disputed, currency] = parts;
  return { amount, currency: currency ?? null, ...(disputed === '*' && { note: 'disputed' }) };
}

/** Rows of a page of a list: enough to read, few enough to load at once. */
export const PAGE_ROWS = 50;

/** A page of a list by ids: reads one row more than it shows. */
export async function pageOfList<Row extends { readonly id: number }>(
  query: URLSearchParams,
  read: (page: { order: 'newest' | 'oldest'; limit: number; afterId?: number }) => Promise<readonly Row[]>,
  count: () => Promise<Count>,
  order: 'newest' | 'oldest' = 'newest',
): Promise<{ readonly rows: readonly Row[]; readonly next: number | null; readonly total: Count }> {
  const afterId = numberIn(query, 'after');
  const found = await read({ order, limit: PAGE_ROWS + 1, ...(afterId !== undefined && { afterId }) });
  const rows = found.slice(0, PAGE_ROWS);
  const isWhole = afterId === undefined && found.length <= PAGE_ROWS;
  const total = isWhole ? rows.length : await count();
  return { rows, next: found.length > PAGE_ROWS ? (rows.at(-1)?.id ?? null) : null, total };
}

/** The way on, with the filters of this page. */
export function pagesBlock(
  path: string,
  query: URLSearchParams,
  {
    rows,
    next,
    total,
  }: { readonly rows: readonly unknown[]; readonly next: number | string | null; readonly total: Count },
): PagesBlock {
  const without = new URLSearchParams(query);
  without.delete('after');
  const first = query.has('after') ? addressOf(path, without) : undefined;
  const on = new URLSearchParams(without);
  if (next !== null) on.set('after', String(next));
  return { kind: 'pages', shown: rows.length, total, first, next: next === null ? undefined : addressOf(path, on) };
}
