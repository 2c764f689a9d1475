import { amountOfMinor } from '../../domain/amount.ts';
import type { BreakFacts } from '../../domain/break.ts';
import { daysFrom } from '../../domain/business-day.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import type { CoveredAccount } from './accounts.ts';
import { add, FILE, unparsedItem } from './file-items.ts';
import type { MatchRun } from './run.ts';

type FileArchive = Pick<StatementArchive, 'movedOn' | 'unparsedRows'>;

/** What the files of an account state of themselves, in one currency. */
export interface StatedBalances {
  /** At the first day of the period that a statement covers; null: no file says it. */
  readonly opening: bigint | null;
  /** What closing balances have beyond opening and lines: unreadable rows, wrong totals, gaps. */
  readonly residue: bigint;
}

/** Holds the files of an account against themselves and each other, and lists what does not add up. */
export async function checkFiles(
  run: MatchRun,
  archive: FileArchive,
  account: CoveredAccount,
  currency: string,
): Promise<StatedBalances> {
  const { from, until, first } = run.window;
  const start = run.hasOwnOpening(account.name, currency) ? first : from;
  const inPeriod = account.statements.filter(
    ({ covers, balances }) =>
      covers !== null &&
      covers.to >= start &&
      covers.from <= until &&
      balances.some((one) => one.currency === currency),
  );
  const opened = await openingOf(run, archive, inPeriod, currency);
  const seen = new Set<string>();
  const moved = run.scratch.batches.daySums(account.name, currency, from, until);
  let residue = 0n;
  let covered: StatementSummary | null = null;
  for (const statement of inPeriod) {
    const isEarlier = (statement.covers?.to ?? '') < from;
    if (covered !== null && statement !== opened?.by && !isEarlier) {
      const expected = (opened?.opening ?? 0n) + residue;
      residue += gapBefore(run, { statement, covered, currency, expected, moved });
    }
    const rest = await residueOf(run, archive, statement, currency, seen);
    if (!isEarlier) residue += rest;
    if (covered === null || (statement.covers?.to ?? '') > (covered.covers?.to ?? '')) covered = statement;
  }
  return { opening: opened?.opening ?? null, residue };
}

interface Opened {
  readonly opening: bigint;
  readonly by: StatementSummary;
}

/** The balance at the start of the period, by the first statement that states one. */
async function openingOf(
  run: MatchRun,
  archive: FileArchive,
  statements: readonly StatementSummary[],
  currency: string,
): Promise<Opened | null> {
  const { from, eve } = run.window;
  const stating = statements.filter((one) => one.covers !== null && balanceOf(one, currency)?.opening != null);
  const by = stating.findLast(({ covers }) => (covers?.from ?? '') <= from) ?? stating[0];
  const opening = by === undefined ? null : (balanceOf(by, currency)?.opening ?? null);
  const start = by?.covers?.from;
  if (by === undefined || opening === null || start === undefined) return null;
  const before = start < from ? await archive.movedOn({ account: by.account, currency, from: start, to: eve }) : 0n;
  return { opening: opening + before, by };
}

function balanceOf({ balances }: StatementSummary, currency: string) {
  return balances.find((one) => one.currency === currency);
}

interface Next {
  readonly statement: StatementSummary;
  /** The one before it that reaches furthest. */
  readonly covered: StatementSummary;
  readonly currency: string;
  /** At the start of the period, with what was found since. */
  readonly expected: bigint;
  readonly moved: ReadonlyMap<string, bigint>;
}

/** Whether a statement goes on where those before it ended. Returns what its opening balance has beyond theirs. */
function gapBefore(run: MatchRun, next: Next): bigint {
  const { statement, covered, currency, moved } = next;
  const start = statement.covers?.from;
  if (start === undefined || covered.covers === null) return 0n;
  const opening = balanceOf(statement, currency)?.opening ?? null;
  let expected = next.expected;
  for (const [day, minor] of moved) if (day < start) expected += minor;
  const closing = balanceOf(covered, currency)?.closing ?? null;
  const goesOn = opening !== null && (opening === expected || opening === closing);
  const missing = daysFrom(covered.covers.to, start).slice(1, -1);
  // Days without a line are no gap unless the files say which days they cover.
  const isMissing = missing.length > 0 && statement.statesDays && covered.statesDays;
  if (!isMissing && (goesOn || opening === null)) return 0n;
  const variance = opening === null || goesOn ? 0n : opening - expected;
  const ours = opening === null ? null : amountOfMinor(opening - variance);
  const theirs = opening === null ? null : amountOfMinor(opening);
  const days = missing.length > 1 ? `${missing[0]} to ${missing.at(-1)}` : missing[0];
  const detail = isMissing ? `no statement covers ${days}` : null;
  const facts = { ...FILE, code: 'statement_gap' as const, field: 'opening', ours, theirs, detail };
  add(run, statement, { facts, currency, effect: variance, firstSeen: start, row: null, names: start });
  return variance;
}

/** Lists unreadable rows and totals that do not add up. Returns what the closing balance has beyond the lines. */
async function residueOf(
  run: MatchRun,
  archive: FileArchive,
  statement: StatementSummary,
  currency: string,
  seen: Set<string>,
): Promise<bigint> {
  const balance = balanceOf(statement, currency);
  const end = statement.covers?.to ?? '';
  const closes = end <= run.window.until && balance?.opening != null && balance.closing !== null;
  let rest = closes ? (balance.closing ?? 0n) - (balance.opening ?? 0n) - balance.sum : 0n;
  const all = rest;
  const unparsed = statement.unparsed === 0 ? [] : await archive.unparsedRows(statement.statement);
  const fresh = unparsed.filter((row) => !seen.has(`${row.fingerprint} ${row.occurrence}`));
  for (const row of fresh) {
    seen.add(`${row.fingerprint} ${row.occurrence}`);
    add(run, statement, { ...unparsedItem(row, end), currency, effect: rest });
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
    add(run, statement, { facts, currency, effect: carries ? rest : 0n, firstSeen: end, row, names });
    if (carries) rest = 0n;
  }
  return fresh.length === 0 && explained ? 0n : all;
}
