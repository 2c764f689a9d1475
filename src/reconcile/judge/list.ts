import type { BookName } from '../../domain/matching/book.ts';
import { isOfPeriod } from '../../domain/matching/law.ts';
import { effectOf, type Item } from '../../domain/reconciling/break.ts';
import type { Entered } from './enter.ts';
import type { MatchRun } from './run.ts';

/**
 * Lists what is said of a group where law 1 puts it: among what is carried, waits, or is a break. Adds its effect to the book, unless
 * the statement's own opening balance has it on both sides.
 */
export function list(run: MatchRun, name: BookName, { change }: Pick<Entered, 'change'>, item: Item): void {
  const { found, openings } = run;
  if (!isOfPeriod(change) && openings.since(name) === null) {
    found.inOpening.push(item);
    return;
  }
  run.books.of({ ...name, account: item.place?.account ?? name.account }).effects += effectOf(item);
  if (!isOfPeriod(change)) {
    if (openings.carries(name, item.date ?? item.firstSeen)) found.carried.push(item);
  } else if (item.facts.code === 'timing') found.timing.push(item);
  else if (item.facts.code === 'suggested') found.suggested.push(item);
  else found.breaks.push(item);
}
