import { money } from '../money/amount.ts';
import { DIFFER } from '../reconciling/statement-words.ts';
import type { BookFile } from './book-file.ts';
import type { BookLines } from './book-lines.ts';
import { type LinesSum, overlaps, type Rivalry, rivalryOf } from './rivalry.ts';

/** Two files of one book that cannot both be right. `other` was imported later, or lacks lines, or is the later one of the book. */
export interface RivalFiles {
  readonly one: BookFile;
  readonly other: BookFile;
  readonly rivalry: Rivalry;
}

/** Holds two files against each other, where they show the same days; null: both may be right. `other` was imported later. */
export function heldAgainst(lines: BookLines, one: BookFile, other: BookFile): RivalFiles | null {
  if (!overlaps(one, other) || !mayDiffer(one, other)) return null;
  const days = { from: one.from > other.from ? one.from : other.from, to: one.to < other.to ? one.to : other.to };
  const rivalry = rivalryOf(one, other, lines.between(one.statement, other.statement, days));
  // A file with unreadable rows may have the lines that it seems to lack.
  const isUnread = rivalry?.how === 'lacking' && rivalry.one.lines <= other.unparsed;
  return rivalry === null || isUnread ? null : { one, other, rivalry };
}

/** Files that follow one another, the later of which brought new lines alone, need no look at their lines. */
function mayDiffer(one: BookFile, other: BookFile): boolean {
  const isNextTo = one.from !== one.to && other.from !== other.to && (one.to === other.from || other.to === one.from);
  const second = one.statement > other.statement ? one : other;
  return !isNextTo || second.new < second.lines;
}

/**
 * Finds files that cannot both be right, by the later one of the two in the order of the book, which no import changes. Which of them
 * lacks lines, and which one only has more, is told by the order of their imports.
 */
export function rivalsIn(lines: BookLines, files: readonly BookFile[]): Map<BookFile, readonly RivalFiles[]> {
  const found = new Map<BookFile, RivalFiles[]>();
  for (const [index, other] of files.entries()) {
    for (const one of files.slice(0, index)) {
      const [older, newer] = one.statement < other.statement ? [one, other] : [other, one];
      const rivals = heldAgainst(lines, older, newer);
      if (rivals === null) continue;
      const pair = rivals.one === one || rivals.rivalry.how === 'lacking' ? rivals : turned(rivals);
      const own = found.get(pair.other);
      if (own === undefined) found.set(pair.other, [pair]);
      // Repeating pairs are all kept, as each moves the balance. Of the others a file has the first: 400 exports of a day are 79,800.
      else if (isRepeating(pair) || own.every(isRepeating)) own.push(pair);
    }
  }
  return found;
}

export function isRepeating({ rivalry }: Pick<RivalFiles, 'rivalry'>): boolean {
  return rivalry.how === 'repeating';
}

function turned({ one, other, rivalry }: RivalFiles): RivalFiles {
  return { one: other, other: one, rivalry: { ...rivalry, one: rivalry.other, other: rivalry.one } };
}

type Named = {
  readonly [side in 'one' | 'other']: Pick<BookFile, 'file' | 'from' | 'to' | 'opening' | 'closing'>;
} & Pick<RivalFiles, 'rivalry'>;

/** `a.csv (2026-10-01 to 2026-10-15, 0.00 to 50.00) and b.csv (…) show the same days differently: 1 line of 50.00 only in a.csv` */
export function rivalText({ one, other, rivalry }: Named): string {
  const [mine, theirs] = [one.file.name, other.file.name];
  if (isRepeating({ rivalry })) {
    const are = rivalry.both.lines === 1 ? 'is the same in both and was' : 'are the same in both and were';
    return `${theirs} goes on from ${mine}, and ${linesText(rivalry.both)} ${are} counted once`;
  }
  const alone = [[rivalry.one, mine] as const, [rivalry.other, theirs] as const].flatMap(([sum, name]) =>
    sum.lines === 0 ? [] : [`${linesText(sum)} only in ${name}`],
  );
  const how = alone.length === 0 ? 'their balances differ' : alone.join(', ');
  return `${fileText(one)} and ${fileText(other)}${DIFFER}${how}`;
}

function fileText({ file, from, to, opening, closing }: Named['one']): string {
  const days = from === to ? from : `${from} to ${to}`;
  const balances = opening === null || closing === null ? '' : `, ${money(opening)} to ${money(closing)}`;
  return `${file.name} (${days}${balances})`;
}

function linesText({ lines, minor }: LinesSum): string {
  const sum = money(minor);
  return lines === 1 ? `1 line of ${sum}` : `${lines} lines of ${sum} in all`;
}

/** Files that a sentence names. */
const MOST_NAMED = 10;

/** The files that contradict another one, as clauses; null: there is none. A file that goes on from another one contradicts nothing. */
export function contradictingText(rivals: readonly Named[]): string | null {
  const all = rivals.filter((one) => !isRepeating(one));
  const rest = all.length - MOST_NAMED;
  const named = all.slice(0, MOST_NAMED).map(rivalText);
  return [...named, ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'file' : 'files'}`] : [])].join('; ') || null;
}
