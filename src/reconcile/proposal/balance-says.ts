import { type Cell, cellText } from '../file/cell.ts';
import { numberReader } from '../file/number.ts';
import { exampleOf, isNegative, type RoleGuess, type Roles } from './columns.ts';
import { numberFormOf } from './forms.ts';
import type { Guess } from './guess.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';

// What a running balance tells of money out and in: which of two columns is which, and what a minus in them means.

/** What a minus means in columns of money out and in; `none`: there is none. */
type Minus = 'none' | 'debit' | 'reversal';

/** Returns money out and in the other way round where the running balance says so. */
export function asBalanceSays(table: FoundTable, roles: Roles): Roles {
  const { debit, credit, balance } = roles;
  if (debit === undefined || credit === undefined || balance === undefined) return roles;
  const held = (out: RoleGuess, into: RoleGuess) =>
    Math.max(...minusesOf(table, out, into).map((minus) => stepsHeld(table, { out, into, balance, minus })));
  if (held(credit, debit) <= held(debit, credit)) return roles;
  const why = (what: string, { index }: RoleGuess) =>
    `${what}, as the running balance says${exampleOf(cellsOfColumn(table.lines, index))}`;
  return {
    ...roles,
    debit: { ...credit, why: why('money out', credit) },
    credit: { ...debit, why: why('money in', debit) },
  };
}

/** Returns what a minus in the columns of money out and in means; null: no amount has one. */
export function minusOf(table: FoundTable, { debit, credit, balance }: Roles): Guess<string> | null {
  if (debit === undefined || credit === undefined) return null;
  const minuses = minusesOf(table, debit, credit);
  const [first = 'none'] = minuses;
  if (first === 'none') return null;
  const held =
    balance === undefined ? [] : minuses.map((minus) => stepsHeld(table, { out: debit, into: credit, balance, minus }));
  const [ofFirst = 0, ofOther = 0] = held;
  const isFirst = ofFirst >= ofOther;
  const told =
    ofFirst === ofOther
      ? 'debit: each amount out has a minus; reversal: it takes one back'
      : 'as the running balance says';
  return {
    value: isFirst ? first : (minuses[1] ?? first),
    why: `${told}${exampleOf(negatives(table, debit, credit))}`,
  };
}

/** Returns what a minus may mean, the more probable first. */
function minusesOf(table: FoundTable, out: RoleGuess, into: RoleGuess): readonly Minus[] {
  const filled = cellsOfColumn(table.lines, out.index).filter((cell) => /[1-9]/.test(cellText(cell)));
  if (negatives(table, out, into).length === 0) return ['none'];
  const isEach = filled.length > 0 && filled.every(isNegative);
  return isEach ? ['debit', 'reversal'] : ['reversal', 'debit'];
}

function negatives({ lines }: FoundTable, ...columns: readonly RoleGuess[]): Cell[] {
  return columns.flatMap(({ index }) => cellsOfColumn(lines, index).filter(isNegative));
}

/** Lines that show enough. */
const MOST_STEPS = 5_000;

interface Reading {
  readonly out: RoleGuess;
  readonly into: RoleGuess;
  readonly balance: RoleGuess;
  readonly minus: Minus;
}

/** Returns how many balances are the one before plus the amount; with the newest line first, the one below plus the amount. */
function stepsHeld({ lines: all }: FoundTable, { out, into, balance, minus }: Reading): number {
  const lines = all.slice(0, MOST_STEPS);
  const [outs, ins, balances] = [out, into, balance].map(({ index }) => cellsOfColumn(lines, index)) as [
    Cell[],
    Cell[],
    Cell[],
  ];
  const read = numberReader(numberFormOf([...outs, ...ins, ...balances]).value);
  const value = (cell: Cell | undefined) => {
    const found = read(cell ?? '');
    return typeof found === 'bigint' ? found : 0n;
  };
  const moved = lines.map((_, index) => {
    const [paid, got] = [value(outs[index]), value(ins[index])];
    return minus === 'debit' ? got + paid : got - paid;
  });
  const after = balances.map(value);
  const held = (step: -1 | 1) =>
    after.filter((one, index) => {
      const before = after[index - step];
      return before !== undefined && moved[index] !== 0n && before + (moved[index] ?? 0n) === one;
    }).length;
  return Math.max(held(1), held(-1));
}
