import { dayPlus } from '../../domain/business-day.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { balanceOf, type FileChain, sumOf } from './file-chain.ts';
import { gapBefore, type Next } from './file-gaps.ts';
import type { MatchRun } from './run.ts';

type FileArchive = Pick<StatementArchive, 'movedOn'>;

export interface Opened {
  readonly opening: bigint;
  readonly by: StatementSummary;
}

interface OpenOrder {
  readonly chain: FileChain;
  /** Those of the chain that count in this run. */
  readonly statements: readonly StatementSummary[];
  readonly currency: string;
}

/**
 * The balance at the start of the period, by the last statement that opens before it. One with unreadable rows that reaches into the
 * period counts them at its end: the opening balance of a later one may have them already.
 */
export async function openingOf(
  run: MatchRun,
  archive: FileArchive,
  { chain, statements, currency }: OpenOrder,
): Promise<Opened | null> {
  const { from, eve } = run.window;
  const stating = statements.filter((one) => one.covers !== null && balanceOf(one, currency)?.opening != null);
  const begun = stating.filter(({ covers }) => (covers?.from ?? '') <= from);
  const by =
    begun.find(({ unparsed, covers }) => unparsed > 0 && (covers?.to ?? '') >= from) ??
    begun.findLast((one) => chain.before(one).every(({ day }) => day < from)) ??
    begun.at(-1) ??
    stating[0];
  const opening = by === undefined ? null : (balanceOf(by, currency)?.opening ?? null);
  const start = by?.covers?.from;
  if (by === undefined || opening === null || start === undefined) return null;
  const before = start < from ? await archive.movedOn({ account: by.account, currency, from: start, to: eve }) : 0n;
  return { opening: opening + before - sumOf(chain.before(by)), by };
}

export interface Earlier {
  readonly chain: FileChain;
  readonly statement: StatementSummary;
  readonly covered: StatementSummary | null;
  readonly currency: string;
  /** What was found in the statements before it. */
  readonly carried: bigint;
  readonly shown: readonly StatementSummary[];
}

/** A gap between statements of earlier days: our own opening balance does not have it. Files without a balance may leave out days. */
export async function gapOfEarlier(run: MatchRun, archive: FileArchive, earlier: Earlier): Promise<bigint> {
  const { statement, covered, currency } = earlier;
  if (covered === null) return 0n;
  const next = { statement, covered, currency, beside: null };
  if (baseOf(run, earlier) === undefined) return gapBefore(run, { ...next, opening: null, expected: [0n] });
  const opening = balanceOf(statement, currency)?.opening ?? null;
  const ends = await endsBefore(run, archive, earlier);
  return opening === null || ends === null ? 0n : gapBefore(run, { ...next, opening, expected: ends });
}

/** What the statements before one end with: by the first balance and what moved since, and by the one that reaches furthest. */
export async function endsBefore(
  run: MatchRun,
  archive: FileArchive,
  earlier: Earlier,
): Promise<readonly [bigint, bigint] | null> {
  const { chain, statement, covered, currency, carried } = earlier;
  const base = baseOf(run, earlier);
  const [from, start] = [base?.covers?.from, statement.covers?.from];
  if (covered === null || base === undefined || from === undefined || start === undefined) return null;
  const order = { account: statement.account, currency, from, to: dayPlus(start, -1) };
  const moved = start > from ? (await archive.movedOn(order)) - lateBefore(run, statement, currency, start) : 0n;
  const since = moved + sumOf(chain.before(statement)) - sumOf(chain.before(base));
  const sum = (balanceOf(base, currency)?.opening ?? 0n) + since + carried;
  return [sum, balanceOf(covered, currency)?.closing ?? sum];
}

/** The first statement in time that states a balance. */
function baseOf(run: MatchRun, { shown, currency }: Earlier): StatementSummary | undefined {
  return shown.find((one) => {
    return !run.late.statements.has(one.statement) && balanceOf(one, currency)?.opening != null;
  });
}

interface Following {
  readonly chain: FileChain;
  readonly statement: StatementSummary;
  /** The one before it that reaches furthest. */
  readonly covered: StatementSummary;
  readonly currency: string;
  /** At the start of the period, with what was found since. */
  readonly expected: bigint;
  readonly moved: ReadonlyMap<string, bigint>;
}

/** What a statement should open with: what moved since the start of the period, or the closing balance before it. */
export async function goingOn(
  run: MatchRun,
  archive: FileArchive,
  { chain, statement, covered, currency, expected, moved }: Following,
): Promise<Omit<Next, 'beside'>> {
  const { from, eve } = run.window;
  const start = statement.covers?.from ?? from;
  const order = { account: statement.account, currency, from: start, to: eve };
  let sum = expected + sumOf(chain.before(statement));
  for (const [day, minor] of moved) if (day < start) sum += minor;
  if (start < from) sum -= await archive.movedOn(order);
  const closing = balanceOf(covered, currency)?.closing ?? sum;
  const opening = balanceOf(statement, currency)?.opening ?? null;
  return { statement, covered, currency, opening, expected: [sum, closing] };
}

function lateBefore(run: MatchRun, { account }: StatementSummary, currency: string, before: string): bigint {
  return run.scratch.late.sumOf({ environment: account.environment, account: account.name, currency, before });
}

interface AfterClose extends Omit<Next, 'opening' | 'expected'> {
  readonly chain: FileChain;
  readonly closed: bigint;
  /** Of what came late, what it was closed with already. */
  readonly mendedLate: bigint;
  /** Of it, what unreadable rows moved that the statement has too: it opens without them. */
  readonly inside: bigint;
}

/** Holds the first statement after a close against what was closed with: lines that came late may be in its opening balance. */
export async function gapAfterClose(
  run: MatchRun,
  archive: FileArchive,
  { chain, closed, mendedLate, inside, ...next }: AfterClose,
): Promise<bigint> {
  const { statement, currency } = next;
  const { from, eve } = run.window;
  const stated = balanceOf(statement, currency)?.opening ?? null;
  const start = statement.covers?.from ?? from;
  const order = { account: statement.account, currency, from: start, to: eve };
  const before = (start < from ? await archive.movedOn(order) : 0n) - sumOf(chain.before(statement)) + inside;
  const late = lateBefore(run, statement, currency, from) - mendedLate;
  const isAsClosed = stated === closed;
  const opening = stated === null || isAsClosed ? stated : stated + before;
  return gapBefore(run, { ...next, opening, expected: [closed, closed + late] });
}
