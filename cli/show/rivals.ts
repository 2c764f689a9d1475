import type { LinesSum } from '../../src/domain/balance/rivalry.ts';
import type { RivalFiles } from '../../src/domain/balance/rivals.ts';
import { money } from './money.ts';
import { counted } from './statement.ts';

// Statements that cannot be right together with one that was imported.

/** `only` is what the other statement has alone, `onlyHere` what the imported one has, `both` what both have. */
export function rivalJson({ one, rivalry: { how, ...sums } }: RivalFiles) {
  return {
    statement: one.statement,
    file: one.file.name,
    how,
    currency: one.currency,
    only: sumJson(sums.one),
    onlyHere: sumJson(sums.other),
    both: sumJson(sums.both),
  };
}

function sumJson({ lines, minor }: LinesSum) {
  return { lines, sum: money(minor) };
}

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
  const alone = [
    `${sumText(rivalry.one, currency)} only there`,
    ...(rivalry.other.lines === 0 ? [] : [`${sumText(rivalry.other, currency)} only here`]),
  ];
  const lines = rivalry.one.lines === 0 && rivalry.other.lines === 0 ? [] : alone;
  const balances = balanceTexts({ one, other });
  const [first, second] = other.isFaulty && !one.isFaulty ? [other, one] : [one, other];
  return [
    `It shows the same days as ${there} otherwise: ${[...lines, ...balances].join('; ')}.`,
    `Remove the outdated one: tallyhook statements remove ${first.statement} (or ${second.statement}). Until then the lines of both count.`,
  ];
}

function balanceTexts({ one, other }: Pick<RivalFiles, 'one' | 'other'>): string[] {
  return (['opening', 'closing'] as const).flatMap((name) => {
    const [there, here] = [one[name], other[name]];
    if (there === null || here === null || there === here) return [];
    return [`${name} ${money(there)} there, ${money(here)} here`];
  });
}

function sumText({ lines, minor }: LinesSum, currency: string): string {
  return `${counted(lines, 'line')} of ${money(minor)} ${currency}${lines === 1 ? '' : ' in all'}`;
}
