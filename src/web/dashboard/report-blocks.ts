import { pageSection, type pageTable } from '../../reconcile/report/html/block.ts';
import type { Chapter } from '../../reconcile/report/table.ts';
import { countOf } from '../../reconcile/report/words.ts';
import { sectionBlock, textBlock } from './blocks.ts';
import { cellWriter } from './cell.ts';
import type { Block, Shown, TableBlock, TableRow } from './page.ts';

/*
 * Tables and chapters of a report as blocks of a page: the same definitions that terminal, CSV, XLSX and the frozen page have. A page has room for
 * so much of them, however long the period is and however many accounts it has; the files of the report have all of it.
 */

/** Where an id of the frozen page leads on these pages; missing: nowhere. */
type LinkOf = (id: string) => string | undefined;

type PageTable = ReturnType<typeof pageTable>;
type PageCell = PageTable['rows'][number][number];
type PageBlock = ReturnType<typeof pageSection>['blocks'][number];

/** Bytes of tables and charts on one page. What stands around them has 12 kB of the 150 kB of a page. */
const MOST_BYTES = 136_000;
/** Rows of one table: more than a month has days. */
const MOST_ROWS = 40;
/** Bytes that the templates put around a table with its chart, a row, and a cell of each kind of column. */
const AROUND = { block: 700, row: 12, cell: { text: 24, head: 50, figure: 40, day: 37, digest: 40 } } as const;

const written = cellWriter('UTC'); // no cell of a report is a time

/** Takes from the room of a page, as long as there is any. */
type Room = (bytes: number) => boolean;

/** Chapters of a report: sections with their tables, charts and notes, as far as there is room for them. */
export function reportBlocks(chapters: readonly Chapter[], { linkOf, mostBytes = MOST_BYTES }: Asked = {}): Block[] {
  let left = mostBytes;
  const room: Room = (bytes) => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  return chapters.map((chapter) => {
    const { id, title, lead, nothing, blocks } = pageSection(chapter);
    const all = blocks.map((block, at) => blockOf(block, { room, id: block.id ?? `${id}-${at + 1}`, linkOf }));
    const shown = all.filter((one) => one !== null);
    const rest = all.length - shown.length;
    const said = all.length === 0 ? nothing : `${countOf(rest, 'more table')}: ${ALL}`;
    const blocksOf = [...shown.flat(), ...(shown.length > 0 && rest === 0 ? [] : [textBlock(said, { tone: 'quiet' })])];
    return sectionBlock(id, title, blocksOf, lead);
  });
}

interface Asked {
  readonly linkOf?: LinkOf;
  /** Where other parts of the page need room, too. */
  readonly mostBytes?: number;
}

const ALL = 'the files of the report have all.';

interface Place {
  readonly room: Room;
  readonly id: string;
  readonly linkOf: LinkOf | undefined;
}

/** A table with its chart and its note; a chart without room is left out, and null stands for a table without. */
function blockOf({ title, chart, table, note, isFolded }: PageBlock, { room, id, linkOf }: Place): Block[] | null {
  if (!room(AROUND.block + Buffer.byteLength(`${title}${note ?? ''}`))) return null;
  const svg = chart !== null && room(Buffer.byteLength(chart)) ? chart : null;
  const figures = figuresOf(table, { room, id: `${id}-figures`, linkOf });
  const shown: Block =
    svg === null ? { ...figures, caption: title } : { kind: 'drawing', id, title, svg, figures, isFolded };
  return note === null ? [shown] : [shown, textBlock(note, { tone: 'quiet' })];
}

function figuresOf({ caption, columns, rows, totals }: PageTable, { room, id, linkOf }: Place): TableBlock {
  const rowOf = (cells: readonly PageCell[]): TableRow => ({ cells: cells.map((cell) => cellOf(cell, linkOf)) });
  const bytesOf = ({ cells }: TableRow) =>
    cells.reduce<number>(
      (sum, cell, at) =>
        sum +
        AROUND.cell[columns[at]?.as ?? 'text'] +
        (columns[at]?.name.length ?? 0) +
        Buffer.byteLength(written(cell)),
      AROUND.row,
    );
  const fitting = (all: readonly (readonly PageCell[])[]) => {
    const fits = all.slice(0, MOST_ROWS).map(rowOf);
    const end = fits.findIndex((row) => !room(bytesOf(row)));
    return end < 0 ? fits : fits.slice(0, end);
  };
  const sums = fitting(totals);
  const shown = fitting(rows);
  const rest = rows.length - shown.length;
  return {
    ...{ kind: 'table', id, caption, columns: columns.map(({ name, as }) => ({ name, as })) },
    ...{ rows: shown, totals: sums, empty: rest > 0 ? null : NOTHING },
    ...(rest > 0 && { note: `${countOf(rest, 'more row')}: ${ALL}` }),
  };
}

const NOTHING = {
  text: 'There is nothing of this in these days.',
  next: 'Other days stand on the page of their period.',
  links: [{ text: 'Periods', href: '/periods' }],
};

/** What the frozen page marks good or bad has the same tone here. */
function cellOf({ text, mark: tone, to }: PageCell, linkOf?: LinkOf): Shown {
  if (text === '') return null;
  const href = to === undefined ? undefined : linkOf?.(to);
  return href === undefined && tone === undefined ? text : { text, href, tone };
}
