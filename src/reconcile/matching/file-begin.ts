import { amountOfMinor, formatAmount } from '../../domain/money/amount.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { balanceOf, sumOf } from './file-chain.ts';
import { listOpening, uncovered } from './file-gaps.ts';
import { baseOf } from './file-openings.ts';
import { residueOf } from './file-residue.ts';
import { insideAtOpening, lastBefore } from './unread-before.ts';
import type { Listed } from './unread-rows.ts';

/**
 * Holds the first statement that states a balance against `reconcile.begin`: it should open with that balance and what was open then.
 * `unread`: the unreadable rows of files before that. The opening balances have the difference already; after the period in which the books begin, it is open from before.
 */
export async function gapAtBegin(files: AccountFiles, unread: readonly Listed[]): Promise<void> {
  const { run, currency, book } = files;
  const { begin, from } = run.window;
  const begun = run.openings.begun(book.name);
  const statement = baseOf(files);
  const start = statement?.covers?.from;
  if (begun === null || statement === undefined || start === undefined) return;
  const theirs = (await balanceAtBegin(files, statement, start)) + (await unreadIn(files, statement, unread));
  const ours = begun + book.openAtBegin;
  if (theirs === ours) return;
  const details = [
    book.openAtBegin === 0n ? null : `${formatted(begun)}, and ${formatted(book.openAtBegin)} was open then`,
    start > begin && statement.statesDays ? uncovered(begin, dayPlus(start, -1)) : null,
  ];
  const detail = details.filter((one) => one !== null).join('; ') || null;
  const day = start > begin ? start : begin;
  const gap = { sub: 'begin', currency, ours, theirs, effect: theirs - ours, detail };
  listOpening(run, statement, { ...gap, day, isCarried: day < from });
}

/** What a statement makes of the day on which the books begin. */
async function balanceAtBegin(
  { run, archive, chain, currency }: AccountFiles,
  statement: StatementSummary,
  start: string,
): Promise<bigint> {
  const { begin } = run.window;
  const [first, next] = start < begin ? [start, begin] : [begin, start];
  const order = { account: statement.account, currency, from: first, to: dayPlus(next, -1) };
  const moved = first < next ? await archive.movedOn(order) : 0n;
  const opening = (balanceOf(statement, currency)?.opening ?? 0n) - sumOf(chain.before(statement));
  return start < begin ? opening + moved : opening - moved;
}

/** What its unreadable rows moved that files have, too, which ended before the books began. */
async function unreadIn(files: AccountFiles, statement: StatementSummary, unread: readonly Listed[]): Promise<bigint> {
  if (unread.length === 0 || statement.unparsed === 0) return 0n;
  return insideAtOpening(
    files,
    statement,
    await residueOf(files, statement, unread),
    lastBefore(files, files.run.window.begin),
  );
}

function formatted(minor: bigint): string {
  return formatAmount(amountOfMinor(minor));
}
