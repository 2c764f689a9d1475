import { sumOf } from './decimal.ts';
import type { ItemList, ItemSum } from './item-sums.ts';
import type { ReportWaiting } from './model.ts';

const NAMES: Readonly<Record<Exclude<ItemList, 'breaks'>, ReportWaiting['list']>> = {
  timing: 'timing',
  suggested: 'suggested',
  carried: 'carried',
  notConfirmed: 'not_confirmed',
  unexplained: 'unexplained',
};

/** What is no exception, by list, account and currency; all codes together. */
export function waitingOf(items: readonly ItemSum[]): ReportWaiting[] {
  const sums = new Map<string, ReportWaiting>();
  for (const { list, environment, account, currency, count, effect } of items) {
    if (list === 'breaks') continue;
    const key = JSON.stringify([list, environment, account, currency]);
    const before = sums.get(key);
    sums.set(key, {
      ...{ list: NAMES[list], environment, account, currency, count: (before?.count ?? 0) + count },
      effect: sumOf([before?.effect ?? '0.00', effect]),
    });
  }
  return [...sums.values()];
}
