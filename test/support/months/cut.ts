import { numberOf, october } from '../month/days.ts';
import type { Dialect } from '../month/dialects.ts';
import type { FilePlan } from '../month/files.ts';
import { sumOf } from '../month/money.ts';
import type { AccountName, FileLine } from '../month/story.ts';
import type { Chance } from './chance.ts';
import { type Deed, OPENING, PERIODS } from './world.ts';

/** First and last day of a file. */
export type Part = readonly [first: number, last: number];

/** How the files of an account are cut, by month, and what they know. */
export interface Cut {
  readonly account: AccountName;
  readonly parts: readonly (readonly Part[])[];
  readonly deeds: readonly Deed[];
  readonly stage: number;
  readonly dialect: Dialect;
}

/** The lines of an account that are known at a stage, by day. */
export function linesOf(deeds: readonly Deed[], account: AccountName, stage: number): FileLine[] {
  const lines = deeds.flatMap((deed) => deed.lines.filter((one) => one.stage <= stage).map(({ line }) => line));
  return lines.filter((line) => line.account === account).sort((one, other) => numberOf(one.day) - numberOf(other.day));
}

/** One file for a month, or up to three, of which neighbours may overlap by some days. */
export function partsOf(
  chance: Chance,
  { first, last }: { readonly first: number; readonly last: number },
  isWhole: boolean,
): Part[] {
  if (isWhole) return [[first, last]];
  const ends = [last, ...Array.from({ length: chance.between(0, 2) }, () => chance.between(first + 4, last - 4))];
  let from = first;
  return [...new Set(ends)]
    .sort((one, other) => one - other)
    .map((end): Part => {
      const part = [chance.once(3) ? Math.max(first, from - 3) : from, end] as const;
      from = end + 1;
      return part;
    });
}

/** The files of an account that are exported at a stage: those of its month, and those of the month before once more where lines came late. */
export function filesOf(cut: Cut): FilePlan[] {
  const { deeds, account, stage, parts } = cut;
  const late = deeds.flatMap(({ lines }) => lines.filter((one) => one.stage === stage && one.line.account === account));
  const { last } = PERIODS[stage - 1] ?? { last: 0 };
  const again = late.some(({ line }) => numberOf(line.day) <= last) ? (parts[stage - 1] ?? []) : [];
  return [...again, ...(parts[stage] ?? [])].map(([from, to]) => fileOf(cut, from, to));
}

/** The file of these days, with the balances that its account really had. */
export function fileOf({ account, deeds, stage, dialect }: Cut, first: number, last: number): FilePlan {
  const lines = linesOf(deeds, account, stage);
  const [from, to] = [october(first), october(last)];
  const own = lines.filter(({ day }) => from <= day && day <= to);
  const unseen = deeds.flatMap((deed) => deed.unseen ?? []).map(({ line }) => line);
  const before = [...lines, ...unseen.filter((line) => line.account === account)].filter(({ day }) => day < from);
  const opening = OPENING + sumOf(before.map(({ amount }) => amount));
  const closing = opening + sumOf(own.map(({ amount }) => amount));
  return { account, dialect, from, to, opening, closing, lines: own, fault: null };
}
