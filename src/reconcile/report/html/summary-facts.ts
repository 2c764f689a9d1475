import { sumOf } from '../decimal.ts';
import type { ControlTotal, Report } from '../model.ts';
import { bookName } from '../table.ts';
import { countOf, grouped } from '../words.ts';

/** A figure of the first sheet, with the section that it sums up. */
export interface Fact {
  readonly name: string;
  readonly values: readonly { readonly text: string; readonly note: string }[];
  /** The section that it is from. */
  readonly to: string;
}

/** The figures of the first sheet: one section each. */
export function factsOf(report: Report): Fact[] {
  const { inTransit, reserved, fees, exceptions, carried, matchRate, late, controlTotals, environment: only } = report;
  const before = controlTotals.filter((total) => total.carried > 0);
  /** What rows add up to, by environment and currency, and how many things that is. */
  const each = <Row extends Pick<ControlTotal, 'environment' | 'currency'>>(
    rows: readonly Row[],
    amount: (row: Row) => string,
    [noun, countIn]: readonly [noun: string, countIn: (row: Row) => number],
  ): Fact['values'] =>
    [...Map.groupBy(rows, ({ environment, currency }) => bookName({ environment, currency }, only))].map(
      ([name, of]) => ({
        text: `${grouped(sumOf(of.map(amount)))} ${name}`,
        note:
          noun === ''
            ? ''
            : countOf(
                of.reduce((sum, row) => sum + countIn(row), 0),
                noun,
              ),
      }),
    );
  const claims = ['claim', (row: { readonly claims: number }) => row.claims] as const;
  return [
    {
      ...{ name: 'In transit', to: 'in-transit' },
      values: each(inTransit.byAge, (row) => row.amount, ['collection', (row) => row.collections]),
    },
    {
      ...{ name: 'Reserved for refunds', to: 'reserves' },
      values: each(reserved, (row) => row.reserved, ['refund', (row) => row.refunds]),
    },
    { name: 'Fees, tax and duty', to: 'fees', values: each(fees.charged, (row) => row.total, ['', () => 0]) },
    { name: 'Of it claimed', to: 'fees', values: each(fees.claimed, (row) => row.amount, claims) },
    {
      ...{ name: 'Exceptions, effect', to: 'exceptions' },
      values: each(exceptions.byCode, (row) => row.effect, ['exception', (row) => row.count]),
    },
    // Only where there is something from before: the first period has nothing.
    ...(before.length === 0
      ? []
      : [
          {
            ...{ name: 'From before, effect', to: 'carried' },
            values: each(before, (row) => row.carriedEffect, ['item', (row) => row.carried]),
          },
          {
            ...{ name: 'Claimed before, still owed', to: 'carried' },
            values: each(carried.claims, (row) => row.amount, claims),
          },
        ]),
    { name: 'Match rate', to: 'match-rate', values: lowestRate(matchRate.legs, only) },
    {
      ...{ name: 'Late items', to: 'late' },
      values: each(late, (row) => row.effect, ['item', (row) => row.count]),
    },
  ];
}

/** The lowest of all, which says most where there are many. */
function lowestRate(legs: Report['matchRate']['legs'], only: Report['environment']): Fact['values'] {
  const rated = legs.flatMap((leg) => (leg.rate === null ? [] : [{ ...leg, rate: leg.rate }]));
  const [lowest] = rated.toSorted((one, other) => Number(one.rate) - Number(other.rate));
  if (lowest === undefined) return [];
  const all = rated.length === 1 ? '' : `, the lowest of ${rated.length}`;
  return [{ text: `${lowest.rate}%`, note: `${lowest.leg}, ${bookName(lowest, only)}${all}` }];
}
