import { money } from '../../../domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../../../domain/statements/statement.ts';
import { bankText, lineColumns, unparsedColumns } from '../../../lists/statement-lines.ts';
import type { BothSides } from '../../../reconcile/exceptions/both-sides.ts';
import { listTable } from '../list-blocks.ts';
import type { FactsBlock, Shown, TableBlock } from '../page.ts';

// Lines of statements, and rows that are none, as they stand on pages. What a bank wrote is masked as in the commands.

/** Values of persons: a page never shows them whole. */
const MASKED = { reveal: false };

/** The facts of the line behind a break: the row as the statement has it, or why it is no line. */
export function lineFacts(
  named: { readonly statement: number; readonly row: number } | null,
  { line: placed, unparsed }: Pick<BothSides, 'line' | 'unparsed'>,
): FactsBlock['facts'] {
  if (named === null) return [['Line', 'no line']];
  const { statement, row } = named;
  const place = { text: `row ${row} of statement ${statement}`, href: rowAddress(statement, row) };
  if (unparsed !== null)
    return [
      ['Line', place],
      ['Column', unparsed.column],
      ['Value', { text: bankText(unparsed.value, MASKED), as: 'long' }],
      ['Not read because', { text: bankText(unparsed.reason, MASKED), as: 'long' }],
    ];
  if (placed === null) return [['Line', `row ${row} of statement ${statement}: it was removed`]];
  const { line } = placed;
  const facts: FactsBlock['facts'] = [
    ['Line', place],
    ['Date', line.date],
    ['Type', typeText(line)],
    ['Amount', { amount: money(line.amount), currency: line.currency, as: 'effect' }],
    ['Fee', { amount: money(line.fee) }],
    ['Tax', { amount: money(line.tax) }],
    ['Duty', { amount: money(line.duty) }],
    ['Reference', line.reference === null ? null : { text: line.reference, as: 'id' }],
    ['Session id', line.sessionId === null ? null : { text: line.sessionId, as: 'id' }],
    ['Group', line.group],
    ['Text', line.text === null ? null : { text: bankText(line.text, MASKED), as: 'long' }],
  ];
  return facts.filter(([, value]) => !isNothing(value));
}

function isNothing(value: Shown): boolean {
  return value === null || (typeof value === 'object' && 'amount' in value && value.amount === null);
}

/** Where a row of a statement stands. */
export function rowAddress(statement: number, row: number): string {
  return `/statements/${statement}?row=${row}#row-${row}`;
}

function typeText({ type, typeText }: Pick<StatementLine, 'type' | 'typeText'>): string {
  return type === null ? `not in the profile: ${typeText}` : type.replaceAll('_', ' ');
}

/** Lines as a table; `marked`: the row that the address names. */
export function linesTable(lines: readonly StatementLine[], caption: string, marked: number | null = null): TableBlock {
  return listTable(lineColumns(MASKED), lines, {
    ...{ id: 'lines', caption, head: 'Row', without: ['Group'], beside: { Amount: 'Ccy' } },
    rowId: ({ row }) => `row-${row}`,
    tone: ({ row }) => (row === marked ? 'warn' : undefined),
    empty: { text: 'It has no lines.' },
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
    empty: { text: 'Every row could be read.' },
    note: all > shown.length ? `${all - shown.length} more rows could not be read.` : undefined,
  });
}
