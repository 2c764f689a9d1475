import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { type Contradicting, contradictingText, contradictingWith, NONE_CONTRADICTING } from './contradicting.ts';
import { gapOfEarlier } from './file-openings.ts';
import { listResidue, residueOf } from './file-residue.ts';
import { type LeftOpen, leftOpenBy, mendedBefore } from './left-open.ts';
import { openedBy } from './opened-by.ts';
import { listRivals } from './rival-breaks.ts';
import { insideAtOpening, lastBefore } from './unread-before.ts';
import type { Listed } from './unread-rows.ts';

/** What the files of an account have said up to one of them, in the order in which their balances go on. */
export interface FilesSeen {
  /** The balance of their side at the start of the period; null: no file states it. */
  readonly opening: bigint | null;
  /** What files of the period have beyond their lines. */
  readonly residue: bigint;
  /** What files of earlier days have beyond their lines. */
  readonly carried: bigint;
  /** What the period before left open of files, up to what late lines explain. */
  readonly leftOpen: LeftOpen;
  /** The file that reaches furthest; null: none yet. */
  readonly covered: StatementSummary | null;
  /** Whether a file of the period was seen. */
  readonly hasOpened: boolean;
  /** Unreadable rows that are listed. */
  readonly listed: readonly Listed[];
  /** Files that contradict another one. */
  readonly contradicting: Contradicting;
}

/** `listed`: the unreadable rows that periods before list. */
export async function nothingSeen(files: AccountFiles, listed: readonly Listed[]): Promise<FilesSeen> {
  const { closed, opened, run } = files;
  const { from } = run.window;
  const leftOpen = await leftOpenBy(files);
  const rivalsBefore = [...files.rivals].flatMap(([other, rivals]) => (files.shown.includes(other) ? [] : rivals));
  return {
    opening: closed ?? opened?.opening ?? null,
    residue: post(files, from, -mendedBefore(leftOpen.mended, from)),
    ...{ carried: 0n, covered: closed === null ? null : lastBefore(files, from), hasOpened: false },
    ...{ listed, leftOpen, contradicting: contradictingWith(NONE_CONTRADICTING, rivalsBefore) },
  };
}

/** Checks one more file: where it opens, its unreadable rows and its totals. */
export async function seenWith(files: AccountFiles, seen: FilesSeen, statement: StatementSummary): Promise<FilesSeen> {
  const { run } = files;
  const { from } = run.window;
  const isBefore = (statement.covers?.to ?? '') < from;
  // What came after the close of its days counts in this period, and says nothing of the balances before it.
  const isLate = isBefore && files.late.has(statement);
  const isEarlier = isBefore && !isLate;
  const rivals = files.rivals.get(statement) ?? [];
  const contradicting = contradictingWith(seen.contradicting, rivals);
  const beside = contradictingText(contradicting);
  const left = await residueOf(files, statement, seen.listed);
  // What both of two files have was counted once: the second one opens with it.
  const repeated = rivals.filter(({ rivalry }) => rivalry.how === 'repeating');
  const twice = repeated.reduce((sum, { rivalry }) => sum + rivalry.both.minor, 0n);
  let { opening, residue, carried, covered, hasOpened, leftOpen } = seen;
  let inside = 0n;
  if (isEarlier) {
    inside = await insideAtOpening(files, statement, left, covered);
    const before = { statement, covered, carried: carried + twice - inside, beside };
    carried += await gapOfEarlier(files, before);
    for (const one of repeated) carried += listRivals(run, one);
  }
  if (!isBefore) {
    const next = await openedBy(files, { ...seen, residue: residue + twice, statement, left, beside });
    ({ opening, inside, leftOpen } = next);
    residue += post(files, statement.covers?.from, next.gap);
    for (const one of rivals) residue += post(files, statement.covers?.from, listRivals(run, one));
    hasOpened = true;
  }
  const { minor, listed } = listResidue(files, { statement, residue: left, inside, listed: seen.listed });
  if (isEarlier) carried += minor;
  else residue += post(files, statement.covers?.to, minor);
  if (!isLate && (covered === null || (statement.covers?.to ?? '') > (covered.covers?.to ?? ''))) covered = statement;
  return { opening, residue, carried, covered, hasOpened, listed, leftOpen, contradicting };
}

/** Books what a file has beyond its lines, in the row `other`. */
function post({ run, book }: AccountFiles, day: string | undefined, minor: bigint): bigint {
  if (minor !== 0n) book.add('theirs', { row: 'other', day: day ?? run.window.from, minor });
  return minor;
}
