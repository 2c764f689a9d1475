import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { gapAcross, gapAtOpening } from './file-across.ts';
import { gapAtStart, gapBefore } from './file-gaps.ts';
import { gapAfterClose, goingOn } from './file-openings.ts';
import type { Residue } from './file-residue.ts';
import { type LeftOpen, mendedBefore } from './left-open.ts';
import { insideAtOpening, lastBefore } from './unread-before.ts';

interface Opening {
  readonly statement: StatementSummary;
  /** The balance of their side at the start of the period; null: no file states it. */
  readonly opening: bigint | null;
  /** What files of the period before it have beyond their lines, and files of earlier days. */
  readonly residue: bigint;
  readonly carried: bigint;
  /** What the period before left open of files, up to what late lines explain. */
  readonly leftOpen: LeftOpen;
  /** The file before it that reaches furthest; null: it is the first one. */
  readonly covered: StatementSummary | null;
  /** Whether a file of the period was before it. */
  readonly hasOpened: boolean;
  readonly left: Residue;
  /** Files up to it that contradict each other; null: none. */
  readonly beside: string | null;
}

interface OpenedBy {
  /** The balance of their side at the start of the period. */
  readonly opening: bigint | null;
  /** What it opens with beyond what the files before it end with. */
  readonly gap: bigint;
  /** What its unreadable rows moved that files before it have, too. */
  readonly inside: bigint;
  readonly leftOpen: LeftOpen;
}

/** Holds the opening balance of a file of the period against what comes before it, and lists where it opens otherwise. */
export async function openedBy(files: AccountFiles, one: Opening): Promise<OpenedBy> {
  const { run, currency, book, closed, opened } = files;
  const { statement, covered, hasOpened, left, beside, opening, leftOpen } = one;
  if (!hasOpened && closed !== null && covered !== null) {
    const inside = left.inside ?? 0n;
    const expected = closed + one.residue + mendedBefore(leftOpen.mended, run.window.from);
    const next = { statement, covered, beside, closed: expected, leftOpen, inside };
    return { opening, inside, ...(await gapAfterClose(files, next)) };
  }
  const same = { opening, leftOpen };
  if (covered !== null && statement !== opened?.by) return { ...same, ...(await goesOn(files, { ...one, covered })) };
  if (!hasOpened) gapAtStart(run, statement, currency);
  const shared = await insideAtOpening(files, statement, left, covered ?? lastBefore(files, run.window.from));
  const opens = opening === null || statement !== opened?.by ? opening : opening + shared;
  if (run.hasOwnOpening(book.name)) {
    await gapAtOpening(files, { statement, covered, carried: one.carried - shared, beside });
    return { ...same, opening: opens, inside: shared, gap: 0n };
  }
  const gap = hasOpened ? 0n : await gapAcross(files, statement);
  return { ...same, opening: opens === null ? null : opens - gap, inside: shared, gap };
}

/** A file after another one of the period. */
async function goesOn(files: AccountFiles, one: Opening & { readonly covered: StatementSummary }) {
  const { statement, covered, left, beside, opening, residue, hasOpened } = one;
  const next = await goingOn(files, { statement, covered, expected: (opening ?? 0n) + residue, hasOpened });
  const [sum, ...closing] = next.expected;
  // A file whose first rows are unreadable opens after them.
  const inside = next.opening === sum ? 0n : (left.inside ?? sum - (next.opening ?? sum));
  // Of files that contradict each other, the closing balance of one is not what the lines of both make.
  const open = sum - inside;
  const expected = [open, open - left.after, ...(beside === null ? closing : [])] as const;
  return { inside, gap: gapBefore(files.run, { ...next, expected, beside }) };
}
