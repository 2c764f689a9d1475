import { type SheetCell, spreadsheet } from '../statements/spreadsheet.ts';
import { type Dialect, serialOf } from './dialects.ts';
import { MISSTATED } from './faults/files.ts';
import type { FilePlan } from './files.ts';
import { moneyText, sumOf } from './money.ts';
import type { FileLine } from './story.ts';

/** The columns of the table, in their order; two amounts where debit and credit are apart. */
export const COLUMNS = [
  ...['date', 'reference', 'session', 'transaction', 'batch', 'type', 'details'],
  ...['amount', 'debit', 'credit', 'direction', 'gross', 'fee', 'tax', 'duty', 'net', 'balance'],
] as const;
export type Column = (typeof COLUMNS)[number];

/** A cell as text; money and days apart, because a spreadsheet types them. */
type Cell = string | { readonly money: bigint } | { readonly day: string };
type Row = readonly Cell[];

export interface WrittenFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** The rows of a line as a spreadsheet shows them: several where its charges have rows of their own. */
  readonly rowsOf: ReadonlyMap<FileLine, readonly number[]>;
}

export function columnsOf({ amount, charges, hasGrossAndNet, hasRunning }: Dialect): readonly Column[] {
  const of: Readonly<Partial<Record<Column, boolean>>> = {
    ...{ amount: amount !== 'debitCredit', debit: amount === 'debitCredit', credit: amount === 'debitCredit' },
    ...{ direction: amount === 'unsigned', gross: hasGrossAndNet, net: hasGrossAndNet, balance: hasRunning },
    ...{ fee: charges === 'columns', tax: charges === 'columns', duty: charges === 'columns' },
  };
  return COLUMNS.filter((column) => of[column] !== false);
}

/** Writes a file as its dialect has it. */
export function writeFile(plan: FilePlan): WrittenFile {
  const { dialect, account, from, lines } = plan;
  const columns = columnsOf(dialect);
  const table: Row[] = [];
  const placed = new Map<FileLine, number[]>();
  let balance = plan.opening;
  for (const [index, line] of lines.entries()) {
    for (const part of partsOf(line, dialect)) {
      balance += part.amount;
      const jump = plan.fault === 'running' && index === 1 ? 100n : 0n;
      placed.set(line, [...(placed.get(line) ?? []), table.length]);
      table.push(cellsOf({ ...line, ...part }, columns, dialect, balance + jump, plan.fault === 'net' && index === 0));
    }
  }
  const total = table.length;
  if (dialect.newestFirst) table.reverse();
  const head = [...dialect.above.map((what) => outside(what, plan, total)), ...(dialect.hasHeader ? [columns] : [])];
  const rowOf = (index: number) => head.length + 1 + (dialect.newestFirst ? total - 1 - index : index);
  const rows = [...head, ...table, ...dialect.below.map((what) => outside(what, plan, total))];
  return {
    name: `${account.name}-${from}.${dialect.format}`,
    bytes: bytesOf(rows, dialect, columns.length),
    rowsOf: new Map([...placed].map(([line, indexes]) => [line, indexes.map(rowOf)])),
  };
}

interface Part {
  readonly type: FileLine['type'];
  readonly amount: bigint;
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly duty: bigint | null;
}

/** The rows of one line: one, or its principal and a row for each charge. */
function partsOf(line: FileLine, { charges }: Dialect): readonly Part[] {
  const { fee, tax, duty, type, amount } = line;
  if (charges !== 'rows') return [{ type, amount, fee, tax, duty }];
  const said = { fee: null, tax: null, duty: null };
  const own = [['fee', fee ?? 0n] as const, ['tax', tax ?? 0n] as const, ['duty', duty ?? 0n] as const];
  const principal = { ...said, type, amount: amount + sumOf(own.map(([, part]) => part)) };
  return [
    principal,
    ...own.filter(([, part]) => part !== 0n).map(([name, part]) => ({ ...said, type: name, amount: -part })),
  ];
}

function cellsOf(line: FileLine, columns: readonly Column[], dialect: Dialect, balance: bigint, oddNet: boolean): Row {
  const { amount, fee, tax, duty, unreadable } = line;
  const [out, size] = [amount < 0n, amount < 0n ? -amount : amount];
  const said = (part: bigint | null): Cell => (part === null ? '' : { money: part });
  const money = (shown: boolean, value: bigint): Cell => (!shown ? '' : (unreadable ?? { money: value }));
  const gross = amount + (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n);
  const isSale = line.type === 'collection' || oddNet;
  const cells: Readonly<Record<Column, Cell>> = {
    date: { day: line.day },
    ...{ reference: line.reference ?? '', session: line.sessionId ?? '', transaction: line.transactionReference ?? '' },
    ...{ batch: line.group ?? '', type: line.word ?? dialect.words[line.type], details: 'Order "7", part; 1' },
    amount: money(true, dialect.amount === 'unsigned' ? size : amount),
    ...{ debit: money(out, size), credit: money(!out, size), direction: out ? 'DR' : 'CR' },
    ...{ fee: said(fee), tax: said(tax), duty: said(duty), gross: isSale ? { money: gross } : '' },
    net: isSale ? { money: oddNet ? amount + 1n : amount } : '',
    balance: { money: balance },
  };
  return columns.map((column) => cells[column]);
}

/** A row outside the table. */
function outside(what: Dialect['above'][number], plan: FilePlan, rows: number): Row {
  const { opening, closing, from, to, fault, lines } = plan;
  const rowsOf: Readonly<Record<typeof what, () => Row>> = {
    title: () => ['Statement of account'],
    covers: () => ['From', { day: from }, 'To', { day: to }],
    opening: () => ['Opening balance', { money: opening }],
    closing: () => ['Closing balance', { money: closing + (fault === 'closing' ? MISSTATED : 0n) }],
    rows: () => ['Rows', String(rows + (fault === 'rows' ? 1 : 0))],
    sum: () => ['Sum', { money: sumOf(lines.map(({ amount }) => amount)) + (fault === 'sum' ? 1n : 0n) }],
  };
  return rowsOf[what]();
}

function bytesOf(rows: readonly Row[], dialect: Dialect, width: number): Buffer {
  const padded = rows.map((row) => [...row, ...Array<Cell>(Math.max(0, width - row.length)).fill('')]);
  if (dialect.format === 'xlsx')
    return spreadsheet(
      padded.map((row) => row.map(typed)),
      'Statement',
    );
  const { delimiter, encoding, money, date } = dialect;
  const text = (cell: Cell) => (typeof cell === 'string' ? cell : 'money' in cell ? money(cell.money) : date(cell.day));
  const quoted = (cell: string) =>
    cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const whole = padded.map((row) => `${row.map((cell) => quoted(text(cell))).join(delimiter)}\r\n`).join('');
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${whole}`, 'utf16le');
  return Buffer.from(whole, encoding === 'windows-1252' ? 'latin1' : 'utf8');
}

/** What a spreadsheet really keeps of an amount: a double, with all of its digits. */
function typed(cell: Cell): SheetCell {
  if (typeof cell === 'string') return cell === '' ? null : /^\d{1,9}$/.test(cell) ? { n: cell } : cell;
  return 'day' in cell ? { d: serialOf(cell.day) } : { n: Number(moneyText(cell.money)).toPrecision(17) };
}
