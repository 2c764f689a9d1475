import { feeRow, linePostings, ROW_OF_KIND } from '../../domain/matching/postings.ts';
import { countIn, type MatchRun } from './run.ts';

/** Books the groups that agree in everything. */
export function bookClean({ scratch, window, books, found, legNames }: MatchRun): void {
  for (const sum of scratch.cleanGroups(window)) {
    const { leg, kind, main, fee, tax, duty, within, dutyWithin, isBefore, isSinceBegin, groups } = sum;
    const book = books.of(sum);
    if (isBefore) {
      if (isSinceBegin) book.addBefore('ours', main - fee - tax - duty);
      continue;
    }
    countIn(found.matched, legNames[leg] ?? '', groups);
    book.add('ours', ROW_OF_KIND[kind], main);
    book.add('ours', feeRow(kind), -fee);
    book.add('ours', 'tax', -tax);
    book.add('ours', 'duty', -duty);
    // A line that does not tell its charges apart is divided as we divide it.
    book.add('theirs', ROW_OF_KIND[kind], within);
    book.add('theirs', feeRow(kind), dutyWithin - within);
    book.add('theirs', 'duty', -dutyWithin);
  }
}

/** Books every line, whether or not anything claimed it. What has no other side is ours as it is theirs. */
export function bookLines({ scratch, window, books }: MatchRun): void {
  for (const { type, isBefore, isApart, amount, fee, tax, duty, ...name } of scratch.lineSums(window)) {
    const book = books.of(name);
    const postings = linePostings({ type: type ?? 'other', date: window.from, amount, fee, tax, duty }, null);
    for (const side of isApart && type !== null ? (['ours', 'theirs'] as const) : (['theirs'] as const)) {
      if (isBefore) book.addBefore(side, amount);
      else book.addAll(side, postings, '');
    }
  }
}
