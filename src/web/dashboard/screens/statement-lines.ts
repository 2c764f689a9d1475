import { money } from '../../../domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../../../domain/statements/statement.ts';
import { maskedText } from '../../../domain/text/privacy.ts';
import type { BothSides } from '../../../reconcile/exceptions/both-sides.ts';
import type { FactsBlock, Shown, TableBlock } from '../page.ts';

// Lines of statements, and rows that are none, as they stand on pages. What a bank wrote is masked as in the commands.

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
      ['Value', { text: unparsed.value, as: 'long' }],
      ['Not read because', { text: unparsed.reason, as: 'long' }],
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
    ['Text', line.text === null ? null : { text: maskedText(line.text), as: 'long' }],
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

const COLUMNS: TableBlock['columns'] = [
  { name: 'Row', as: 'head' },
  { name: 'Date', as: 'day' },
  { name: 'Type' },
  { name: 'Reference' },
  { name: 'Amount', as: 'figure' },
  { name: 'Fee', as: 'figure', leaveOut: 3 },
  { name: 'Tax', as: 'figure', leaveOut: 5 },
  { name: 'Duty', as: 'figure', leaveOut: 4 },
  { name: 'Balance', as: 'figure', leaveOut: 2 },
  { name: 'Text', leaveOut: 1 },
];

/** Lines as a table; `marked`: the row that the address names. */
export function linesTable(lines: readonly StatementLine[], caption: string, marked: number | null = null): TableBlock {
  return {
    ...{ kind: 'table', id: 'lines', caption, columns: COLUMNS },
    rows: lines.map((line) => ({
      id: `row-${line.row}`,
      ...(line.row === marked && { tone: 'warn' }),
      cells: [
        line.row,
        line.date,
        typeText(line),
        { text: line.reference ?? '', as: 'id' },
        { amount: money(line.amount), currency: line.currency, as: 'effect' },
        { amount: money(line.fee) },
        { amount: money(line.tax) },
        { amount: money(line.duty) },
        { amount: money(line.balance) },
        line.text === null ? null : { text: maskedText(line.text), as: 'long' },
      ],
    })),
    empty: { text: 'It has no lines.' },
  };
}

/** Unreadable rows of a page; the others are counted. */
const MOST_UNPARSED = 50;

/** Rows that could not be read, `all` of them in the file. */
export function unparsedTable(rows: readonly UnparsedRow[], all: number): TableBlock {
  const more = all - Math.min(rows.length, MOST_UNPARSED);
  return {
    ...{ kind: 'table', id: 'unparsed', caption: 'Rows that could not be read' },
    columns: [{ name: 'Row', as: 'head' }, { name: 'Column' }, { name: 'Value' }, { name: 'Not read because' }],
    rows: rows.slice(0, MOST_UNPARSED).map(({ row, column, value, reason }) => ({
      id: `row-${row}`,
      tone: 'bad',
      cells: [row, column, { text: value.slice(0, 200), as: 'long' }, { text: reason, as: 'long' }],
    })),
    empty: { text: 'Every row could be read.' },
    ...(more > 0 && { note: `${more} more rows could not be read.` }),
  };
}
