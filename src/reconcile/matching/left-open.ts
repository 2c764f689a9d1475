import { compareAmounts, isAmount } from '../../domain/money/amount.ts';
import type { BreakValue } from '../../domain/reconciling/break.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { Item } from '../item.ts';
import { itemId } from '../recon-break.ts';
import type { AccountFiles } from './account-files.ts';
import { residueOf } from './file-residue.ts';
import { lateBefore } from './late-sums.ts';
import type { MatchRun } from './run.ts';

/*
 * What a close left open of files stands as it was frozen, and ends where lines that came late explain it (RECONCILIATION 7, Late
 * arrivals).
 */

/** Items of files that a close left open. */
export interface LeftOpen {
  readonly items: readonly Item[];
  /** What lines moved that came for rows that were unreadable then, by the last day of their file: the closing balance has it. */
  readonly mended: readonly Mended[];
}

interface Mended {
  readonly to: string;
  readonly minor: bigint;
}

/** What the period before left open, without what came for unreadable rows since. */
export async function leftOpenBy(files: AccountFiles): Promise<LeftOpen> {
  const { run, book, chain } = files;
  const items: Item[] = [];
  const mended: Mended[] = [];
  const ofFile = ({ facts, place }: Item) => (facts.code === 'unparsed' ? place?.line?.statement : undefined);
  for (const [number, own] of Map.groupBy(run.frozen.of(book.name), ofFile)) {
    const file = number === undefined ? undefined : chain.files.find(({ statement }) => statement === number);
    const to = file?.covers?.to;
    if (file === undefined || to === undefined) {
      items.push(...own.filter((item) => !isFilled(files, item)));
      continue;
    }
    const { state, late } = await residueOf(files, file, []);
    // What came for a file that goes on into the period is seen with the files of the period.
    const minor = to < run.window.from ? late : 0n;
    if (minor !== 0n) mended.push({ to, minor });
    const left = effectsOf(own) - minor;
    if (state === 'open' || left !== 0n) items.push(...(minor === 0n ? own : withEffect(own, left)));
  }
  return { items, mended };
}

/** Whether late files show all days of a gap in which nothing moved. */
function isFilled({ chain, late, run, book }: AccountFiles, { facts, firstSeen, place }: Item): boolean {
  const isOfDays = facts.field === 'days' || (facts.field === 'opening' && sameValue(facts.ours, facts.theirs));
  if (facts.code !== 'statement_gap' || place?.effect !== 0n || !isOfDays) return false;
  const first = run.closings.ofAccount(book.name.environment, book.name.account)?.from ?? '';
  let day = facts.field === 'days' ? firstSeen : dayPlus(firstSeen, -1);
  while (day >= first) {
    const here = chain.files.filter(({ covers }) => covers !== null && covers.from <= day && day <= covers.to);
    if (here.length === 0) return false;
    if (here.some((file) => !late.has(file))) return true;
    const starts = here.flatMap(({ covers }) => (covers === null ? [] : [covers.from]));
    day = dayPlus(
      starts.reduce((one, other) => (other < one ? other : one)),
      -1,
    );
  }
  return true;
}

function sameValue(ours: BreakValue, theirs: BreakValue): boolean {
  return isAmount(ours) && isAmount(theirs) ? compareAmounts(ours, theirs) === 0 : ours === theirs;
}

/** What came for unreadable rows of files that end before a day. */
export function mendedBefore(mended: readonly Mended[], day: string): bigint {
  return mended.reduce((sum, { to, minor }) => (to < day ? sum + minor : sum), 0n);
}

/** Those whose difference is what late lines moved before it. */
export function explainedByLate(files: AccountFiles, { items, mended }: LeftOpen): Item[] {
  const { run, book } = files;
  const gaps = items.filter(({ facts, place }) => facts.code !== 'unparsed' && place?.effect !== 0n);
  const found: Item[] = [];
  for (const item of gaps.toSorted((one, other) => compareTexts(endOf(one), endOf(other)))) {
    const end = endOf(item);
    const moved = lateBefore(run, book.name, end) - mendedBefore(mended, end) - effectsOf(found);
    if (moved === item.place?.effect) found.push(item);
  }
  return found;
}

/** The day before which the lines lie that a file lacks: those of a gap before its file, others within it. */
function endOf({ facts, firstSeen }: Item): string {
  return facts.code === 'statement_gap' ? firstSeen : dayPlus(firstSeen, 1);
}

/** Lists what is still open, also of files that the period has, too: these are listed once. */
export function listLeftOpen({ books, found }: MatchRun, items: readonly Item[]): void {
  const codes = new Set(items.map(({ facts }) => facts.code));
  const here = new Map(
    found.breaks.flatMap((one, index) => (codes.has(one.facts.code) ? [[itemId(one), index] as const] : [])),
  );
  for (const item of items) {
    const { environment, currency, place } = item;
    if (place === null || currency === null) continue;
    books.of({ environment, account: place.account, currency }).effects += place.effect;
    const index = here.get(itemId(item)) ?? -1;
    const same = found.breaks[index];
    if (same?.place == null) found.carried.push(item);
    else found.breaks[index] = { ...same, place: { ...same.place, effect: same.place.effect + place.effect } };
  }
}

export function effectsOf(items: readonly Item[]): bigint {
  return items.reduce((sum, { place }) => sum + (place?.effect ?? 0n), 0n);
}

/** The same items, of which the one that moved the balance has this effect. */
function withEffect(items: readonly Item[], effect: bigint): readonly Item[] {
  const moving = items.find(({ place }) => place?.effect !== 0n) ?? items[0];
  return items.map((item) =>
    item.place === null ? item : { ...item, place: { ...item.place, effect: item === moving ? effect : 0n } },
  );
}
