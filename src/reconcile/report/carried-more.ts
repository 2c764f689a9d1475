import type { ControlTotal, Report } from './model.ts';

export interface MoreCarried extends Pick<ControlTotal, 'environment' | 'currency'> {
  readonly count: number;
}

/** How many items from before stand beside those that a report lists, of each environment and currency that has some. */
export function moreCarried({
  carried: { items },
  controlTotals,
}: Pick<Report, 'carried' | 'controlTotals'>): MoreCarried[] {
  return controlTotals.flatMap(({ environment, currency, carried }) => {
    const listed = items.filter((one) => one.environment === environment && one.currency === currency).length;
    return carried > listed ? [{ environment, currency, count: carried - listed }] : [];
  });
}
