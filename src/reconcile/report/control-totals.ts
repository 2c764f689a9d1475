import type { Environment } from '../../domain/environment.ts';
import { sumOf } from './decimal.ts';
import type { Figures } from './figures.ts';
import type { ControlTotal, ExceptionSum } from './model.ts';

/** What is carried, of one environment and currency; its effect is that in the balance proofs. */
export type CarriedTotal = Pick<ExceptionSum, 'environment' | 'currency' | 'count' | 'effect'>;

interface Named {
  readonly environment: Environment;
  readonly currency: string | null;
}

/** Totals by environment and currency, in their order; what has no currency comes last. */
export function controlTotals(
  { lines, proof }: Pick<Figures, 'lines' | 'proof'>,
  exceptions: readonly ExceptionSum[],
  carried: readonly CarriedTotal[],
): ControlTotal[] {
  const names = new Map([...lines, ...proof, ...exceptions, ...carried].map((one) => [keyOf(one), one]));
  const ordered = [...names].sort(([one], [other]) => (one < other ? -1 : 1));
  return ordered.map(([key, { environment, currency }]) => {
    const own = <One extends Named>(all: readonly One[]) => all.filter((one) => keyOf(one) === key);
    const closing = own(proof).flatMap(({ rows }) => rows.filter(({ name }) => name === 'closing'));
    const found = own(exceptions);
    return {
      ...{ environment, currency },
      lines: own(lines).reduce((sum, one) => sum + one.lines, 0),
      moved: sumOf(own(lines).map(({ moved }) => moved)),
      closingOurs: sumOf(closing.map(({ ours }) => ours)),
      closingTheirs: sumOf(closing.map(({ theirs }) => theirs)),
      unexplained: sumOf(own(proof).map(({ unexplained }) => unexplained)),
      exceptions: found.reduce((sum, { count }) => sum + count, 0),
      variance: sumOf(found.map(({ variance }) => variance)),
      effect: sumOf(found.map(({ effect }) => effect)),
      carried: own(carried).reduce((sum, { count }) => sum + count, 0),
      carriedEffect: sumOf(own(carried).map(({ effect }) => effect)),
    };
  });
}

/** A name that sorts, one without a currency last. */
function keyOf({ environment, currency }: Named): string {
  return JSON.stringify([environment, currency === null ? 1 : 0, currency]);
}
