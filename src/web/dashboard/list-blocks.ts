import type { ListColumn, ListColumnType } from '../../lists/column.ts';
import { counted, countOf } from '../../reconcile/report/words.ts';
import type { Count, Page as PortPage } from '../../store/records.ts';
import { addressOf, numberIn } from './asked.ts';
import { emptyFor, type Filters, filtersForm, optionsOf } from './filters.ts';
import type {
  AmountCell,
  Block,
  Empty,
  FactsBlock,
  Field,
  Page,
  PagesBlock,
  Shown,
  TableBlock,
  TableColumn,
  TableRow,
  TextCell,
  Tone,
} from './page.ts';
import type { Context } from './route.ts';

// Lists of the command line as tables of a page, and the way through one that is longer than a page.

export interface ListTableParts<Row> {
  readonly id: string;
  readonly caption: string;
  readonly empty: TableBlock['empty'];
  /** The names of columns that are links, each to where. */
  readonly links?: Readonly<Record<string, (row: Row) => string | undefined>>;
  /** Names of columns that the page leaves out, because its heading says them. */
  readonly without?: readonly string[];
  /** Names of columns, each with the one that stands in it in small letters, and in no column of its own: of an amount its currency. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The column that names its row; missing: the first that is a link, else the first. */
  readonly head?: string;
  readonly chooses?: TableBlock['chooses'] | undefined;
  readonly choice?: (row: Row) => TableRow['choice'];
  readonly rowId?: (row: Row) => string;
  readonly tone?: (row: Row) => Tone | undefined;
  readonly more?: (row: Row) => readonly Block[] | undefined;
  /** Rows that the page shows; the others are counted below them. */
  readonly most?: number;
  readonly note?: string | undefined;
}

/** A list as a table. */
export function listTable<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  parts: ListTableParts<Row>,
): TableBlock {
  const { id, caption, empty, links = {}, without = [], beside = {}, chooses, choice, rowId, tone, more } = parts;
  const most = parts.most ?? rows.length;
  const note = rows.length > most ? `${countOf(rows.length - most, 'more row')}.` : parts.note;
  const hidden = [...without, ...Object.values(beside)];
  const shown = columns.filter(({ name }) => !hidden.includes(name));
  const head = parts.head ?? shown.find(({ name }) => name in links)?.name ?? shown[0]?.name;
  return {
    ...{ kind: 'table', id, caption, empty, columns: shown.map((column) => columnOf(column, head)) },
    rows: rows.slice(0, most).map((row) => ({
      cells: shown.map((column) => {
        const small = columns.find(({ name }) => name === beside[column.name]);
        return cellOf(column, row, { href: links[column.name]?.(row), beside: small && wordsOf(small, row) });
      }),
      ...{ id: rowId?.(row), choice: choice?.(row), tone: tone?.(row), more: more?.(row) },
    })),
    ...{ chooses, note },
  };
}

function columnOf<Row>({ name, type }: ListColumn<Row>, head: string | undefined): TableColumn {
  return { name, as: name === head ? 'head' : COLUMN_AS[type] };
}

const COLUMN_AS: Readonly<Record<ListColumnType, NonNullable<TableColumn['as']>>> = {
  ...{ text: 'text', id: 'text', digest: 'digest', word: 'text', status: 'text', long: 'text' },
  ...{ time: 'day', day: 'day', date: 'day', count: 'figure', figure: 'figure', effect: 'figure' },
};

/** The columns of one row as facts; those without a value are left out. `links`: where the named ones lead. */
export function factsOf<Row>(
  columns: readonly ListColumn<Row>[],
  row: Row,
  links: Readonly<Record<string, string>> = {},
): FactsBlock['facts'] {
  return columns.flatMap((column) => {
    if (column.value(row) === null) return [];
    return [[column.name, cellOf(column, row, { href: links[column.name] })] as const];
  });
}

interface Around {
  readonly href?: string | undefined;
  /** What stands in it in small letters. */
  readonly beside?: string | null | undefined;
}

/** The value of one column, as a cell or a fact of a page. */
export function cellOf<Row>(column: ListColumn<Row>, row: Row, { href, beside }: Around = {}): Shown {
  const { type, value, mark } = column;
  const shown = value(row);
  const linked = { href, tone: mark?.(row) };
  if (shown === null || shown === '') return href === undefined ? null : { text: '–', ...linked };
  if ((type === 'time' || type === 'day') && typeof shown === 'number') return { ms: shown, as: type, href };
  if (type === 'figure' || type === 'effect') return figureOf(String(shown), { type, linked, currency: beside });
  const as = TEXT_AS[type];
  const isPlain = as === undefined && href === undefined && linked.tone === undefined && beside == null;
  if (isPlain && type !== 'word') return shown;
  return { text: wordsOf(column, row) ?? '', as, note: beside ?? undefined, ...linked };
}

const TEXT_AS: Partial<Readonly<Record<ListColumnType, NonNullable<TextCell['as']>>>> = {
  ...{ id: 'id', digest: 'digest', status: 'status', long: 'long' },
};

/** Our own words without their underscores: `fee mismatch`. */
function wordsOf<Row>({ type, value }: ListColumn<Row>, row: Row): string | null {
  const shown = value(row);
  const text = shown === null ? null : String(shown);
  return type === 'word' && text !== null && /^[a-z_/]+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

interface Figure {
  readonly type?: ListColumnType;
  readonly linked?: Pick<AmountCell, 'href' | 'tone'>;
  readonly currency?: string | null | undefined;
}

/** `5.00 USD` as an amount with its currency; a status or a date, which stands in the place of one, as text. */
export function figureOf(text: string, { type, linked = {}, currency }: Figure = {}): AmountCell | TextCell {
  const parts = /^(-?\d+(?:\.\d+)?)(\*?)(?: (\w+))?$/.exec(text);
  if (parts === null) return { text, ...linked };
  const [, amount = '', disputed, own = currency ?? null] = parts;
  const note = disputed === '*' ? 'disputed' : undefined;
  return { amount, currency: own, as: type === 'effect' ? 'effect' : 'amount', note, ...linked };
}

/** Rows of a page of a list: enough to read, few enough to load at once. */
export const PAGE_ROWS = 50;

/** Ids of one page of a filter that no index knows: 0.2 s. The next page looks on from there. */
export const MOST_LOOKED = 100_000;

interface FoundPage<Row> {
  readonly rows: readonly Row[];
  readonly next: number | null;
  readonly total: Count;
}

/** A list by ids, as the port reads it. */
export interface IdList<Filter, Row> {
  readonly read: (filter: Partial<Filter>, page: PortPage) => Promise<readonly Row[]>;
  readonly count: (filter: Filter) => Promise<Count>;
  /** Whether an index finds what the filter matches. An empty filter needs none. */
  readonly isByIndex?: boolean;
}

/**
 * The newest rows of a filter. Where no index knows it, those among MOST_LOOKED ids, uncounted: where there are more, the next page looks
 * further back.
 */
export async function lookedPage<Filter extends object, Row extends { readonly id: number }>(
  query: URLSearchParams,
  filter: Filter,
  { read, count, isByIndex = false }: IdList<Filter, Row>,
): Promise<FoundPage<Row>> {
  const ofFilter: ReadPage<Row> = (page) => read(filter, page);
  const whole = () => pageOfList(query, ofFilter, () => count(filter));
  if (isByIndex || Object.keys(filter).length === 0) return whole();
  const [last] = await read({}, { order: 'newest', limit: 1 });
  const [end, afterId] = [last?.id ?? 0, numberIn(query, 'after')] as const;
  if (end <= MOST_LOOKED) return whole();
  const found = await pageOfList(
    query,
    (page) => ofFilter({ ...page, most: MOST_LOOKED }),
    async () => null,
  );
  const looked = Math.min(end, (afterId ?? end + 1) - 1) - MOST_LOOKED;
  return { ...found, next: found.next ?? (looked > 0 ? looked + 1 : null), total: null };
}

/** A screen that is a list of the command line: its filters, its rows, and the way on. */
export interface ListScreen<Filter, Row> extends Pick<Page, 'title' | 'question' | 'regions' | 'trail'> {
  readonly path: string;
  readonly filters: Filters;
  /** Fields of the filters whose choices are known with the rows alone. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** The command that lists the same; the options of the address follow. */
  readonly command: string;
  /** Further commands of the screen. */
  readonly others?: readonly string[];
  readonly filter: Filter;
  readonly list: IdList<Filter, Row>;
  readonly columns: readonly ListColumn<Row>[];
  readonly table: (rows: readonly Row[]) => Omit<ListTableParts<Row>, 'empty'>;
  /** Without rows: where nothing is asked; and, in a sentence, where something is. */
  readonly none: Empty;
  readonly noMatch: string;
  /** Before the filters, between them and the rows, and at the end. */
  readonly above?: readonly Block[];
  readonly between?: readonly Block[];
  readonly below?: readonly Block[];
}

export async function listPage<Filter extends object, Row extends { readonly id: number }>(
  { query }: Pick<Context, 'query'>,
  screen: ListScreen<Filter, Row>,
): Promise<Page> {
  const { title, question, regions, trail = [], path, filters, fields, filter, list, columns, table } = screen;
  const { command, others = [], above = [], between = [], below = [] } = screen;
  const found = await lookedPage(query, filter, list);
  const all = query.size > 0 && { links: [{ text: 'Show all', href: path }] };
  const empty = { ...emptyFor(query, screen.none, screen.noMatch), ...noneLooked(found), ...all };
  return {
    ...{ title, question, trail, commands: [`${command}${optionsOf(filters, query)}`, ...others] },
    ...(regions !== undefined && { regions }),
    blocks: [
      ...above,
      filtersForm(path, filters, query, fields),
      ...between,
      listTable(columns, found.rows, { ...table(found.rows), empty }),
      pagesBlock(path, query, found),
      ...below,
    ],
  };
}

/** The empty state of a page that looked at a part of the list alone. */
export function noneLooked({ next }: FoundPage<unknown>): Empty | null {
  if (next === null) return null;
  return {
    text: `None of the ${counted(MOST_LOOKED)} that this page looked at matches.`,
    next: 'The next page looks further back; the command looks at all.',
  };
}

type ReadPage<Row> = (page: PortPage) => Promise<readonly Row[]>;

/** A page of a list by ids: reads one row more than it shows. */
export async function pageOfList<Row extends { readonly id: number }>(
  query: URLSearchParams,
  read: ReadPage<Row>,
  count: () => Promise<Count>,
  order: 'newest' | 'oldest' = 'newest',
): Promise<FoundPage<Row>> {
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
