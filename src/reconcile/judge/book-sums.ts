import { charged, linePostings } from '../../domain/matching/postings.ts';
import { CHARGEBACK_TYPES } from '../../domain/matching/sums.ts';
import { LINES } from '../../domain/statements/lines.ts';
import type { LineSum } from '../../store/scratch/line-sums.ts';
import { isDayOf } from '../load/window.ts';
import type { MatchRun } from './run.ts';

/** Books every line, whether or not a pass took it, and the rows of ours that agree with their lines in everything. */
export function bookSums(run: MatchRun): void {
  const { begin, until } = run.window;
  for (const sum of run.scratch.lineSums()) {
    if (sum.date >= begin && sum.date <= until) bookLines(run, sum);
    if (sum.clean !== null) bookClean(run, sum);
    const isHeld = sum.leg !== null || CHARGEBACK_TYPES.some((type) => type === sum.type);
    if (!isHeld && isDayOf(run.window, sum.date)) run.uncompared.add(sum);
  }
}

/** What has no other side is ours as it is theirs. */
function bookLines({ window, books }: MatchRun, sum: LineSum): void {
  const { type, date, leg, lines, amount, fee, tax, duty } = sum;
  const book = books.of(sum);
  book.move(date, amount, lines);
  const postings = linePostings({ type: type ?? 'other', date, amount, fee, tax, duty }, null);
  for (const side of leg === null && type !== null ? (['ours', 'theirs'] as const) : (['theirs'] as const)) {
    if (date < window.from) book.addBefore(side, amount);
    else book.addAll(side, postings, '');
  }
}

function bookClean({ window, books, found, legNames }: MatchRun, sum: LineSum): void {
  const { type, date, leg, lines, amount, tax, feeWithin, dutyWithin } = sum;
  const day = sum.ourDay ?? date;
  const book = books.of(sum);
  if (date < window.from) {
    const isOurs = sum.clean === 'since our opening';
    if (isOurs) book.addBefore('ours', amount);
    if (isOurs && date < window.begin) book.openAtBegin += amount;
    if (!isOurs && date >= window.begin) book.openAtBegin -= amount;
    return;
  }
  const kind = LINES[type ?? 'collection'].of ?? 'collection';
  const [fee, duty] = [sum.fee + feeWithin, sum.duty + dutyWithin];
  const { environment, currency } = sum;
  found.counts.add('matched', { environment, leg: legNames[leg ?? -1] ?? '', currency, date }, lines);
  const main = amount + fee + tax + duty;
  book.addAll('ours', charged(kind, day, { main, fee, tax, duty }), '');
  // A line that does not tell its charges apart is divided as we divide it.
  book.addAll('theirs', charged(kind, date, { main: feeWithin + dutyWithin, fee: feeWithin, duty: dutyWithin }), '');
}
