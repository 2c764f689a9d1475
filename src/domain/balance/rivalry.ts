/*
 * Two files of one account whose days overlap. Their balances must agree, also where they share no line. Of days that both cover whole they must
 * show the same lines; a day on which one of them begins or ends may be shown in part, and a file without balances that shares no line
 * with another one adds to it.
 */

/** What a file states of itself in one currency; null: it does not say it. */
export interface CoveredDays {
  readonly from: string;
  readonly to: string;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** What its lines moved. */
  readonly sum: bigint;
  /** Rows that could not be read: they may be what its lines lack. */
  readonly unparsed: number;
}

/** Lines, and what they add up to in minor units. */
export interface LinesSum {
  readonly lines: number;
  readonly minor: bigint;
}

/** The lines of one day: those that one of two files has alone, and those of both. */
export interface HeldDay {
  readonly day: string;
  readonly one: LinesSum;
  readonly other: LinesSum;
  readonly both: LinesSum;
}

/**
 * How two files stand to each other. `contradicting`: each has lines of the same days that the other denies, or their balances do not
 * go together. `lacking`: `other` denies lines that `one` has. `repeating`: one goes on where the other ended, and lines
 * of both that are equal were taken as the same.
 */
export interface Rivalry {
  readonly how: 'contradicting' | 'lacking' | 'repeating';
  readonly one: LinesSum;
  readonly other: LinesSum;
  readonly both: LinesSum;
}

/** Returns how two files differ that cannot both be right; null: they agree, as far as they show the same days. */
export function rivalryOf(one: CoveredDays, other: CoveredDays, days: readonly HeldDay[]): Rivalry | null {
  const both = sumOf(days.map((day) => day.both));
  const alone = { one: sumOf(days.map((day) => day.one)), other: sumOf(days.map((day) => day.other)) };
  if (goesOn(one, other) || goesOn(other, one)) {
    // Lines that add up to nothing leave the balance where it was: the files may as well overlap.
    const isRepeated = both.minor !== 0n && (one.to === other.from || other.to === one.from);
    return isRepeated ? { how: 'repeating', ...alone, both } : null;
  }
  const isDenied = denyBalances(one, other, days);
  // Without balances that deny them, the lines of a file that shares none with the other add to it: a supplement, or another part of the days.
  if (both.lines === 0) return isDenied ? { how: 'contradicting', ...alone, both } : null;
  const denied = days.map((day) => deniedOn(day, one, other));
  const lines = { one: sumOf(denied.map((day) => day.one)), other: sumOf(denied.map((day) => day.other)), both };
  if (lines.one.lines > 0 && lines.other.lines > 0) return { how: 'contradicting', ...lines };
  if (lines.one.lines > 0) return { how: 'lacking', ...lines };
  if (isDenied) return { how: 'contradicting', ...alone, both };
  return isSame(one, other) && alone.one.lines > 0 && alone.other.lines === 0 && one.closing !== other.closing
    ? { how: 'lacking', ...alone, both }
    : null;
}

/** Whether two files have a day in common. */
export function overlaps(one: Pick<CoveredDays, 'from' | 'to'>, other: Pick<CoveredDays, 'from' | 'to'>): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Whether the next file begins with the balance with which the file ends, on its last day. */
function goesOn(file: CoveredDays, next: CoveredDays): boolean {
  return file.to === next.from && file.closing !== null && file.closing === next.opening;
}

export const NO_LINES: LinesSum = { lines: 0, minor: 0n };

/** What lines add up to in all. */
export function sumOf(sums: readonly LinesSum[]): LinesSum {
  let { lines, minor } = NO_LINES;
  for (const sum of sums) {
    lines += sum.lines;
    minor += sum.minor;
  }
  return { lines, minor };
}

/** Lines of a day that one file has and the other one, which shows that part of the day, has not. */
function deniedOn({ day, one: mine, other: theirs }: HeldDay, one: CoveredDays, other: CoveredDays) {
  const isInside = (file: CoveredDays) => day > file.from && day < file.to;
  const begins = day > one.from && day > other.from;
  const opens = day === one.from && day === other.from && one.opening === other.opening;
  const ends = day < one.to && day < other.to;
  const closes = day === one.to && day === other.to && one.closing !== null && one.closing === other.closing;
  // Two files that show a day from its beginning, or up to its end: one of them has what the other one has, and more.
  if ((begins || ends || opens || closes) && mine.lines > 0 && theirs.lines > 0) {
    return { one: mine, other: theirs };
  }
  return { one: isInside(other) ? mine : NO_LINES, other: isInside(one) ? theirs : NO_LINES };
}

/**
 * Whether the balances of two files leave no place for the lines of both: by the points of the later one, less the lines of both, the
 * earlier one moved something in the common days beyond them, or had moved nothing where it shows lines.
 */
function denyBalances(one: CoveredDays, other: CoveredDays, days: readonly HeldDay[]): boolean {
  if (one.unparsed > 0 || other.unparsed > 0) return false;
  const isInOrder = one.from < other.from || (one.from === other.from && one.to <= other.to);
  const [first, second] = isInOrder ? [one, other] : [other, one];
  const held = isInOrder ? days : days.map((day) => ({ ...day, one: day.other, other: day.one }));
  if (first.opening === null || first.closing === null || second.opening === null || second.closing === null)
    return false;
  const ofSecond = sumOf(held.map((day) => day.other));
  // It begins and ends within the first one, whose closing balance has no more than its own lines and what they lack of its total.
  if (first.to > second.to) {
    return ofSecond.minor !== 0n && first.closing - first.opening - first.sum !== ofSecond.minor;
  }
  // On a day on which one ends and the other begins, lines between them may be missing: that is a gap.
  const isSameStart = first.from === second.from && first.opening === second.opening;
  if (second.from === first.to && !isSameStart) return false;
  const ofFirst = sumOf(held.map((day) => day.one));
  const isFuller = first.to === second.to && ofSecond.lines === 0;
  // What the second one may have shown, or opened behind, when the first one ended.
  const allowed = [0n];
  if (isFuller) allowed.push(ofFirst.minor);
  if (first.from === second.from && !isSameStart) {
    allowed.push(sumOf(held.flatMap((day) => (day.day === first.from ? day.other : []))).minor);
  }
  const shared = second.opening + sumOf(held.map((day) => day.both)).minor;
  return [first.closing, first.opening + first.sum].every((end) => !allowed.includes(end - shared));
}

function isSame(one: CoveredDays, other: CoveredDays): boolean {
  return one.from === other.from && one.to === other.to;
}
