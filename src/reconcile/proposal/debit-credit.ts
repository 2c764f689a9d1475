import { type Cell, cellText, type Row } from '../file/cell.ts';
import { columnName, exampleOf, isMoney, isNegative, type RoleGuess, type Roles } from './columns.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { DEBIT_WORDS, directionOfSale } from './words.ts';

/** Share of the lines of a pair that have one of both amounts: the rest may be lines without any. */
const MOST_LINES = 0.9;

/**
 * Finds the columns of money out and in by what stands in them: two columns of amounts of which no line fills both. A column that the
 * header names is one of them; else the first is taken for money out.
 */
export function pairOf(table: FoundTable, roles: Roles): Pick<Roles, 'debit' | 'credit'> {
  const named = roles.debit ?? roles.credit;
  const taken = new Set(Object.values(roles).map((role) => role?.index));
  const free = Array.from({ length: table.width }, (_, index) => index).filter(
    (index) => !taken.has(index) && isMoney(cellsOfColumn(table.lines, index)),
  );
  const firsts = named === undefined ? free : [named.index];
  for (const first of firsts) {
    const second = free.find((index) => (named !== undefined || index > first) && isPair(table, first, index));
    if (second === undefined) continue;
    const [debit, credit] = roles.credit === undefined ? [first, second] : [second, first];
    return {
      debit: roles.debit ?? guessOf(table, debit, 'money out'),
      credit: roles.credit ?? guessOf(table, credit, 'money in'),
    };
  }
  return {};
}

function guessOf({ header, lines }: FoundTable, index: number, what: string): RoleGuess {
  const why = `no line has this and the other amount; ${what}?${exampleOf(cellsOfColumn(lines, index))}`;
  return { index, value: columnName(header, index), why };
}

function isPair({ lines }: FoundTable, one: number, other: number): boolean {
  const filled = lines.map((row) => [isFilled(row[one]), isFilled(row[other])]);
  const some = [0, 1].every((side) => filled.some((both) => both[side]));
  const single = filled.filter(([first, second]) => first !== second).length;
  return some && single > lines.length * MOST_LINES && !filled.some(([first, second]) => first && second);
}

/** An amount of 0.00 stands where there is none. */
function isFilled(cell: Cell | undefined): boolean {
  const text = cell === undefined ? '' : cellText(cell);
  return /[1-9]/.test(text);
}

/**
 * Returns money out and in the other way round where the types say so: in your own books a debit of an account is what comes in.
 */
export function asTypesSay(table: FoundTable, roles: Roles): Roles {
  const { debit, credit, type } = roles;
  if (debit === undefined || credit === undefined || type === undefined) return roles;
  const votes = new Map<string, number>();
  for (const row of table.lines) {
    const [word, isOut, isIn] = [
      cellText(row[type.index] ?? ''),
      isFilled(row[debit.index]),
      isFilled(row[credit.index]),
    ];
    const direction = directionOfSale(word);
    if (isOut !== isIn) votes.set(word, (votes.get(word) ?? 0) + (isOut ? -direction : direction));
  }
  const sum = [...votes.values()].reduce((one, other) => one + other, 0);
  const [against] = [...votes].sort(([, one], [, other]) => one - other)[0] ?? [''];
  if (sum >= 0) return roles;
  const why = (what: string, { why: before }: RoleGuess) =>
    `${what}, as ${JSON.stringify(against.slice(0, 40))} says${before.replace(/^[^:]*/, '')}`;
  return {
    ...roles,
    debit: { ...credit, why: why('money out', credit) },
    credit: { ...debit, why: why('money in', debit) },
  };
}

/** Whether every line of a word took money (-1) or brought it (1); 0: both, or the columns do not tell. */
export function directionOfWord(table: FoundTable, roles: Roles, word: string): -1 | 0 | 1 {
  const { type } = roles;
  const own = type === undefined ? [] : table.lines.filter((row) => cellText(row[type.index] ?? '') === word);
  const directions = own.map((row) => directionOfLine(row, roles));
  const [first = 0] = directions;
  return directions.every((one) => one === first) ? first : 0;
}

function directionOfLine(row: Row, { debit, credit, net, signed, gross, sign }: Roles): -1 | 0 | 1 {
  if (debit !== undefined && credit !== undefined) return isFilled(row[debit.index]) ? -1 : 1;
  const amount = net ?? signed ?? gross;
  if (amount === undefined) return 0;
  const takes = sign === undefined ? isNegative(row[amount.index] ?? '') : DEBIT_WORDS.test(cellText(row[sign.index]));
  return takes ? -1 : 1;
}
