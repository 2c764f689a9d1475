import { pageSection, type pageTable } from '../../reconcile/report/html/block.ts';
import type { Chapter } from '../../reconcile/report/table.ts';
import { sectionBlock, textBlock } from './blocks.ts';
import type { Block, Shown, TableBlock, TableRow } from './page.ts';

// Tables and chapters of a report as blocks of a page: the same definitions that terminal, CSV, XLSX and the frozen page have.

/** Where an id of the frozen page leads on these pages; missing: nowhere. */
type LinkOf = (id: string) => string | undefined;

type PageTable = ReturnType<typeof pageTable>;
type PageCell = PageTable['rows'][number][number];

/** A chapter of a report: a section with its tables, their charts and notes. */
export function chapterBlock(chapter: Chapter, linkOf?: LinkOf): Block {
  const { id, title, lead, nothing, blocks } = pageSection(chapter);
  if (blocks.length === 0) return sectionBlock(id, title, [textBlock(nothing, { tone: 'quiet' })], lead);
  return sectionBlock(
    id,
    title,
    blocks.flatMap((block, at): Block[] => {
      const figures = figuresOf(block.table, `${block.id ?? `${id}-${at + 1}`}-figures`, linkOf);
      const drawing: Block =
        block.chart === null
          ? { ...figures, caption: block.title }
          : {
              ...{ kind: 'drawing', id: block.id ?? `${id}-${at + 1}`, title: block.title, svg: block.chart, figures },
              isFolded: block.isFolded,
            };
      return block.note === null ? [drawing] : [drawing, textBlock(block.note, { tone: 'quiet' })];
    }),
    lead,
  );
}

function figuresOf({ caption, columns, rows, totals }: PageTable, id: string, linkOf?: LinkOf): TableBlock {
  const cellsOf = (cells: readonly PageCell[]): TableRow => ({ cells: cells.map((cell) => cellOf(cell, linkOf)) });
  return {
    ...{
      kind: 'table',
      id,
      caption,
      empty: {
        text: 'There is nothing of this in these days.',
        next: 'Other days stand on the page of their period.',
        links: [{ text: 'Periods', href: '/periods' }],
      },
    },
    columns: columns.map(({ name, as }) => ({ name, as })),
    ...{ rows: rows.map(cellsOf), totals: totals.map(cellsOf) },
  };
}

/** What the frozen page marks good or bad has the same tone here. */
function cellOf({ text, mark: tone, to }: PageCell, linkOf?: LinkOf): Shown {
  if (text === '') return null;
  const href = to === undefined ? undefined : linkOf?.(to);
  return href === undefined && tone === undefined ? text : { text, href, tone };
}
