import { pageSection, pageTable } from '../../reconcile/report/html/block.ts';
import type { Chapter, Table } from '../../reconcile/report/table.ts';
import type { Block, Shown, TableBlock, TableColumn, TableRow, Tone } from './page.ts';

// Tables and chapters of a report as blocks of a page: the same definitions that terminal, CSV, XLSX and the frozen page have.

export interface TableBlockParts<Row> {
  readonly id: string;
  readonly empty: TableBlock['empty'];
  /** Where a row leads: the link is on its first cell. */
  readonly href?: (row: Row) => string | undefined;
  /** What unfolds under a row. */
  readonly more?: (row: Row) => readonly Block[] | undefined;
  readonly chooses?: TableBlock['chooses'];
  readonly choice?: (row: Row) => TableRow['choice'];
  /** Where an id of the frozen page leads on these pages; missing: nowhere. */
  readonly linkOf?: (id: string) => string | undefined;
}

type PageTable = ReturnType<typeof pageTable>;
type PageCell = PageTable['rows'][number][number];

/** A table of a report as a block. Rows that add others up stand below as totals, as on the frozen page. */
export function tableBlock<Row>(table: Table<Row>, parts: TableBlockParts<Row>): TableBlock {
  const shown = pageTable(table);
  const { id, empty, chooses, href, more, choice, linkOf } = parts;
  const rows = table.rows.filter((row) => table.isMinor?.(row) !== true && table.isSum?.(row) !== true);
  return {
    ...{ kind: 'table', id, caption: shown.caption, columns: shown.columns.map(columnOf), empty },
    rows: shown.rows.map((cells, at) => {
      const row = rows[at] as Row;
      const [unfolds, chosen] = [more?.(row), choice?.(row)];
      return {
        cells: cells.map((cell, index) => cellOf(cell, index === 0 ? href?.(row) : undefined, linkOf)),
        ...(unfolds !== undefined && { more: unfolds }),
        ...(chosen !== undefined && { choice: chosen }),
      };
    }),
    totals: shown.totals.map((cells) => ({ cells: cells.map((cell) => cellOf(cell, undefined, linkOf)) })),
    ...(chooses !== undefined && { chooses }),
  };
}

/** A chapter of a report: a section with its tables, their charts and notes. `linkOf` as that of a table. */
export function chapterBlock(chapter: Chapter, linkOf?: TableBlockParts<unknown>['linkOf']): Block {
  const { id, title, lead, nothing, blocks } = pageSection(chapter);
  if (blocks.length === 0)
    return { kind: 'section', id, title, lead, blocks: [{ kind: 'text', text: nothing, tone: 'quiet' }] };
  return {
    ...{ kind: 'section', id, title, lead },
    blocks: blocks.flatMap((block, at): Block[] => {
      const figures = figuresOf(block.table, `${block.id ?? `${id}-${at + 1}`}-figures`, linkOf);
      const drawing: Block =
        block.chart === null
          ? { ...figures, caption: block.title }
          : {
              ...{ kind: 'drawing', id: block.id ?? `${id}-${at + 1}`, title: block.title, svg: block.chart, figures },
              isFolded: block.isFolded,
            };
      return block.note === null ? [drawing] : [drawing, { kind: 'text', text: block.note, tone: 'quiet' }];
    }),
  };
}

function figuresOf(
  { caption, columns, rows, totals }: PageTable,
  id: string,
  linkOf?: (id: string) => string | undefined,
): TableBlock {
  const cellsOf = (cells: readonly PageCell[]): TableRow => ({
    cells: cells.map((cell) => cellOf(cell, undefined, linkOf)),
  });
  return {
    ...{
      kind: 'table',
      id,
      caption,
      columns: columns.map(columnOf),
      rows: rows.map(cellsOf),
      totals: totals.map(cellsOf),
    },
    empty: { text: 'None.' },
  };
}

function columnOf({ name, as }: PageTable['columns'][number]): TableColumn {
  return { name, as };
}

/** What the frozen page marks good or bad has the same tone here. */
function cellOf(
  { text, mark, to }: PageCell,
  href: string | undefined,
  linkOf?: (id: string) => string | undefined,
): Shown {
  const leads = href ?? (to === undefined ? undefined : linkOf?.(to));
  const tone: Tone | undefined = mark;
  if (text === '') return null;
  if (leads === undefined && tone === undefined) return text;
  return { text, ...(leads !== undefined && { href: leads }), tone };
}
