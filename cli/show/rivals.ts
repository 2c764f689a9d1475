import type { LinesSum } from '../../src/domain/statements/statement-rivals.ts';
import type { RivalFiles } from '../../src/reconcile/rival-files.ts';
import { money } from './money.ts';
import { counted } from './statement.ts';

// Statements that cannot be right together with one that was imported.

/** `only` is what the other statement has alone, `onlyHere` what the imported one has, `both` what both have. */
export function rivalJson({ one, currency, rivalry: { how, ...sums } }: RivalFiles) {
  return {
    statement: one.statement,
    file: one.file.name,
    how,
    currency,
    only: sumJson(sums.one),
    onlyHere: sumJson(sums.other),
    both: sumJson(sums.both),
  };
}

function sumJson({ lines, minor }: LinesSum) {
  return { lines, sum: money(minor) };
}

/** What is wrong with the two, and what to do, as sentences. */
export function rivalTexts({ one, other, currency, rivalry }: RivalFiles): string[] {
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
  const balances = balanceTexts({ one, other, currency });
  const [first, second] = isFaulty(other) && !isFaulty(one) ? [other, one] : [one, other];
  return [
    `It shows the same days as ${there} otherwise: ${[...lines, ...balances].join('; ')}.`,
    `Remove the outdated one: tallyhook statements remove ${first.statement} (or ${second.statement}). Until then the lines of both count.`,
  ];
}

/** The file does not agree with itself, so it is more likely the one to remove. */
function isFaulty({ unparsed, controls }: RivalFiles['one']): boolean {
  return unparsed > 0 || controls.length > 0;
}

function balanceTexts({ one, other, currency }: Pick<RivalFiles, 'one' | 'other' | 'currency'>): string[] {
  return (['opening', 'closing'] as const).flatMap((name) => {
    const [there, here] = [one, other].map(
      ({ balances }) => balances.find((balance) => balance.currency === currency)?.[name] ?? null,
    );
    if (there == null || here == null || there === here) return [];
    return [`${name} ${money(there)} there, ${money(here)} here`];
  });
}

function sumText({ lines, minor }: LinesSum, currency: string): string {
  return `${counted(lines, 'line')} of ${money(minor)} ${currency}${lines === 1 ? '' : ' in all'}`;
}
