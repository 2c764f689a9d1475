import type { ControlTotal, Report } from './model.ts';

/** How many items from before stand beside those that a report lists, of each environment and currency that has some. */
export function carriedMore({ carried: { items }, controlTotals }: Pick<Report, 'carried' | 'controlTotals'>): (Pick<
  ControlTotal,
  'environment' | 'currency'
> & {
  readonly count: number;
})[] {
  return controlTotals.flatMap(({ environment, currency, carried }) => {
    const listed = items.filter((one) => one.environment === environment && one.currency === currency).length;
    return carried > listed ? [{ environment, currency, count: carried - listed }] : [];
  });
}
