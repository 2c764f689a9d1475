import { amountOfMinor } from '../../domain/amount.ts';
import type { BreakFacts } from '../../domain/break.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import type { CoveredAccount } from './accounts.ts';
import { balanceOf, chainOf } from './file-chain.ts';
import { gapAtEnd, gapAtStart, gapBefore } from './file-gaps.ts';
import { add, FILE, firstSeenOf, unparsedItem } from './file-items.ts';
import { type Mended, mendedBeside } from './file-mended.ts';
import { gapAcross, gapAfterClose, gapOfEarlier, goingOn, openingOf } from './file-openings.ts';
import { listRivals, rivalsIn, rivalText } from './rival-breaks.ts';
import type { MatchRun } from './run.ts';

type FileArchive = Pick<StatementArchive, 'movedOn' | 'movedBeside' | 'unparsedRows' | 'heldDays'>;

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
  const { from, until, first } = run.window;
  const name = { environment: account.environment, account: account.name, currency };
  const start = run.hasOwnOpening(name) ? first : from;
  const files = account.statements.filter(
    ({ covers, balances }) =>
      covers !== null && (balances.length === 0 || balances.some((one) => one.currency === currency)),
  );
  const chain = await chainOf(archive, files, currency);
  const shown = chain.files.filter(({ covers }) => covers !== null && covers.to >= start && covers.from <= until);
  const closed = run.closings.openingOf(name);
  const opened = closed === null ? await openingOf(run, archive, { chain, statements: shown, currency }) : null;
  const opening = closed?.theirs ?? opened?.opening ?? null;
  const seen = new Set<string>();
  const mending = { chain, currency, late: run.late.statements };
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
  const rivals = await rivalsIn(archive, shown, currency);
  const contradicting: string[] = [];
  for (const statement of shown) {
    const own = rivals.filter(({ other }) => other === statement);
    contradicting.push(...own.filter(({ rivalry }) => rivalry.how === 'contradicting').map(rivalText));
    const beside = contradicting.length === 0 ? null : contradicting.join('; ');
    const isBefore = (statement.covers?.to ?? '') < from;
    // What came after the close of its days counts in this period, and says nothing of the balances before it.
    const isLate = isBefore && run.late.statements.has(statement.statement);
    const isEarlier = isBefore && !isLate;
    if (isEarlier) carried += await gapOfEarlier(run, archive, { chain, statement, covered, currency, carried, shown });
    if (!isBefore) {
      const expected = (opening ?? 0n) + residue;
      if (isFirst && closed !== null && covered !== null) {
        const next = { chain, statement, covered, currency, beside, closed: expected + mendedLate, mendedLate };
        const gap = await gapAfterClose(run, archive, next);
        addResidue(gap, statement.covers?.from);
      } else if (covered !== null && statement !== opened?.by) {
        const next = await goingOn(run, archive, { chain, statement, covered, currency, expected, moved });
        // Of files that contradict each other, the closing balance of one is not what the lines of both make.
        const follows = beside === null ? next.expected : ([next.expected[0]] as const);
        addResidue(gapBefore(run, { ...next, expected: follows, beside }), statement.covers?.from);
      } else if (isFirst) {
        gapAtStart(run, statement, currency);
        if (!run.hasOwnOpening(name)) await gapAcross(run, archive, { chain, statement, currency });
      }
      isFirst = false;
      for (const one of own) addResidue(listRivals(run, one), statement.covers?.from);
    }
    const mended = statement.unparsed === 0 ? null : await mendedBeside(archive, statement, mending);
    const rest = await residueOf(run, archive, { statement, currency, seen, mended });
    const late = isEarlier && closed !== null ? (mended?.late ?? 0n) : 0n;
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

interface Residue {
  readonly statement: StatementSummary;
  readonly currency: string;
  /** Unreadable rows that were listed, also of another file. */
  readonly seen: Set<string>;
  /** Null: every row is readable. */
  readonly mended: Mended | null;
}

/** Lists unreadable rows and totals that do not add up. Returns what the closing balance has beyond the lines of all files. */
async function residueOf(
  run: MatchRun,
  archive: FileArchive,
  { statement, currency, seen, mended }: Residue,
): Promise<bigint> {
  const balance = balanceOf(statement, currency);
  const end = statement.covers?.to ?? '';
  const closes = end <= run.window.until && balance?.opening != null && balance.closing !== null;
  const beyond = closes ? (balance.closing ?? 0n) - (balance.opening ?? 0n) - balance.sum : 0n;
  const all = closes ? beyond - (mended?.minor ?? 0n) : 0n;
  let rest = all;
  const unparsed = statement.unparsed === 0 ? [] : await archive.unparsedRows(statement.statement);
  const fresh = unparsed.filter((row) => !seen.has(`${row.fingerprint} ${row.occurrence}`));
  // Another file has all that these rows moved.
  const isMended = beyond !== 0n && all === 0n && (mended?.lines ?? 0) >= unparsed.length;
  for (const row of fresh) {
    seen.add(`${row.fingerprint} ${row.occurrence}`);
    if (isMended) continue;
    add(run, statement, { ...unparsedItem(row, firstSeenOf(run, statement)), currency, effect: rest });
    rest = 0n;
  }
  const explained = unparsed.length > 0;
  for (const { control, currency: of, stated, computed, row } of statement.controls) {
    if (of !== null && of !== currency) continue;
    if (explained && control !== 'rows' && control !== 'net') continue;
    const isMoney = control !== 'rows';
    const carries = control === 'closing' || control === 'running';
    const facts: BreakFacts = {
      ...FILE,
      code: 'control_mismatch',
      field: control,
      ours: isMoney ? amountOfMinor(computed) : String(computed),
      theirs: isMoney ? amountOfMinor(stated) : String(stated),
      detail: row === null ? null : `from row ${row} on`,
    };
    const names = `${statement.file.sha256} ${control}`;
    add(run, statement, {
      facts,
      currency,
      effect: carries ? rest : 0n,
      firstSeen: firstSeenOf(run, statement),
      row,
      names,
    });
    if (carries) rest = 0n;
  }
  return fresh.length === 0 && explained ? 0n : all;
}
