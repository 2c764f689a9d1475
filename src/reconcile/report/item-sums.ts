import { money } from '../../domain/money/amount.ts';
import { effectOf, type Item } from '../../domain/reconciling/break.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { Reconciliation } from '../reconcile.ts';

/** The lists of a run, by their names in JSON. */
const LISTS = ['breaks', 'timing', 'suggested', 'carried', 'notConfirmed', 'unexplained'] as const;
export type ItemList = (typeof LISTS)[number];

/** Items of one list and code, of one account and currency; `effect` is decimal text. */
export interface ItemSum extends Pick<Item, 'environment' | 'currency'> {
  readonly list: ItemList;
  readonly code: string;
  /** Null: they move no balance. */
  readonly account: string | null;
  readonly count: number;
  readonly effect: string;
}

/** Counts items and adds up their effects, ordered by list, environment, account, currency and code. */
export function itemSums(result: Pick<Reconciliation, ItemList>): ItemSum[] {
  return LISTS.flatMap((list) => {
    const sums = new Map<string, Omit<ItemSum, 'effect'> & { readonly minor: bigint }>();
    for (const { environment, currency, place, facts } of result[list]) {
      const account = place?.account ?? null;
      const key = JSON.stringify([environment, account, currency, facts.code]);
      const before = sums.get(key);
      sums.set(key, {
        ...{ list, environment, account, currency, code: facts.code },
        count: (before?.count ?? 0) + 1,
        minor: (before?.minor ?? 0n) + effectOf({ place }),
      });
    }
    const inOrder = [...sums].sort(([one], [other]) => compareTexts(one, other));
    return inOrder.map(([, { minor, ...sum }]) => ({ ...sum, effect: money(minor) }));
  });
}
