import { sumOf } from '../decimal.ts';
import type { Report } from '../model.ts';
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
  const { inTransit, reserved, fees, exceptions, matchRate, late, environment: only } = report;
  const each: Each = (rows, amount, note = () => '') =>
    [...Map.groupBy(rows, ({ environment, currency }) => bookName({ environment, currency }, only))].map(
      ([name, of]) => ({ text: `${grouped(sumOf(of.map(amount)))} ${name}`, note: note(of) }),
    );
  return [
    {
      name: 'In transit',
      to: 'in-transit',
      values: each(
        inTransit.byAge,
        ({ amount }) => amount,
        (rows) =>
          sumCount(
            'collection',
            rows.map(({ collections }) => collections),
          ),
      ),
    },
    {
      name: 'Reserved for refunds',
      to: 'reserves',
      values: each(
        reserved,
        (one) => one.reserved,
        (rows) =>
          sumCount(
            'refund',
            rows.map(({ refunds }) => refunds),
          ),
      ),
    },
    { name: 'Fees, tax and duty', to: 'fees', values: each(fees.charged, ({ total }) => total) },
    {
      name: 'Of it claimed',
      to: 'fees',
      values: each(
        fees.claimed,
        ({ amount }) => amount,
        (rows) =>
          sumCount(
            'claim',
            rows.map(({ claims }) => claims),
          ),
      ),
    },
    {
      name: 'Exceptions, effect',
      to: 'exceptions',
      values: each(
        exceptions.byCode,
        ({ effect }) => effect,
        (rows) =>
          sumCount(
            'exception',
            rows.map(({ count }) => count),
          ),
      ),
    },
    ...beforeFacts(report, each),
    {
      name: 'Match rate',
      to: 'match-rate',
      values: lowestRate(matchRate.legs, only),
    },
    {
      name: 'Late items',
      to: 'late',
      values: each(
        late,
        ({ effect }) => effect,
        (rows) =>
          sumCount(
            'item',
            rows.map(({ count }) => count),
          ),
      ),
    },
  ];
}

type Each = <Row extends Placed>(
  rows: readonly Row[],
  amount: (row: Row) => string,
  note?: (rows: readonly Row[]) => string,
) => Fact['values'];

/** Only where there is something from before: the first period has nothing. */
function beforeFacts({ carried: { claims }, controlTotals }: Report, each: Each): Fact[] {
  const totals = controlTotals.filter(({ carried }) => carried > 0);
  if (totals.length === 0) return [];
  const items = (rows: typeof totals) => rows.map(({ carried }) => carried);
  const counts = (rows: readonly (typeof claims)[number][]) => rows.map((one) => one.claims);
  return [
    {
      name: 'From before, effect',
      to: 'carried',
      values: each(
        totals,
        (one) => one.carriedEffect,
        (rows) => sumCount('item', items([...rows])),
      ),
    },
    {
      name: 'Claimed before, still owed',
      to: 'carried',
      values: each(
        claims,
        ({ amount }) => amount,
        (rows) => sumCount('claim', counts(rows)),
      ),
    },
  ];
}

function sumCount(noun: string, counts: readonly number[]): string {
  return countOf(
    counts.reduce((sum, one) => sum + one, 0),
    noun,
  );
}

/** The lowest of all, which says most where there are many. */
function lowestRate(legs: Report['matchRate']['legs'], only: Report['environment']): Fact['values'] {
  const rated = legs.flatMap((leg) => (leg.rate === null ? [] : [{ ...leg, rate: leg.rate }]));
  const [lowest] = rated.toSorted((one, other) => Number(one.rate) - Number(other.rate));
  if (lowest === undefined) return [];
  const all = rated.length === 1 ? '' : `, the lowest of ${rated.length}`;
  return [{ text: `${lowest.rate}%`, note: `${lowest.leg}, ${bookName(lowest, only)}${all}` }];
}

interface Placed {
  readonly environment: 'live' | 'test';
  readonly currency: string | null;
}
