import { withEffect } from '../reconciling/break.ts';
import { closesOtherwise, type FileItem } from './file-break.ts';
import { takenBack } from './opening.ts';

/** What balances state beyond lines, on the day of the later point. */
export interface Step {
  readonly day: string;
  readonly minor: bigint;
}

/**
 * A step that a later point may say was none: a gap, where a file opens otherwise than with the files before it, or a closing balance that
 * the lines of its file, or of the files that share its days, do not make.
 */
export interface Doubtful extends Step {
  /** It moved the balance of the days before the period. */
  readonly isBefore: boolean;
  /** The place of its break; null: it is listed elsewhere, or not at all. */
  readonly index: number | null;
}

/**
 * What the last point of a book states beyond the lines before it. Where everything adds up, it is the same at every point, and each change
 * of it is a step with a break of just this effect. A later point may say that a step was none.
 */
export class Level {
  readonly breaks: FileItem[] = [];
  /** Of the period; those before it are part of the opening balance. */
  readonly steps: Step[] = [];
  /** Null: no balance is known. */
  minor: bigint | null;
  /** Gaps that a file may take back. */
  gaps: readonly Doubtful[];
  /** Of gaps that are listed elsewhere: those that were taken back, and the day of the file that did it. */
  readonly takenBack = new Map<Doubtful, string>();
  /** Closing balances that the lines of their file do not make. */
  wrong: readonly Doubtful[] = [];
  readonly #from: string;

  /** `from`: the first day of the period. */
  constructor(minor: bigint | null, from: string, gaps: readonly Doubtful[]) {
    this.minor = minor;
    this.gaps = gaps;
    this.#from = from;
  }

  step(day: string, minor: bigint, isBefore: boolean): void {
    if (this.minor !== null) this.minor += minor;
    if (minor !== 0n && !isBefore) this.steps.push({ day: day < this.#from ? this.#from : day, minor });
  }

  /** Notes that a file opens with another balance. `one`: its break, where it is listed. Else than `mayEnd`, nothing takes it or those before it back. */
  gap(gap: Omit<Doubtful, 'index'>, one: FileItem | null, mayEnd: boolean): void {
    const noted = { ...gap, index: one === null ? null : this.breaks.length };
    this.gaps = mayEnd ? [...this.gaps, noted] : [];
    if (one !== null) this.breaks.push(one);
    this.step(gap.day, gap.minor, gap.isBefore);
  }

  /** Notes that files of common days, whose break is listed at `index`, close with `stated`, where their lines make `computed`. */
  deny(index: number, day: string, computed: bigint, stated: bigint): void {
    const denied = { day, minor: stated - computed, isBefore: day < this.#from, index };
    const listed = this.breaks[index];
    if (listed !== undefined) this.breaks[index] = closesOtherwise(listed, computed, stated);
    this.gaps = [...this.gaps, denied];
    this.step(day, denied.minor, denied.isBefore);
  }

  /**
   * Ends the last gaps where a file takes them back (docs/balances.md, Taken back): it opens as if the files between had not been. Returns
   * whether it does.
   */
  takeBack(variance: bigint, day: string): boolean {
    let sum = 0n;
    const first = this.gaps.findLastIndex(({ minor }) => {
      sum += minor;
      return sum === -variance;
    });
    if (first < 0) return false;
    for (const gap of this.gaps.slice(first)) {
      if (gap.index === null) this.takenBack.set(gap, day);
      this.#end(gap, (listed) => takenBack(listed, day));
    }
    this.gaps = this.gaps.slice(0, first);
    return true;
  }

  /** Lists a closing balance that the lines of its file do not make; `minor`: what it moved. */
  total(one: FileItem, day: string, minor: bigint): void {
    const noted = { index: this.breaks.length, day, minor, isBefore: day < this.#from };
    if (minor !== 0n) this.wrong = [...this.wrong, noted];
    this.breaks.push(one);
  }

  /** A file that opens before a wrong total and closes after it says that the total moved nothing. */
  undo(one: Doubtful): void {
    this.#end(one, (listed) => withEffect(listed, 0n));
    this.wrong = this.wrong.filter((other) => other !== one);
  }

  #end({ index, day, minor, isBefore }: Doubtful, change: (listed: FileItem) => FileItem): void {
    const listed = index === null ? undefined : this.breaks[index];
    if (index !== null && listed !== undefined) this.breaks[index] = change(listed);
    this.step(day, -minor, isBefore);
  }
}
