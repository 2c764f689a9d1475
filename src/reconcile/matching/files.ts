import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { HeldLines } from '../held-lines.ts';
import type { CoveredAccount } from './accounts.ts';
import { gapAcross, gapAtOpening } from './file-across.ts';
import { chainOf } from './file-chain.ts';
import { gapAtEnd, gapAtStart, gapBefore } from './file-gaps.ts';
import { gapAfterClose, gapOfEarlier, goingOn, openingOf } from './file-openings.ts';
import { listResidue, residueOf } from './file-residue.ts';
import { listRivals, rivalsIn, rivalText } from './rival-breaks.ts';
import type { MatchRun } from './run.ts';
import type { Listed } from './unread-rows.ts';

type FileArchive = Pick<StatementArchive, 'movedOn' | 'shownLines' | 'unparsedRows'>;

/** What the files of an account state of themselves, in one currency. */
export interface StatedBalances {
  /** At the first day of the period that a statement covers; null: no file says it. */
  readonly opening: bigint | null;
  /** The first and the last day of the period that a statement covers. */
  readonly covers: { readonly from: string; readonly to: string };
}

/**
 * Holds the files of an account against themselves and each other, lists what does not add up, and books what closing balances
 * have beyond opening and lines: unreadable rows, wrong totals, gaps.
 */
export async function checkFiles(
  run: MatchRun,
  archive: FileArchive,
  account: CoveredAccount,
  currency: string,
): Promise<StatedBalances> {
  const { from, until } = run.window;
  const name = { environment: account.environment, account: account.name, currency };
  const since = run.openings.since(name);
  // Files from before the books begin are no part of a balance that begins with them.
  const first = run.openings.begun(name) === null ? run.window.first : run.window.begin;
  const start = since === null ? from : since > first ? since : first;
  const files = account.statements.filter(
    ({ covers, balances }) =>
      covers !== null && (balances.length === 0 || balances.some((one) => one.currency === currency)),
  );
  const held = new HeldLines(archive, currency);
  const chain = await chainOf(archive, held, files, currency);
  const shown = chain.files.filter(({ covers }) => covers !== null && covers.to >= start && covers.from <= until);
  const closed = run.closings.openingOf(name);
  const opened = closed === null ? await openingOf(run, archive, { chain, statements: shown, currency }) : null;
  let opening = closed?.theirs ?? opened?.opening ?? null;
  const listed: Listed[] = [];
  const book = run.books.of(name);
  const moved = book.movedOn(from, until);
  let residue = 0n;
  const addResidue = (minor: bigint, day: string | undefined) => {
    if (minor === 0n) return;
    book.add('theirs', { row: 'other', day: day ?? from, minor });
    residue += minor;
  };
  let carried = 0n;
  // What came late for rows that were unreadable when their days were closed: the balance that was closed with has it.
  let mendedLate = 0n;
  let covered: StatementSummary | null = null;
  let isFirst = true;
  const rivals = await rivalsIn(held, shown, currency);
  const contradicting: string[] = [];
  for (const statement of shown) {
    const own = rivals.filter(({ other }) => other === statement);
    contradicting.push(...own.filter(({ rivalry }) => rivalry.how !== 'repeating').map(rivalText));
    const beside = contradicting.length === 0 ? null : contradicting.join('; ');
    const isBefore = (statement.covers?.to ?? '') < from;
    // What came after the close of its days counts in this period, and says nothing of the balances before it.
    const isLate = isBefore && run.late.statements.has(statement.statement);
    const isEarlier = isBefore && !isLate;
    const left = await residueOf(run, archive, { chain, held, statement, currency, listed });
    let inside = left.inside ?? 0n;
    const before = { chain, statement, covered, currency, carried: carried - inside, shown };
    if (isEarlier) carried += await gapOfEarlier(run, archive, before);
    if (!isBefore) {
      const expected = (opening ?? 0n) + residue;
      if (isFirst && closed !== null && covered !== null) {
        const next = { chain, statement, covered, currency, beside, closed: expected + mendedLate, mendedLate, inside };
        addResidue(await gapAfterClose(run, archive, next), statement.covers?.from);
      } else if (covered !== null && statement !== opened?.by) {
        const next = await goingOn(run, archive, { chain, statement, covered, currency, expected, moved });
        const [sum, ...closing] = next.expected;
        // A file whose first rows are unreadable opens after them.
        if (next.opening === sum) inside = 0n;
        else if (left.inside === null) inside = sum - (next.opening ?? sum);
        // Of files that contradict each other, the closing balance of one is not what the lines of both make.
        const open = sum - inside;
        const follows = [open, open - left.after, ...(beside === null ? closing : [])] as const;
        addResidue(gapBefore(run, { ...next, expected: follows, beside }), statement.covers?.from);
      } else {
        if (isFirst) gapAtStart(run, statement, currency);
        if (run.hasOwnOpening(name)) await gapAtOpening(run, archive, { ...before, beside });
        else if (isFirst) {
          const gap = await gapAcross(run, archive, { chain, statement, currency });
          if (opening !== null) opening -= gap;
          addResidue(gap, statement.covers?.from);
        }
      }
      isFirst = false;
      for (const one of own) addResidue(listRivals(run, one), statement.covers?.from);
    }
    const rest = listResidue(run, { statement, currency, residue: left, inside, listed });
    const late = isEarlier && closed !== null ? left.late : 0n;
    addResidue(-late, from);
    mendedLate += late;
    if (isEarlier) carried += rest + late;
    else addResidue(rest, statement.covers?.to);
    if (isLate) continue;
    if (covered === null || (statement.covers?.to ?? '') > (covered.covers?.to ?? '')) covered = statement;
  }
  if (covered !== null && !isFirst) gapAtEnd(run, covered, currency);
  return { opening, covers: coveredIn(shown, run.window) };
}

function coveredIn(statements: readonly StatementSummary[], { from, until }: MatchRun['window']) {
  const all = statements.flatMap(({ covers }) => (covers === null || covers.to < from ? [] : [covers]));
  const earliest = all.reduce((day, covers) => (covers.from < day ? covers.from : day), until);
  const latest = all.reduce((day, covers) => (covers.to > day ? covers.to : day), from);
  return { from: earliest < from ? from : earliest, to: latest > until ? until : latest };
}
