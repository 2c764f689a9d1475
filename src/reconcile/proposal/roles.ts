import { type Cell, cellText } from '../file/cell.ts';
import { dateFormOf, numberFormOf } from './forms.ts';
import type { Guess } from './guess.ts';
import { cellsOfColumn, type FoundTable, roleOf } from './table.ts';
import { type ColumnRole, CREDIT_WORDS, DEBIT_WORDS } from './words.ts';

/** A column of the file and what it probably holds. */
export interface RoleGuess extends Guess<string | number> {
  readonly index: number;
}
export type Roles = Partial<Record<ColumnRole, RoleGuess>>;

/** Returns which column holds what: by the words of the header, or without one by what stands in the columns. */
export function rolesOf(table: FoundTable): Roles {
  if (table.header === null) return byContent(table, {});
  const named = byHeader(table, table.header);
  return isEnough(named) ? named : byContent(table, named);
}

/** Whether the header said where the date and the amount are. */
function isEnough({ date, signed, debit, credit, net, gross }: Roles): boolean {
  return date !== undefined && [signed, debit ?? credit, net, gross].some((role) => role !== undefined);
}

function byHeader(table: FoundTable, header: readonly string[]): Roles {
  const roles: Roles = {};
  for (const [index, name] of header.entries()) {
    const role = roleOf(name);
    if (role === null || roles[role] !== undefined) continue;
    const value = columnName(header, index);
    roles[role] = { index, value, why: `the header says so${exampleOf(cellsOfColumn(table.lines, index))}` };
  }
  if (roles.date === undefined && roles.valueDate !== undefined) {
    roles.date = roles.valueDate;
    delete roles.valueDate;
  }
  if (roles.reference === undefined && roles.transactionReference !== undefined) {
    roles.reference = roles.transactionReference;
    delete roles.transactionReference;
  }
  const words = (role: ColumnRole) => wordsOf(cellsOfColumn(table.lines, roles[role]?.index ?? -1));
  if (roles.sign === undefined && roles.type !== undefined && areDirections(words('type'))) {
    roles.sign = roles.type;
    delete roles.type;
  }
  return withDirection(table, header, roles);
}

/** Of amounts without a sign, a column of debit and credit words has the direction, whatever its header; signed amounts have their own. */
function withDirection(table: FoundTable, header: readonly string[], roles: Roles): Roles {
  const amount = roles.net ?? roles.signed ?? roles.gross;
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

function isNegative(cell: Cell): boolean {
  return /^[-(\u2212]|-$/.test(cellText(cell).trim());
}

/** Adds what stands in the columns that no role has yet. */
function byContent(table: FoundTable, named: Roles): Roles {
  const roles: Roles = { ...named };
  const taken = new Set(Object.values(named).map(({ index }) => index));
  const claim = (role: ColumnRole, index: number, why: string) => {
    const value = columnName(table.header, index);
    roles[role] ??= { index, value, why: `${why}${exampleOf(cellsOfColumn(table.lines, index))}` };
  };
  for (let index = 0; index < table.width; index++) {
    if (taken.has(index)) continue;
    const cells = cellsOfColumn(table.lines, index);
    const words = wordsOf(cells);
    if (words.length === 0) continue;
    if (share(cells, (cell) => (typeof cell === 'string' ? dateFormOf([cell]) !== null : cell.kind === 'date')) > 0.8) {
      claim(roles.date === undefined ? 'date' : 'valueDate', index, 'it holds dates');
    } else if (areDirections(words)) claim('sign', index, 'it holds debit and credit words');
    else if (words.every((word) => /^[A-Z]{3}$/.test(word)) && words.length <= 10)
      claim('currency', index, 'it holds codes of three letters');
    else if (isMoney(cells)) claim(roles.signed === undefined ? 'signed' : 'balance', index, 'it holds amounts');
    else if (words.length > cells.length * 0.8 && words.every((word) => /^\S{4,}$/.test(word)))
      claim('reference', index, 'each value is another one, without blanks');
    else if (words.length <= 20 && words.length < cells.length) claim('type', index, 'it holds few words, often');
    else claim('text', index, 'it holds text');
  }
  return roles;
}

/** Its header; its number from 1 where it has none, or where two columns have it. */
function columnName(header: readonly string[] | null, index: number): string | number {
  const name = header?.[index] ?? '';
  return name !== '' && header?.indexOf(name) === header?.lastIndexOf(name) ? name : index + 1;
}

export function wordsOf(cells: readonly Cell[]): string[] {
  return [...new Set(cells.map(cellText))].filter((word) => word !== '');
}

function areDirections(words: readonly string[]): boolean {
  return (
    words.length > 0 && words.length <= 2 && words.every((word) => DEBIT_WORDS.test(word) || CREDIT_WORDS.test(word))
  );
}

function isMoney(cells: readonly Cell[]): boolean {
  const filled = cells.filter((cell) => cellText(cell) !== '');
  const typed = filled.every((cell) => typeof cell !== 'string' && cell.kind === 'number');
  const decimals = filled.some((cell) => /[.,]\d{2}\)?-?$/.test(cellText(cell)));
  return (
    typed ||
    (decimals &&
      filled.every((cell) => /^[-+(\u2212]?[\d.,'’ \u00a0]+[-)]?$/.test(cellText(cell))) &&
      numberFormOf(filled).value !== null)
  );
}

function share(cells: readonly Cell[], holds: (cell: Cell) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length;
}

function exampleOf(cells: readonly Cell[]): string {
  const example = cells.map(cellText).find((text) => text !== '');
  return example === undefined ? '' : `: ${JSON.stringify(example.slice(0, 40))}`;
}
