import type { Cell } from '../file/cell.ts';
import { asBalanceSays } from './balance-says.ts';
import { columnName, exampleOf, isMoney, isNegative, type RoleGuess, type Roles, share, wordsOf } from './columns.ts';
import { pairOf } from './debit-credit.ts';
import { dateFormOf } from './forms.ts';
import { withMovedAmount } from './moved-amount.ts';
import { runningBalance } from './running-balance.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { withTypes } from './type-column.ts';
import { type ColumnRole, CREDIT_WORDS, DEBIT_WORDS, isDateName, isDocument, roleOf } from './words.ts';

/** Returns which column holds what: by the words of the header, or without one by what stands in the columns. */
export function rolesOf(table: FoundTable): Roles {
  return asBalanceSays(table, namedOrFound(table));
}

function namedOrFound(table: FoundTable): Roles {
  if (table.header === null) return withTypes(table, byContent(table, withPair(table, {})));
  const named = withPair(table, byHeader(table, table.header));
  return withTypes(table, isEnough(named) ? named : byContent(table, named));
}

/** Adds the columns of money out and in, where the header does not say both, and no column holds the amount. */
function withPair(table: FoundTable, roles: Roles): Roles {
  const { signed, net, gross, debit, credit } = roles;
  if (signed ?? net ?? gross ?? (debit && credit)) return roles;
  return { ...roles, ...pairOf(table, roles) };
}

/** Whether the header said where the date and the amount are. */
function isEnough({ date, signed, debit, credit, net, gross }: Roles): boolean {
  return date !== undefined && [signed, debit ?? credit, net, gross].some((role) => role !== undefined);
}

function byHeader(table: FoundTable, header: readonly string[]): Roles {
  const roles: Roles = {};
  for (const [index, name] of header.entries()) {
    const cells = cellsOfColumn(table.lines, index);
    const role = roleOf(name);
    if (role === null || roles[role] !== undefined) continue;
    const value = columnName(header, index);
    roles[role] = { index, value, why: `the header says so${exampleOf(cells)}` };
  }
  const document = documentOf(table, header);
  if (roles.reference === undefined && document !== undefined) roles.reference = document;
  if (roles.date === undefined && roles.valueDate !== undefined) {
    roles.date = roles.valueDate;
    delete roles.valueDate;
  }
  const dated = datesOf(table, header);
  if (roles.date === undefined && dated !== undefined) roles.date = dated;
  if (roles.reference === undefined && roles.transactionReference !== undefined) {
    roles.reference = roles.transactionReference;
    delete roles.transactionReference;
  }
  const words = (role: ColumnRole) => wordsOf(cellsOfColumn(table.lines, roles[role]?.index ?? -1));
  if (roles.sign === undefined && roles.type !== undefined && areDirections(words('type'))) {
    roles.sign = roles.type;
    delete roles.type;
  }
  return withDirection(table, header, withMovedAmount(table, roles));
}

/** A column that is named as some date, and holds dates. */
function datesOf(table: FoundTable, header: readonly string[]): RoleGuess | undefined {
  const index = header.findIndex(
    (name, at) => roleOf(name) === null && isDateName(name) && areDates(cellsOfColumn(table.lines, at)),
  );
  if (index < 0) return undefined;
  const why = `the header says so${exampleOf(cellsOfColumn(table.lines, index))}`;
  return { index, value: columnName(header, index), why };
}

function areDates(cells: readonly Cell[]): boolean {
  return share(cells, (cell) => (typeof cell === 'string' ? dateFormOf([cell]) !== null : cell.kind === 'date')) > 0.8;
}

function documentOf(table: FoundTable, header: readonly string[]): RoleGuess | undefined {
  const index = header.findIndex((name) => roleOf(name) === null && isDocument(name));
  if (index < 0) return undefined;
  const why = `a document is named there${exampleOf(cellsOfColumn(table.lines, index))}`;
  return { index, value: columnName(header, index), why };
}

/** Of amounts without a sign, a column of debit and credit words has the direction, under any header; signed amounts have their own. */
function withDirection(table: FoundTable, header: readonly string[], roles: Roles): Roles {
  const amount = roles.signed ?? roles.net ?? roles.gross;
  if (amount === undefined) return roles;
  if (cellsOfColumn(table.lines, amount.index).some(isNegative)) {
    const { sign: _sign, ...signed } = roles;
    return signed;
  }
  if (roles.sign !== undefined || (roles.debit !== undefined && roles.credit !== undefined)) return roles;
  const taken = new Set(Object.values(roles).map(({ index }) => index));
  const index = header.findIndex((_, at) => !taken.has(at) && areDirections(wordsOf(cellsOfColumn(table.lines, at))));
  if (index < 0) return roles;
  const why = `it holds debit and credit words${exampleOf(cellsOfColumn(table.lines, index))}`;
  return { ...roles, sign: { index, value: columnName(header, index), why } };
}

/** Adds what stands in the columns that no role has yet. */
function byContent(table: FoundTable, named: Roles): Roles {
  const roles: Roles = { ...named };
  const taken = new Set(Object.values(named).map(({ index }) => index));
  const assign = (role: ColumnRole, index: number, why: string) => {
    const value = columnName(table.header, index);
    roles[role] ??= { index, value, why: `${why}${exampleOf(cellsOfColumn(table.lines, index))}` };
  };
  const free = Array.from({ length: table.width }, (_, index) => index).filter((index) => !taken.has(index));
  const isAmountKnown = [roles.signed, roles.debit, roles.credit, roles.net, roles.gross].some(
    (role) => role !== undefined,
  );
  const running = isAmountKnown
    ? null
    : runningBalance(table, [...free, ...(roles.balance ? [roles.balance.index] : [])]);
  if (running !== null) {
    assign('signed', running.amount, 'another column is its running balance');
    assign('balance', running.balance, 'each value is the one before, plus the amount');
    taken.add(running.amount).add(running.balance);
  }
  for (const index of free) {
    if (taken.has(index)) continue;
    const cells = cellsOfColumn(table.lines, index);
    const words = wordsOf(cells);
    if (words.length === 0) continue;
    if (areDates(cells)) {
      assign(roles.date === undefined ? 'date' : 'valueDate', index, 'it holds dates');
    } else if (areDirections(words)) assign('sign', index, 'it holds debit and credit words');
    else if (areCodes(words)) assign('currency', index, 'it holds codes of three letters');
    else if (isMoney(cells))
      assign(
        (roles.signed ?? roles.net ?? roles.debit) === undefined ? 'signed' : 'balance',
        index,
        'it holds amounts',
      );
    else if (words.length > cells.length * 0.8 && words.every((word) => /^\S{4,}$/.test(word)))
      assign('reference', index, 'each value is another one, without blanks');
    else if (words.length <= 20 && words.length < cells.length) assign('type', index, 'it holds few words, often');
    else assign('text', index, 'it holds text');
  }
  return roles;
}

function areCodes(words: readonly string[]): boolean {
  return words.length > 0 && words.length <= 10 && words.every((word) => /^[A-Z]{3}$/.test(word));
}

function areDirections(words: readonly string[]): boolean {
  return (
    words.length > 0 && words.length <= 2 && words.every((word) => DEBIT_WORDS.test(word) || CREDIT_WORDS.test(word))
  );
}
