import type { Money } from '../world/money.ts';
import {
  columnsOf,
  type Dialect,
  type Fact,
  type Field,
  type Forms,
  type Outside,
  otherForms,
  outsideOf,
} from './dialect.ts';
import { accountName, closingOf, type Line, type Statement, sumOf } from './statement.ts';

/** A cell before it has the form of its dialect; null is empty. */
export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'amount'; readonly amount: Money }
  | null;

/** `forms` are the dialect's, or those of another one in a row that has that fault. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly forms: Forms;
  readonly foreign: boolean;
}

/** A file as rows of cells, and the row of each line as a spreadsheet counts: the file's first row is 1. */
export interface Table {
  readonly rows: readonly Row[];
  readonly rowOf: ReadonlyMap<Line, number>;
}

/** Lays a statement out in the columns of a dialect, with its rows above and below the table; `foreign` lines in other forms. */
export function tableOf(statement: Statement, dialect: Dialect, foreign: ReadonlySet<Line>): Table {
  const columns = columnsOf(dialect, statement.kind);
  const ours = (cells: readonly Cell[]): Row => ({ cells, forms: dialect, foreign: false });
  const theirs = (cells: readonly Cell[]): Row => ({ cells, forms: otherForms(dialect), foreign: true });
  const above = outsideOf(dialect.above, statement.kind).map((row) => ours(outsideRow(row, statement)));
  const header = dialect.header ? [ours(columns.map(({ header }) => text(header)))] : [];
  const below = outsideOf(dialect.below, statement.kind).map((row) => ours(outsideRow(row, statement)));
  const first = above.length + header.length + 1;
  let balance = statement.opening;
  const lines = statement.lines.map((line) => {
    balance += line.amount;
    const cells = columns.map(({ field }) => cellOf(field, { line, balance, statement, dialect }));
    return foreign.has(line) ? theirs(cells) : ours(cells);
  });
  const rowOf = new Map(statement.lines.map((line, position) => [line, first + position]));
  return { rows: [...above, ...header, ...lines, ...below], rowOf };
}

const text = (value: string): Cell => (value === '' ? null : { kind: 'text', text: value });
const amount = (value: Money): Cell => ({ kind: 'amount', amount: value });

function outsideRow({ label, fact }: Outside, statement: Statement): Cell[] {
  return fact === null ? [text(label)] : [text(label), factOf(fact, statement)];
}

function factOf(fact: Fact, statement: Statement): Cell {
  switch (fact) {
    case 'account':
      return text(accountName(statement));
    case 'from':
    case 'to':
      return { kind: 'day', day: statement[fact] };
    case 'opening':
      return amount(statement.opening);
    case 'closing':
      return amount(closingOf(statement));
    case 'rows':
      return { kind: 'count', count: statement.lines.length };
    case 'sum':
      return amount(sumOf(statement.lines));
  }
}

function cellOf(
  field: Field,
  { line, balance, statement, dialect }: { line: Line; balance: Money; statement: Statement; dialect: Dialect },
): Cell {
  const magnitude = line.amount < 0n ? -line.amount : line.amount;
  switch (field) {
    case 'date':
    case 'valueDate':
      return { kind: 'day', day: line[field] };
    case 'type':
      return text(dialect.types[line.type]);
    case 'currency':
      return text(statement.currency);
    case 'balance':
      return amount(balance);
    case 'debit':
      return line.amount < 0n ? amount(magnitude) : null;
    case 'credit':
      return line.amount < 0n ? null : amount(magnitude);
    case 'unsigned':
      return amount(magnitude);
    case 'sign':
      return text((line.amount < 0n ? dialect.sign?.debit : dialect.sign?.credit) ?? '');
    case 'gross':
    case 'fee':
    case 'tax':
    case 'amount':
      return amount(line[field]);
    default:
      return text(line[field]);
  }
}
