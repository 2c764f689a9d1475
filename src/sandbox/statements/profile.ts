import { columnsOf, type Dialect, type Fact, type Field, outsideOf } from './dialect.ts';
import { accountName, type Statement } from './statement.ts';

/** A cell outside the table: rows from 1, negative from the end. */
interface Outpost {
  readonly row: number;
  readonly column: number;
}

/** An import profile, in the fields that docs/sandbox-statements.md shows. */
export interface Profile extends Readonly<Record<string, unknown>> {
  readonly file: FileFacts;
}

interface FileFacts {
  readonly format: 'csv' | 'xlsx';
  readonly sheet?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly skipRows: number;
  readonly header: boolean;
  readonly footer: number;
}

/** The import profile that fits a dialect's file of this account. */
export function profileOf(statement: Statement, dialect: Dialect): Profile {
  const { kind, environment, currency, zone } = statement;
  const columns = columnsOf(dialect, kind);
  const place = (field: Field): string | number | undefined => {
    const position = columns.findIndex((column) => column.field === field);
    if (position < 0) return undefined;
    return dialect.header ? columns[position]?.header : position + 1;
  };
  const cell = (fact: Fact) => cellOf(fact, statement, dialect);
  const isSettlement = kind === 'settlement';
  const file = fileOf(statement, dialect);
  const fields = present({
    version: 1,
    name: `${accountName(statement)}-${dialect.name}`,
    kind,
    account: accountName(statement),
    environment,
    currency: place('currency') === undefined ? currency : undefined,
    file,
    zone,
    columns: present({
      date: place('date'),
      valueDate: place('valueDate'),
      time: place('time'),
      reference: place('reference'),
      sessionId: place('sessionId'),
      transactionReference: place('transactionReference'),
      group: place('group'),
      type: place('type'),
      currency: place('currency'),
      text: place('text'),
      counterparty: place('counterparty'),
    }),
    dateFormat: dialect.file.format === 'csv' ? dialect.date : undefined,
    amount: amountOf(dialect, place),
    number: dialect.file.format === 'csv' ? numberOf(dialect) : undefined,
    fee: place('fee'),
    tax: place('tax'),
    gross: place('gross'),
    net: isSettlement ? place('amount') : undefined,
    types: Object.fromEntries(Object.entries(dialect.types).map(([ours, theirs]) => [theirs, ours])),
    balance: present({ running: place('balance'), opening: cell('opening'), closing: cell('closing') }),
    controls: present({ rows: cell('rows'), sum: cell('sum') }),
    covers: present({ from: cell('from'), to: cell('to') }),
  });
  return { ...fields, file };
}

function fileOf({ kind }: Statement, { file, header, above, below }: Dialect): FileFacts {
  const skipRows = outsideOf(above, kind).length;
  const footer = outsideOf(below, kind).length;
  const shape =
    file.format === 'xlsx'
      ? ({ format: 'xlsx', sheet: file.sheet } as const)
      : ({ format: 'csv', encoding: file.encoding, delimiter: file.delimiter, quote: '"' } as const);
  return { ...shape, skipRows, header, footer };
}

function amountOf({ sign }: Dialect, place: (field: Field) => string | number | undefined): Record<string, unknown> {
  if (sign)
    return {
      unsigned: place('unsigned'),
      sign: { column: place('sign'), debit: [sign.debit], credit: [sign.credit] },
    };
  if (place('debit') !== undefined) return { debitCredit: { debit: place('debit'), credit: place('credit') } };
  return { signed: place('amount') };
}

function numberOf({ number: { decimal, group, unit, negative } }: Dialect): Record<string, unknown> {
  return { decimal, ...(group === '' ? {} : { group }), unit, negative };
}

function cellOf(fact: Fact, { kind }: Statement, { above, below }: Dialect): Outpost | undefined {
  const top = outsideOf(above, kind).findIndex((row) => row.fact === fact);
  if (top >= 0) return { row: top + 1, column: 2 };
  const foot = outsideOf(below, kind);
  const bottom = foot.findIndex((row) => row.fact === fact);
  return bottom < 0 ? undefined : { row: bottom - foot.length, column: 2 };
}

/** The fields that say something: not those that are undefined, nor objects without a field. */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  const says = (value: unknown) =>
    value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => says(value)));
}
