import { effectOf, type Item, withEffect } from '../../domain/reconciling/break.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { itemId } from '../recon-break.ts';

/** What late files change of what a close froze. */
interface Changes {
  /** What was frozen, and what became of it. */
  readonly carried: readonly Item[];
  /** What late files made wrong. */
  readonly fresh: readonly Item[];
  /** What the differences changed by, in all. */
  readonly minor: bigint;
}

/**
 * What came after a close changes what was said of the files of closed days: differences end, change, or are new. What it did not change
 * stands as it was frozen. `before`: by the files that the close knew; `now`: by all.
 */
export function changesOf(frozen: readonly Item[], before: readonly Item[], now: readonly Item[]): Changes {
  const byId = (items: readonly Item[]) => new Map(items.map((item) => [itemId(item), item] as const));
  const [was, is, known] = [byId(before), byId(now), byId(frozen)];
  const isNew = (item: Item) => !known.has(itemId(item)) && !was.has(itemId(item));
  const gone = frozen.filter((item) => was.has(itemId(item)) && !is.has(itemId(item)));
  // Days that were missing, of which some still are, keep the item that named them first.
  const less = now.filter((item) => isNew(item) && isOfDays(item)).map((item) => firstAfter(gone, lastDayOf(item)));
  const ended = new Set(gone.filter((item) => !less.includes(item)));
  const carried: Item[] = [];
  let minor = 0n;
  for (const item of frozen) {
    if (ended.has(item)) {
      minor -= effectOf(item);
      continue;
    }
    const [then, left] = [was.get(itemId(item)), is.get(itemId(item))];
    const change = then === undefined || left === undefined ? 0n : effectOf(left) - effectOf(then);
    carried.push(change === 0n || left === undefined ? item : withEffect(left, effectOf(item) + change));
    minor += change;
  }
  const fresh = now.filter((item) => isNew(item) && !isOfDays(item));
  return { carried, fresh, minor: fresh.reduce((sum, item) => sum + effectOf(item), minor) };
}

/** The first item of missing days that end on a day or later. */
function firstAfter(items: readonly Item[], day: string): Item | undefined {
  const later = items.filter((item) => isOfDays(item) && lastDayOf(item) >= day);
  return later.sort((one, other) => compareTexts(lastDayOf(one), lastDayOf(other)))[0];
}

/** The last of the missing days. */
export function lastDayOf({ facts: { field }, firstSeen }: Item): string {
  return field === 'days' ? firstSeen : dayPlus(firstSeen, -1);
}

/** Whether it says that days have no statement, and nothing moved in them. */
export function isOfDays({ facts: { code, field }, place }: Item): boolean {
  return code === 'statement_gap' && field !== 'lines' && place?.effect === 0n;
}

/** What a close left open of a file that the period has, too, is listed once. */
export function onceEach(found: readonly Item[], frozen: readonly Item[]) {
  const breaks = [...found];
  const carried = frozen.filter((item) => {
    const index = breaks.findIndex((one) => itemId(one) === itemId(item));
    const same = breaks[index];
    if (same !== undefined) breaks[index] = withEffect(same, effectOf(same) + effectOf(item));
    return same === undefined;
  });
  return { breaks, carried };
}
