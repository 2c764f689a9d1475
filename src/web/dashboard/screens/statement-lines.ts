import type { StatementLine, UnparsedRow } from '../../../domain/statements/statement.ts';
import { lineText } from '../../../lists/matches.ts';
import { lineColumns, lineFacts, unparsedColumns } from '../../../lists/statement-lines.ts';
import type { BothSides } from '../../../reconcile/exceptions/both-sides.ts';
import { factsOf, listTable } from '../list-blocks.ts';
import type { FactsBlock, TableBlock } from '../page.ts';

// Lines of statements, and rows that are none, as they stand on pages. What a bank wrote is masked as in the commands.

/** Values of persons: a page never shows them whole. */
const MASKED = { reveal: false };

/** The facts of the line behind a break: the row as the statement has it, or why it is no line. */
export function placedFacts(
  named: { readonly statement: number; readonly row: number } | null,
  { line, unparsed }: Pick<BothSides, 'line' | 'unparsed'>,
): FactsBlock['facts'] {
  if (named === null) return [['Line', 'no line']];
  const { statement, row } = named;
  const place = ['Line', { text: lineText(named), href: rowAddress(statement, row) }] as const;
  const [, ...columns] = unparsedColumns(MASKED, Number.POSITIVE_INFINITY);
  if (unparsed !== null) return [place, ...factsOf(columns, unparsed)];
  if (line === null) return [['Line', `${lineText({ statement, row })}: it was removed`]];
  return [place, ...factsOf(lineFacts(MASKED), line)];
}

/** Where a row of a statement stands. */
export function rowAddress(statement: number, row: number): string {
  return `/statements/${statement}?row=${row}#row-${row}`;
}

/** Lines as a table; `marked`: the row that the address names. */
export function linesTable(lines: readonly StatementLine[], caption: string, marked: number | null = null): TableBlock {
  return listTable(lineColumns(MASKED), lines, {
    ...{ id: 'lines', caption, head: 'Row', without: ['Group'], beside: { Amount: 'Ccy' } },
    rowId: ({ row }) => `row-${row}`,
    tone: ({ row }) => (row === marked ? 'warn' : undefined),
    empty: {
      text: 'It has no lines.',
      next: 'Look whether the profile reads the table of the file, or whether the days had no movement.',
    },
  });
}

/** Unreadable rows of a page; the others are counted. */
const MOST_UNPARSED = 50;

/** Rows that could not be read, `all` of them in the file. */
export function unparsedTable(rows: readonly UnparsedRow[], all: number): TableBlock {
  const shown = rows.slice(0, MOST_UNPARSED);
  return listTable(unparsedColumns(MASKED), shown, {
    ...{ id: 'unparsed', caption: 'Rows that could not be read' },
    rowId: ({ row }) => `row-${row}`,
    tone: () => 'bad',
    empty: null,
    note: all > shown.length ? `${all - shown.length} more rows could not be read.` : undefined,
  });
}
