import { dayPlus } from '../reconciling/business-day.ts';
import type { BookFile } from './book-file.ts';
import { type BookLines, sumOf } from './book-lines.ts';
import {
  controlBreak,
  effectOfRivals,
  endIn,
  type FileBreak,
  isAfter,
  minorText,
  otherOpening,
  rivalBreak,
  uncovered,
  uncoveredDays,
  unparsedBreak,
} from './file-break.ts';
import { type Place, placeOf, type WrongTotal } from './place.ts';
import { overlaps } from './rivalry.ts';
import { contradictingText, type RivalFiles, rivalsIn } from './rivals.ts';
import { freshOf, insideOf, type Listed, residueOf } from './unread.ts';

/**
 * With what a book begins. `closed`: the balance by them of the period that ends the day before, with what came since for its days;
 * `isMissing`: no statement covers the last of these days, and nothing says so yet.
 * `begun`: our own balance of a day, `open` of it what was open then. `stated`: what its files state.
 */
export type Start =
  | { readonly how: 'closed'; readonly minor: bigint; readonly isMissing: boolean }
  | { readonly how: 'begun'; readonly minor: bigint; readonly open: bigint; readonly day: string }
  | { readonly how: 'stated' };

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
}

/** What balances state beyond lines, on the day of the later point. */
export interface Step {
  readonly day: string;
  readonly minor: bigint;
}

export interface Walked {
  /** The balance by them at the start of the period; null: no file states one. */
  readonly opening: bigint | null;
  readonly breaks: readonly FileBreak[];
  /** Of the period; those before it are part of the opening balance. */
  readonly steps: readonly Step[];
  /** The first and the last day of the period that a statement covers. */
  readonly covers: { readonly from: string; readonly to: string };
  readonly rivals: readonly RivalFiles[];
}

/**
 * Walks through the points of a book in order. `level` is what the last point states beyond the lines before it: where everything adds up,
 * it is the same at every point, and each change of it is a break with just this effect.
 */
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
  readonly #breaks: FileBreak[] = [];
  readonly #steps: Step[] = [];
  #level: bigint | null;
  #isStated: boolean;
  #hasOpened = false;
  /** The file that reaches furthest. */
  #covered: BookFile | null;
  #listed: readonly Listed[];
  #wrong: readonly WrongTotal[] = [];

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
    this.#level =
      start.how === 'closed'
        ? start.minor - lines.before(from)
        : start.how === 'begun'
          ? start.minor - lines.before(start.day)
          : last === null || last.closing === null
            ? null
            : last.closing - lines.before(dayPlus(last.to, 1));
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
    const own = this.#rivals.get(file) ?? [];
    this.#seenRivals.push(...own);
    // What both of two files have was counted once: the second one opens with it.
    for (const one of own) this.#list(file, one);
    const known = { level: this.#level, listed: this.#listed, wrong: this.#wrong };
    const place = placeOf(this.#order, file, known);
    this.#open(file, place);
    this.#close(file, place);
    if (file.to >= this.#order.from) this.#hasOpened = true;
    if (this.#covered === null || file.to > this.#covered.to) this.#covered = file;
  }

  end(): Walked {
    const { files: _, lines, start, from, until, expected, lastDay } = this.#order;
    const covered = this.#covered;
    if (covered !== null && this.#hasOpened) {
      // A statement of later days shows that the account goes on.
      const to = lastDay !== null && covered.to <= lastDay && lastDay < until ? lastDay : until;
      this.#days(covered, dayPlus(covered.to, 1), to < expected ? to : expected, until);
    }
    const own = this.#walked.filter(({ to }) => to >= from);
    const earliest = own.reduce((day, file) => (file.from < day ? file.from : day), until);
    const latest = own.reduce((day, file) => (file.to > day ? file.to : day), from);
    const posted = this.#steps.reduce((sum, { minor }) => sum + minor, 0n);
    // Without a file of these days the one before them says with what they open.
    const level = this.#isStated || own.length === 0 ? this.#level : null;
    return {
      opening: start.how === 'closed' || level === null ? null : level + lines.before(from) - posted,
      breaks: this.#breaks,
      steps: this.#steps,
      covers: { from: earliest < from ? from : earliest, to: latest > until ? until : latest },
      rivals: this.#seenRivals,
    };
  }

  #list(file: BookFile, rivals: RivalFiles): void {
    const effect = effectOfRivals(rivals);
    const isCarried = file.to < this.#order.from;
    this.#breaks.push(rivalBreak(rivals, { effect, firstSeen: this.#endOf(file), isCarried }));
    this.#step(file.from, effect, isCarried);
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
    if (opening !== null && this.#level === null) {
      this.#level = opening + inside - lines.before(file.from) - sumOf(before).minor;
    }
    if (variance === 0n && !isMissing) return;
    // By their own balances a period opens with the last point before it: what is before that moves neither side.
    const isOurs = start.how !== 'stated' || file.from > from;
    if (isOurs || file.from === from) {
      const effect = isOurs ? variance : 0n;
      const stated = isBegin && start.how === 'begun' ? this.#begins(file, start, variance) : null;
      this.#breaks.push(otherOpening(file, stated ?? this.#opens(file, { expected, variance, effect })));
    }
    this.#step(file.from, variance, start.how === 'closed' ? false : file.from <= from);
  }

  #opens(
    file: BookFile,
    {
      expected,
      variance,
      effect,
    }: { readonly expected: bigint | null; readonly variance: bigint; readonly effect: bigint },
  ) {
    const { from, start } = this.#order;
    const beside = variance === 0n ? null : contradictingText(this.#seenRivals);
    const missing = this.#missing(file);
    const details = [missing === null ? null : uncovered(missing.from, missing.to), beside];
    const theirs = expected === null ? null : expected + variance;
    return {
      ...{ sub: beside === null ? null : 'contradicting', day: file.from, ours: expected, theirs, effect },
      detail: details.filter((one) => one !== null).join('; ') || null,
      isCarried: start.how !== 'closed' && file.from < from,
    };
  }

  /** Where the first balance is not `reconcile.begin` and what was open then. */
  #begins(file: BookFile, { minor, open, day }: Extract<Start, { how: 'begun' }>, variance: bigint) {
    const begins = file.from > day ? file.from : day;
    const details = [
      open === 0n ? null : `${minorText(minor - open)}, and ${minorText(open)} was open then`,
      file.from > day && file.statesDays ? uncovered(day, dayPlus(file.from, -1)) : null,
    ];
    return {
      ...{ sub: 'begin', day: begins, ours: minor, theirs: minor + variance, effect: variance },
      detail: details.filter((one) => one !== null).join('; ') || null,
      isCarried: begins < this.#order.from,
    };
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
    // A file that opens before a wrong total and closes after it says that the total moved nothing.
    for (const one of file.closing === null ? [] : wrong.filter(({ day }) => day <= file.to)) this.#undo(one);
    const { fresh, minor, listed } = freshOf(file, residue, inside, this.#listed);
    this.#listed = listed;
    const isCarried = file.to < from;
    let rest = minor;
    for (const row of residue.state === 'mended' ? [] : fresh) {
      if (isAfter(row, file, until)) continue;
      this.#breaks.push(unparsedBreak(file.statement, file, row, { effect: rest, until, isCarried }));
      rest = 0n;
    }
    for (const check of file.controls) {
      const { control } = check;
      if (file.unread.length > 0 && control !== 'rows' && control !== 'net') continue;
      const effect = control === 'closing' || control === 'running' ? rest : 0n;
      if (effect !== 0n) this.#wrong = [...this.#wrong, { index: this.#breaks.length, day: file.to, minor: effect }];
      this.#breaks.push(controlBreak(file, check, { effect, firstSeen: this.#endOf(file), isCarried }));
      rest -= effect;
    }
    this.#step(file.to, minor, isCarried);
  }

  #undo(one: WrongTotal): void {
    const listed = this.#breaks[one.index];
    if (listed !== undefined) this.#breaks[one.index] = { ...listed, effect: 0n };
    this.#step(one.day, -one.minor, one.day < this.#order.from);
    this.#wrong = this.#wrong.filter((other) => other !== one);
  }

  #endOf(file: BookFile): string {
    return endIn(file, this.#order.until);
  }

  /** Lists days without a statement, only where files say which days they cover, and none whose statement may still come. */
  #days(file: BookFile, from: string, to: string, names: string): void {
    const last = to < this.#order.expected ? to : this.#order.expected;
    if (file.statesDays && from <= last) this.#breaks.push(uncoveredDays(file, { from, to: last }, names));
  }

  #step(day: string, minor: bigint, isBefore: boolean): void {
    if (this.#level !== null) this.#level += minor;
    if (minor !== 0n && !isBefore) this.#steps.push({ day: day < this.#order.from ? this.#order.from : day, minor });
  }
}

/** The file that ends before a day and reaches furthest; null: there is none. */
function lastBefore(files: readonly BookFile[], day: string): BookFile | null {
  const earlier = files.filter(({ to }) => to < day);
  return earlier.reduce<BookFile | null>((last, one) => (last === null || one.to >= last.to ? one : last), null);
}
