import { dayPlus, latest } from '../reconciling/business-day.ts';
import type { BookFile } from './book-file.ts';
import type { BookLines } from './book-lines.ts';
import {
  controlBreak,
  effectOfRivals,
  endIn,
  type FileItem,
  isAfter,
  rivalBreak,
  uncoveredDays,
  unparsedBreak,
} from './file-break.ts';
import { type Doubtful, Level, type Step } from './level.ts';
import { beginBreak, gapBreak, type Start } from './opening.ts';
import { type Place, placeOf } from './place.ts';
import { NO_LINES, overlaps, sumOf } from './rivalry.ts';
import { contradictingText, type RivalFiles, rivalsIn } from './rivals.ts';
import { freshOf, insideOf, type Listed, residueOf } from './unread.ts';

export interface WalkOrder {
  /** Of the book, in order. */
  readonly files: readonly BookFile[];
  readonly lines: BookLines;
  readonly start: Start;
  /** The first day of which files are walked through. */
  readonly first: string;
  /** The period. */
  readonly from: string;
  readonly until: string;
  /** The last day whose statement can be expected. */
  readonly expected: string;
  /** The last day of an account that was given up; null: it goes on. */
  readonly lastDay: string | null;
  /** Pairs that cannot both be right, of files that are not walked through. */
  readonly rivalsBefore: readonly RivalFiles[];
  /** Gaps of files that are not walked through, and that a file may take back. */
  readonly gapsBefore: readonly Doubtful[];
}

export interface Walked {
  /** The balance by them at the start of the period; null: no file states one. */
  readonly opening: bigint | null;
  /** The balance by them with which the last file ends that shows a day of the period; null: it states none, or goes on after the period. */
  readonly closing: bigint | null;
  readonly breaks: readonly FileItem[];
  /** Of the period; those before it are part of the opening balance. */
  readonly steps: readonly Step[];
  /** The first and the last day of the period that a statement covers. */
  readonly covers: { readonly from: string; readonly to: string };
  readonly rivals: readonly RivalFiles[];
  /** Gaps that no file took back. */
  readonly gaps: readonly Doubtful[];
  /** Of `gapsBefore`: those that a file took back, and its day. */
  readonly takenBack: ReadonlyMap<Doubtful, string>;
}

/** Walks through the points of a book in order, and lists where they do not go on from each other. */
export function walk(order: WalkOrder): Walked {
  const { files, first, until, start, lines } = order;
  const known = files.filter(({ from }) => from <= until);
  const walked = known.filter(({ to }) => to >= first);
  // A file of closed days was held against the others of these days then.
  const meeting = known.filter((one) => walked.some((file) => overlaps(one, file)));
  const rivals = rivalsIn(lines, start.how === 'closed' ? meeting : walked);
  const book = new Walk(order, walked, rivals);
  for (const file of walked) book.pass(file);
  return book.end();
}

class Walk {
  readonly #order: WalkOrder;
  readonly #walked: readonly BookFile[];
  readonly #rivals: ReadonlyMap<BookFile, readonly RivalFiles[]>;
  readonly #seenRivals: RivalFiles[];
  readonly #level: Level;
  #isStated: boolean;
  #hasOpened = false;
  /** The file that reaches furthest. */
  #covered: BookFile | null;
  #listed: readonly Listed[];
  readonly #passed: BookFile[] = [];
  /** A fuller export speaks for their unreadable rows. */
  readonly #outdated = new Set<BookFile>();
  /** Where the breaks of pairs are listed. */
  readonly #pairs: { readonly pair: RivalFiles; readonly index: number }[] = [];

  constructor(order: WalkOrder, walked: readonly BookFile[], rivals: ReadonlyMap<BookFile, readonly RivalFiles[]>) {
    const { start, lines, from, first } = order;
    this.#order = order;
    this.#walked = walked;
    this.#rivals = rivals;
    const beside = [...rivals].flatMap(([file, own]) => (walked.includes(file) ? [] : own));
    this.#seenRivals = [...order.rivalsBefore, ...beside];
    const last = lastBefore(order.files, first);
    this.#covered = start.how === 'begun' ? null : last;
    this.#isStated = start.how === 'closed';
    const { how } = start;
    const stated = last === null || last.closing === null ? null : last.closing - lines.before(dayPlus(last.to, 1));
    const ours = how === 'stated' ? null : start.minor - lines.before(how === 'closed' ? from : start.day);
    this.#level = new Level(how === 'stated' ? stated : ours, from, order.gapsBefore);
    this.#listed = this.#unreadBefore(walked);
  }

  /** The unreadable rows of files before the walk that a file of it may have, too. */
  #unreadBefore(walked: readonly BookFile[]): readonly Listed[] {
    let listed: readonly Listed[] = [];
    const isShared = ({ to }: BookFile) => walked.some(({ unread, from }) => unread.length > 0 && from <= to);
    for (const file of this.#order.files) {
      if (file.to >= this.#order.first || file.unread.length === 0 || !isShared(file)) continue;
      const residue = residueOf(this.#order, file, []);
      const inside = insideOf(listed, file.unread, residue.state === 'outdated' ? null : residue.minor) ?? 0n;
      listed = freshOf(file, residue, inside, listed).listed;
    }
    return listed;
  }

  /** Where a file opens, what it has beyond its lines, and its rivals. */
  pass(file: BookFile): void {
    if (this.#covered === null || file.to > this.#covered.to) this.#settle(file.opening);
    const own = this.#rivals.get(file) ?? [];
    this.#seenRivals.push(...own);
    // What both of two files have was counted once: the second one opens with it.
    for (const one of own) this.#list(file, one);
    const { minor: level, wrong } = this.#level;
    const place = placeOf(this.#order, file, { level, listed: this.#listed, wrong });
    this.#open(file, place);
    this.#close(file, place);
    this.#passed.push(file);
    if (file.to >= this.#order.from) this.#hasOpened = true;
    if (this.#covered === null || file.to > this.#covered.to) this.#covered = file;
  }

  end(): Walked {
    const { lines, start, from, until, expected, lastDay } = this.#order;
    const covered = this.#covered;
    const closing = this.#settle(null);
    if (covered !== null && this.#hasOpened) {
      // A statement of later days shows that the account goes on.
      const to = lastDay !== null && covered.to <= lastDay && lastDay < until ? lastDay : until;
      this.#days(covered, dayPlus(covered.to, 1), to < expected ? to : expected, until);
    }
    const own = this.#walked.filter(({ to }) => to >= from);
    const earliest = own[0]?.from ?? from;
    const last = own.length === 0 ? until : latest(own.map((file) => file.to));
    const { minor, breaks, steps, gaps, takenBack } = this.#level;
    const posted = steps.reduce((sum, step) => sum + step.minor, 0n);
    // Without a file of these days the one before them says with what they open.
    const level = this.#isStated || own.length === 0 ? minor : null;
    return {
      opening: start.how === 'closed' || level === null ? null : level + lines.before(from) - posted,
      closing: this.#hasOpened ? closing : null,
      ...{ breaks, steps, gaps, takenBack },
      covers: { from: earliest < from ? from : earliest, to: last > until ? until : last },
      rivals: this.#seenRivals,
    };
  }

  /**
   * Returns what the file states that reaches furthest. Where other files show its days, too, it is held against the lines of all of them: of
   * those that end on its day, one that agrees speaks for the others, else one from which the next file goes on. `next`: its opening balance.
   */
  #settle(next: bigint | null): bigint | null {
    const { files, lines, until } = this.#order;
    const [last, { minor }] = [this.#covered, this.#level];
    if (last === null || !this.#passed.includes(last) || last.to > until || minor === null) return null;
    const ends = this.#passed.filter((one) => one.to === last.to && one.closing !== null);
    const file =
      ends.find(({ closing }) => closing === next) ?? ends.findLast(({ isFaulty }) => !isFaulty) ?? ends.at(-1);
    if (file === undefined || file.closing === null || (file.opening === null && file.unread.length === 0)) return null;
    const later = this.#walked.slice(this.#passed.length);
    const beside = files.filter((one) => one !== file && overlaps(one, file) && !later.includes(one));
    if (beside.length === 0) return file.closing;
    const [first] = later;
    const ofLater =
      first === undefined || first.from > last.to ? 0n : lines.only(later, { ...first, to: last.to }).minor;
    const expected = minor + lines.before(dayPlus(last.to, 1)) - ofLater;
    if (this.#outdated.has(file) || ends.some(({ closing }) => closing === expected)) return expected;
    this.#deny(file, beside, expected, file.closing);
    return file.closing;
  }

  /** Lists a closing balance that is not what the lines of all files make that show the days of the file. */
  #deny(file: BookFile, beside: readonly BookFile[], computed: bigint, stated: bigint): void {
    const [level, { from }] = [this.#level, this.#order];
    // What the lines of the file lack of its own total, another file shows.
    const shown = level.wrong.find(({ minor, day }) => minor === computed - stated && day === file.to);
    if (shown !== undefined) level.undo(shown);
    if (shown !== undefined || level.takeBack(stated - computed, file.from)) return;
    const isOf = ({ one, other, rivalry }: RivalFiles) =>
      rivalry.how !== 'repeating' && (one === file || other === file) && other.to < from === file.to < from;
    const known = this.#pairs.findLast(({ pair }) => isOf(pair));
    const [one = file] = beside.slice(-1);
    const rivalry = { how: 'contradicting', one: NO_LINES, other: NO_LINES, both: NO_LINES } as const;
    if (known === undefined) this.#list(file, { one, other: file, rivalry });
    level.deny(known?.index ?? level.breaks.length - 1, file.to, computed, stated);
  }

  #list(file: BookFile, rivals: RivalFiles): void {
    const effect = effectOfRivals(rivals);
    const isCarried = file.to < this.#order.from;
    this.#pairs.push({ pair: rivals, index: this.#level.breaks.length });
    this.#level.breaks.push(rivalBreak(rivals, { effect, firstSeen: this.#endOf(file), isCarried }));
    this.#level.step(file.from, effect, isCarried);
  }

  /** Holds the opening balance of a file against what comes before it, and lists where it opens otherwise. */
  #open(file: BookFile, { before, expected, inside, variance }: Place): void {
    const { from, start, lines } = this.#order;
    const { opening } = file;
    const isFirst = !this.#hasOpened && file.to >= from;
    const isBegin = start.how === 'begun' && !this.#isStated && opening !== null;
    // Days before the first file of a period are of the period before, which names them where it has a file at all.
    const isOwn =
      start.how === 'closed' ? file.from > from || (file.from === from && start.isMissing) : file.from !== from;
    const isMissing = !isBegin && (!isFirst || (isOwn && start.how !== 'stated')) && this.#missing(file) !== null;
    if (isFirst && !isMissing && file.from > from) this.#days(file, from, dayPlus(file.from, -1), file.from);
    if (opening !== null) this.#isStated = true;
    if (opening !== null) this.#level.minor ??= opening + inside - lines.before(file.from) - sumOf(before).minor;
    if (variance === 0n && !isMissing) return;
    const isNext = this.#covered !== null && this.#missing(file) === null;
    if (isNext && this.#level.takeBack(variance, file.from)) return;
    // By their own balances a period opens with the last point before it: what is before that moves neither side.
    const isOurs = start.how !== 'stated' || file.from > from;
    const gap = { day: file.from, minor: variance, isBefore: start.how !== 'closed' && file.from <= from };
    const isListed = isOurs || file.from === from;
    const stated = isBegin && start.how === 'begun' ? beginBreak(file, start, variance, from) : null;
    const listed = isListed ? (stated ?? this.#gapOf(file, expected, variance, isOurs)) : null;
    // One of the days before has its break in its own period, and days without a file may have moved it.
    this.#level.gap(gap, listed, isNext && !this.#isCarried(file));
  }

  #gapOf(file: BookFile, expected: bigint | null, variance: bigint, isOurs: boolean): FileItem {
    return gapBreak(file, {
      ...{ expected, variance, effect: isOurs ? variance : 0n, missing: this.#missing(file) },
      contradicting: contradictingText(this.#seenRivals),
      isCarried: this.#isCarried(file),
    });
  }

  #isCarried({ from }: BookFile): boolean {
    return this.#order.start.how !== 'closed' && from < this.#order.from;
  }

  /** The days between a file and those before it; null: none, or days without a line that are no gap, as a file does not state its days. */
  #missing(file: BookFile): { readonly from: string; readonly to: string } | null {
    if (this.#covered === null || !file.statesDays || !this.#covered.statesDays) return null;
    const days = { from: dayPlus(this.#covered.to, 1), to: dayPlus(file.from, -1) };
    return days.from <= days.to ? days : null;
  }

  /** Lists unreadable rows and totals that do not add up, with what they moved. */
  #close(file: BookFile, { residue, inside, wrong }: Place): void {
    const { until, from } = this.#order;
    const level = this.#level;
    for (const one of file.closing === null ? [] : wrong.filter(({ day }) => day <= file.to)) level.undo(one);
    if (residue.state !== 'open') this.#outdated.add(file);
    const { fresh, minor, listed } = freshOf(file, residue, inside, this.#listed);
    this.#listed = listed;
    const isCarried = file.to < from;
    let rest = minor;
    for (const row of residue.state === 'mended' ? [] : fresh) {
      if (isAfter(row, file, until)) continue;
      level.breaks.push(unparsedBreak(file, file, row, { effect: rest, until, isCarried }));
      rest = 0n;
    }
    for (const check of file.controls) {
      const { control } = check;
      if (file.unread.length > 0 && control !== 'rows' && control !== 'net') continue;
      const effect = control === 'closing' || control === 'running' ? rest : 0n;
      level.total(controlBreak(file, check, { effect, firstSeen: this.#endOf(file), isCarried }), file.to, effect);
      rest -= effect;
    }
    level.step(file.to, minor, isCarried);
  }

  #endOf(file: BookFile): string {
    return endIn(file, this.#order.until);
  }

  /** Lists days without a statement, only where files say which days they cover, and none whose statement may still come. */
  #days(file: BookFile, from: string, to: string, names: string): void {
    const last = to < this.#order.expected ? to : this.#order.expected;
    if (file.statesDays && from <= last) this.#level.breaks.push(uncoveredDays(file, { from, to: last }, names));
  }
}

/** The file that ends before a day and reaches furthest; null: there is none. */
function lastBefore(files: readonly BookFile[], day: string): BookFile | null {
  const earlier = files.filter(({ to }) => to < day);
  return earlier.reduce<BookFile | null>((last, one) => (last === null || one.to >= last.to ? one : last), null);
}
