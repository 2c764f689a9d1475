import type { LinesSum } from '../../domain/balance/rivalry.ts';
import type { RivalFiles } from '../../domain/balance/rivals.ts';
import { money } from '../../domain/money/amount.ts';
import type { ControlCheck, StatementTotals } from '../../domain/statements/statement.ts';
import { counted } from '../../domain/text/quantity-text.ts';
import type { StatementSummary } from '../../store/statements.ts';

// Statements in words, for every command and page that shows them.

/** `wallet-main (wallet, test)` */
export function accountText({ name, kind, environment }: StatementSummary['account']): string {
  return `${name} (${kind}, ${environment})`;
}

/**
 * What a file says of its balances: `opening 1000.00 + lines -20.00 = closing 980.00 NGN`. Where rows could not be read or a total is
 * wrong, `opening 1000.00 + lines -20.00 ≠ closing 985.00 NGN: a difference of 5.00`.
 */
export function balanceTexts({ balances }: StatementTotals): string[] {
  return balances.map(({ currency, opening, closing, sum }) => {
    if (opening === null || closing === null) return `lines ${money(sum)} ${currency}`;
    const difference = closing - opening - sum;
    const [sign, rest] = difference === 0n ? ['=', ''] : ['≠', `: a difference of ${money(difference)}`];
    return `opening ${money(opening)} + lines ${money(sum)} ${sign} closing ${money(closing)} ${currency}${rest}`;
  });
}

/** What does not add up: `october.csv, row 9, column Balance: closing NGN: the file says 980.00, its lines make 981.00`. */
export function controlText(file: string, check: ControlCheck): string {
  const { stated, computed } = checkedValues(check);
  const { row, column } = check.cell;
  const place = check.row === null ? '' : ` from row ${check.row} on`;
  const currency = check.currency === null ? '' : ` ${check.currency}`;
  return `${file}, row ${row}, column ${column}: ${check.control}${currency}${place}: the file says ${stated}, its lines make ${computed}`;
}

/** What a file says of itself, and what its lines make. */
export function checkedValues({ control, stated, computed }: ControlCheck) {
  if (control === 'rows') return { stated: Number(stated), computed: Number(computed) };
  return { stated: money(stated), computed: money(computed) };
}

/** What to do about a check that failed, beside asking for the file again. */
export const CURES: Readonly<Record<ControlCheck['control'], string>> = {
  rows: 'Is the file complete, and do file.skipRows and file.footer of the profile leave out no line?',
  sum: 'Are lines missing or altered, or is the amount in another column?',
  closing: 'Are lines missing or altered, or do the balances stand in other cells?',
  running: 'Is a line missing or altered before this row?',
  net: 'Do net, gross, fee, tax and duty of the profile name the right columns?',
};

/** What is wrong with the two, and what to do, as sentences. */
export function rivalTexts({ one, other, rivalry }: RivalFiles): string[] {
  const { currency } = one;
  const there = `statement ${one.statement} (${one.file.name})`;
  if (rivalry.how === 'repeating') {
    const { lines } = rivalry.both;
    return [
      `It goes on where ${there} ended, and ${sumText(rivalry.both, currency)} of it equal${lines === 1 ? 's' : ''} a line there: taken as the same, counted once.`,
      `If both moved money, put the lines of both files into one file, remove statements ${one.statement} and ${other.statement}, and import that.`,
    ];
  }
  const sides = [[rivalry.one, 'there'] as const, [rivalry.other, 'here'] as const];
  const lines = sides.flatMap(([sum, where]) => (sum.lines === 0 ? [] : [`${sumText(sum, currency)} only ${where}`]));
  const balances = daysAndBalances({ one, other });
  const [first, second] = other.isFaulty && !one.isFaulty ? [other, one] : [one, other];
  return [
    `It shows the same days as ${there} otherwise: ${[...lines, ...balances].join('; ')}.`,
    `Remove the outdated one: tallyhook statements remove ${first.statement} (or ${second.statement}). Until then the lines of both count.`,
  ];
}

/** Where the two differ in their days and balances. */
function daysAndBalances({ one, other }: Pick<RivalFiles, 'one' | 'other'>): string[] {
  const isSame = one.from === other.from && one.to === other.to;
  const days = isSame ? [] : [`${one.from} to ${one.to} there, ${other.from} to ${other.to} here`];
  const balances = (['opening', 'closing'] as const).flatMap((name) => {
    const [there, here] = [one[name], other[name]];
    if (there === null || here === null || there === here) return [];
    return [`${name} ${money(there)} there, ${money(here)} here`];
  });
  return [...days, ...balances];
}

function sumText({ lines, minor }: LinesSum, currency: string): string {
  return `${counted(lines, 'line')} of ${money(minor)} ${currency}${lines === 1 ? '' : ' in all'}`;
}
