import { magnitude } from '../../domain/money/amount.ts';
import type { LineType } from '../../domain/statements/lines.ts';
import type { StatementLine } from '../../domain/statements/statement.ts';
import type { ColumnRef } from '../profile/columns.ts';
import type { Profile } from '../profile/load.ts';
import { amountReader } from './amount.ts';
import { BROKEN, type Cell, cellText, isBroken, isTooLong, type Row, TOO_LONG } from './cell.ts';
import { type Column, type Columns, columnsOfRow } from './columns.ts';
import { dateReader } from './dates.ts';
import { idProblem } from './ids.ts';
import { numberReader } from './number.ts';
import { NO_LINE_ADVICE } from './problem.ts';

/** What a row says. */
export interface ReadRow {
  /** The line, before it has a fingerprint. */
  readonly said: Omit<StatementLine, 'row' | 'fingerprint' | 'occurrence'>;
  /** For the check of `net`. */
  readonly net: bigint | null;
  readonly gross: bigint | null;
}

/** Why a row could not be read. */
export interface RowFault {
  /** Null when the row as a whole is not readable. */
  readonly column: string | null;
  readonly value: string;
  /** What follows "It …": what is wrong, and what to do. */
  readonly reason: string;
  /** The day and the currency of the row; null: it cannot be read. */
  readonly date: string | null;
  readonly currency: string | null;
}

export type RowReader = (row: Row) => ReadRow | RowFault;

export function isFault(read: ReadRow | RowFault): read is RowFault {
  return 'reason' in read;
}

const CURRENCY = /^[A-Z][A-Z0-9]{2,9}$/;
const NO_CENTS =
  'is a currency without two decimals, and number.unit: minor counts hundredths. Have the file made with amounts in major units';

/** Returns whether the minor unit of a currency is a hundredth, as is that of a code that ISO 4217 does not know. Remembers what it has looked up. */
function hundredths(): (currency: string) => boolean {
  const known = new Map<string, boolean>();
  return (currency) => {
    const found =
      known.get(currency) ??
      (currency.length !== 3 ||
        new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2);
    known.set(currency, found);
    return found;
  };
}

/** Returns the reader of the rows of one file, whose columns are known. */
export function rowReader(profile: Profile, columns: Columns): RowReader {
  const dates = dateReader(profile.dateFormat ?? null, profile.zone);
  const number = numberReader(profile.number);
  const isMinor = profile.number.unit === 'minor';
  const hasHundredths = hundredths();
  const amountOf = amountReader(profile.amount, columns, number);
  const types = new Map<string, LineType>(Object.entries(profile.types).map(([word, type]) => [word.trim(), type]));
  const place = (ref: ColumnRef | undefined) => (ref === undefined ? null : columns.of(ref));
  const { columns: refs } = profile;
  const at = {
    date: columns.of(refs.date),
    valueDate: place(refs.valueDate),
    time: place(refs.time),
    reference: place(refs.reference),
    sessionId: place(refs.sessionId),
    transactionReference: place(refs.transactionReference),
    group: place(refs.group),
    type: place(refs.type),
    currency: place(refs.currency),
    text: place(refs.text),
    counterparty: place(refs.counterparty),
    fee: place(profile.fee),
    tax: place(profile.tax),
    duty: place(profile.duty),
    gross: place(profile.gross),
    net: place(profile.net),
    balance: place(profile.balance.running),
  };
  const width = profile.file.format === 'csv' ? columns.width : null;
  const named = columnsOfRow(profile, columns);

  let fault: RowFault | null = null;
  const say = (column: Column | null, cell: Cell | undefined, reason: string): null => {
    fault ??= { column: column?.name ?? null, value: rawText(cell), reason, date: null, currency: null };
    return null;
  };
  const money = (row: Row, column: Column | null): bigint | null => {
    if (column === null) return null;
    const value = number(row[column.index] ?? '');
    return typeof value === 'string' ? say(column, row[column.index], value) : value;
  };
  const words = (row: Row, column: Column | null): string | null =>
    column === null ? null : cellText(row[column.index]) || null;
  const id = (row: Row, column: Column | null): string | null => {
    if (column === null) return null;
    const problem = idProblem(row[column.index] ?? '');
    return problem === null ? words(row, column) : say(column, row[column.index], problem);
  };

  return (whole) => {
    fault = null;
    let row = whole;
    if (width !== null && row.length !== width) {
      const reason = cellsProblem(row, width);
      const currency = at.currency === null ? (profile.currency ?? null) : null;
      if (reason !== null) return { column: null, value: row.map(rawText).join(' | '), reason, date: null, currency };
    }
    for (const column of named) {
      const cell = row[column.index];
      if (isBroken(cell)) say(column, cell, BROKEN);
      else if (isTooLong(cell)) {
        say(column, cell, TOO_LONG);
        row = row.with(column.index, '');
      }
    }
    const dateCell = row[at.date.index] ?? '';
    const moment = dates.moment(dateCell, at.time === null ? null : (row[at.time.index] ?? ''));
    if (moment === null) say(at.date, dateCell, NO_DATE);
    else if ('reason' in moment) {
      const column = moment.part === 'date' ? at.date : at.time;
      say(column, row[column?.index ?? 0], moment.reason);
    }
    const valueDay = at.valueDate === null ? null : dates.day(row[at.valueDate.index] ?? '');
    if (typeof valueDay === 'string') say(at.valueDate, row[at.valueDate?.index ?? 0], valueDay);
    const currency =
      at.currency === null
        ? (profile.currency ?? '')
        : cellText(row[at.currency.index]).toUpperCase() || (profile.currency ?? '');
    const isCurrency = CURRENCY.test(currency);
    if (!isCurrency) say(at.currency, row[at.currency?.index ?? 0], 'is no currency code such as NGN: mend the cell');
    else if (isMinor && !hasHundredths(currency)) say(at.currency, currency, NO_CENTS);
    const amount = amountOf(row, say);
    const [fee, tax, duty] = [money(row, at.fee), money(row, at.tax), money(row, at.duty)];
    const [gross, net, balance] = [money(row, at.gross), money(row, at.net), money(row, at.balance)];
    const [reference, sessionId] = [id(row, at.reference), id(row, at.sessionId)];
    const [transactionReference, group] = [id(row, at.transactionReference), id(row, at.group)];
    const date = moment === null || 'reason' in moment ? null : moment.date;
    if (fault !== null || amount === null || moment === null || 'reason' in moment)
      return { ...(fault ?? NOTHING), date, currency: isCurrency ? currency : null };
    const typeText = words(row, at.type) ?? '';
    const charges = (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n);
    const said = {
      date: moment.date,
      valueDate: valueDay === null || typeof valueDay === 'string' ? null : valueDay.date,
      atMs: moment.atMs,
      type: types.get(typeText) ?? types.get(amount < 0n ? '-' : '+') ?? null,
      typeText,
      currency,
      amount,
      principal: magnitude(gross ?? amount + charges),
      fee,
      tax,
      duty,
      balance,
      reference,
      sessionId,
      transactionReference,
      group,
      text: words(row, at.text),
      counterparty: words(row, at.counterparty),
    };
    return { said, net, gross };
  };
}

const NO_DATE = `is empty, and every line has a date: ${NO_LINE_ADVICE}`;
/** Never seen: a row without a fault has an amount and a date. */
const NOTHING: RowFault = {
  column: null,
  value: '',
  reason: 'has no amount and no date: mend the row',
  date: null,
  currency: null,
};

/** Returns why a row has the wrong number of cells; empty cells at its end are no difference. */
function cellsProblem(row: Row, width: number): string | null {
  if (row.length < width)
    return `has ${row.length} cells, and the header has ${width}: mend the row, or is a line break without quotes in it?`;
  const more = row.slice(width).some((cell) => cellText(cell) !== '');
  return more
    ? `has ${row.length} cells, and the header has ${width}: is the delimiter in a text without quotes? Mend the row`
    : null;
}

function rawText(cell: Cell | undefined): string {
  return cell === undefined
    ? ''
    : typeof cell === 'string'
      ? cell
      : cell.kind === 'number'
        ? cell.text
        : cellText(cell);
}
