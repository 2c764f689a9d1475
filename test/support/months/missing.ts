import { numberOf, october } from '../month/days.ts';
import { sumOf } from '../month/money.ts';
import type { AccountName } from '../month/story.ts';
import type { Chance } from './chance.ts';
import type { Part } from './cut.ts';
import { lineOf } from './payments.ts';
import { type Deed, OPENING, PERIODS, type Verdict } from './world.ts';

/** An account with a file for each third of a month, of which some never come: what its balances moved in these days is a gap. */
export function missingDays(
  chance: Chance,
  account: AccountName,
): { readonly deed: Deed; readonly parts: readonly Part[][] } {
  const gaps: { readonly from: number; readonly stage: number; readonly verdict: Verdict }[] = [];
  const [lines, unseen]: [Deed['lines'][number][], Deed['lines'][number][]] = [[], []];
  let balance = OPENING;
  const parts = PERIODS.map(({ first, last }, stage) => {
    const isMissing = chance.once(2);
    const thirds: Part[] = [
      [first, first + 9],
      [first + 10, first + 19],
      [first + 20, last],
    ];
    for (const [index, days] of thirds.entries()) {
      const own = days.map((day) => lineOf(account, october(day), { type: 'adjustment', amount: chance.amount() }));
      const moved = sumOf(own.map(({ amount }) => amount));
      const isSeen = !isMissing || index !== 1;
      (isSeen ? lines : unseen).push(...own.map((line) => ({ line, stage })));
      if (!isSeen) gaps.push({ from: first + 20, stage, verdict: gapOf(account, balance, moved) });
      balance += moved;
    }
    return thirds.filter((_, index) => !isMissing || index !== 1);
  });
  const postings = lines.map(({ line: { amount, day }, stage }) => ({
    account,
    day: numberOf(day),
    row: 'adjustments' as const,
    amount,
    stage,
  }));
  const verdicts: Deed['verdicts'] = ({ day, stage }) =>
    gaps.filter((gap) => gap.from <= day && gap.stage <= stage).map(({ verdict }) => verdict);
  return { deed: { plant: 'days that no file covers', records: [], postings, lines, unseen, verdicts }, parts };
}

function gapOf(account: AccountName, before: bigint, moved: bigint): Verdict {
  return {
    ...{ code: 'statement_gap', leg: null, account, reference: null },
    ...{ ours: before, theirs: before + moved, effect: moved },
  };
}
