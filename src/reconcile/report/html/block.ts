import {
  type Cell,
  type Chapter,
  type Chart,
  type Column,
  type ColumnType,
  cellOf,
  columnsFor,
  partsOf,
  type ShownTable,
  type Table,
  totalsOf,
} from '../table.ts';
import { counted, grouped, rateText, signed } from '../words.ts';
import { dayColumns, rateLine } from './charts/by-day.ts';
import { stackedBars } from './charts/stacked-bars.ts';
import { waterfall } from './charts/waterfall.ts';

// Chapters and tables as the templates of a page take them.

interface PageCell extends Pick<Cell, 'mark' | 'to'> {
  readonly text: string;
}

export interface PageTable {
  readonly caption: string;
  /** `head` names its row; a day is one word; amounts and counts stand on the right. */
  readonly columns: readonly { readonly name: string; readonly as: 'head' | 'text' | 'day' | 'figure' | 'digest' }[];
  readonly rows: readonly (readonly PageCell[])[];
  /** Rows that add the others up. */
  readonly totals: readonly (readonly PageCell[])[];
}

/** A chapter with a block for each table: a heading, a chart where it helps, and the figures. */
export function pageSection({ tables, ...chapter }: Chapter) {
  return { ...chapter, blocks: tables.flatMap((table) => partsOf(table, 'page')).map(blockOf) };
}

function blockOf<Row>(table: ShownTable<Row>) {
  const { id, title, rows, isDaily = false } = table;
  const chart = table.chart?.(rows);
  return {
    ...{ id, title, isFolded: isDaily, table: pageTable(table), note: table.note?.(rows) ?? null },
    chart: chart === undefined ? null : drawn(chart, `${id}-chart`, title),
  };
}

function drawn(chart: Chart, id: string, title: string): string {
  switch (chart.as) {
    case 'waterfall':
      return waterfall(id, `${title}: from the opening balance to the closing one`, chart.steps);
    case 'days':
      return dayColumns({ id, title, days: chart.days });
    case 'rates':
      return rateLine({ id, title, days: chart.days });
    case 'bars':
      return stackedBars({ ...chart, id, title });
  }
}

/** A table of a page: what names a row stands first; account, currency and environment share a column. */
export function pageTable<Row>(table: Table<Row>): PageTable {
  const columns = columnsFor(table, 'page');
  const groups = columnGroups(columns);
  const shown = table.rows.filter((row) => table.isMinor?.(row) !== true);
  const isSum = (row: Row) => table.isSum?.(row) === true;
  const cellsOf = (row: Row) => columns.map((column) => cellOf(column, row));
  const inGroups = (cells: readonly Cell[]) => groups.map((group) => pageCell(group.map((at) => cells[at] as Cell)));
  return {
    caption: table.title,
    columns: groups.map((group, at) => {
      const names = group.map((one) => columns[one]?.heading ?? '').filter((name) => name !== 'Environment');
      const name = names.map((one, at) => (at === 0 ? one : one.toLowerCase())).join(' and ') || 'Environment';
      return { name, as: at === 0 ? 'head' : CLASSES[columns[group[0] ?? 0]?.type ?? 'text'] };
    }),
    rows: shown.filter((row) => !isSum(row)).map((row) => inGroups(cellsOf(row))),
    totals: [...shown.filter(isSum).map(cellsOf), ...totalsOf(table, columns)].map(inGroups),
  };
}

/** Which columns make one of the page, by their places. */
function columnGroups<Row>(columns: readonly Column<Row>[]): number[][] {
  const places = ['account', 'currency', 'environment'].map((as) => columns.findIndex((one) => one.as === as));
  const joined = places.filter((at) => at >= 0);
  const named = columns.findIndex(({ as }) => as === 'name');
  const others = [...columns.keys()].filter((at) => at !== named && !joined.includes(at));
  const before = others.filter((at) => at < Math.min(...joined));
  return [
    ...(named < 0 ? [] : [[named]]),
    ...before.map((at) => [at]),
    ...(joined.length === 0 ? [] : [joined]),
    ...others.filter((at) => !before.includes(at)).map((at) => [at]),
  ];
}

const CLASSES: Readonly<Record<ColumnType, PageTable['columns'][number]['as']>> = {
  ...{ text: 'text', day: 'day', digest: 'digest' },
  ...{ amount: 'figure', effect: 'figure', value: 'figure', rate: 'figure', count: 'figure' },
};

function pageCell(cells: readonly Cell[]): PageCell {
  const [first] = cells;
  const text = cells
    .map(cellText)
    .filter((one) => one !== '')
    .join(', ');
  return { text, mark: first?.mark, to: first?.to };
}

function cellText({ type, value, words }: Cell): string {
  if (words !== null) return words;
  if (type === 'rate') return rateText(value === null ? null : String(value));
  if (value === null) return type === 'value' ? '–' : '';
  if (typeof value === 'number') return counted(value);
  if (type === 'effect') return signed(value);
  return type === 'amount' || type === 'value' ? grouped(value) : value;
}
