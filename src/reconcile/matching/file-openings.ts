import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { balanceOf, sumOf } from './file-chain.ts';
import { gapBefore, type Next } from './file-gaps.ts';
import { lateBefore } from './late-sums.ts';
import { effectsOf, explainedByLate, type LeftOpen, mendedBefore } from './left-open.ts';

export interface Earlier {
  readonly statement: StatementSummary;
  /** The one before it that reaches furthest; null: it is the first one. */
  readonly covered: StatementSummary | null;
  /** What was found in the statements before it. */
  readonly carried: bigint;
  /** Files up to it that contradict each other; null: none. */
  readonly beside: string | null;
}

/** A gap between statements of earlier days: our own opening balance does not have it. Files without a balance may leave out days. */
export async function gapOfEarlier(files: AccountFiles, earlier: Earlier): Promise<bigint> {
  const { run, currency } = files;
  const { statement, covered, beside } = earlier;
  if (covered === null) return 0n;
  const next = { statement, covered, currency, beside };
  if (baseOf(files) === undefined) return gapBefore(run, { ...next, opening: null, expected: [0n] });
  const opening = balanceOf(statement, currency)?.opening ?? null;
  const expected = await endsBefore(files, earlier);
  return opening === null || expected === null ? 0n : gapBefore(run, { ...next, opening, expected: [expected] });
}

/**
 * What the statements before one end with: the first balance and what moved since. The closing balance of the one that reaches furthest
 * may be another one, where a file beside it has more lines of its days: what lines moved counts, and the next opening balance tells.
 */
export async function endsBefore(
  files: AccountFiles,
  { statement, covered, carried }: Earlier,
): Promise<bigint | null> {
  const { archive, chain, currency } = files;
  const base = baseOf(files);
  const [from, start] = [base?.covers?.from, statement.covers?.from];
  if (covered === null || base === undefined || from === undefined || start === undefined) return null;
  const order = { account: statement.account, currency, from, to: dayPlus(start, -1) };
  const moved = start > from ? await archive.movedOn(order) : 0n;
  const since = moved + sumOf(chain.before(statement)) - sumOf(chain.before(base));
  const sum = (balanceOf(base, currency)?.opening ?? 0n) + since + carried;
  return sum;
}

/** The first statement that states a balance. */
export function baseOf({ shown, currency }: AccountFiles): StatementSummary | undefined {
  return shown.find((one) => balanceOf(one, currency)?.opening != null);
}

interface Following {
  readonly statement: StatementSummary;
  /** The one before it that reaches furthest. */
  readonly covered: StatementSummary;
  /** At the start of the period, with what was found since. */
  readonly expected: bigint;
  /** Whether a file of the period was before it. */
  readonly hasOpened: boolean;
}

/**
 * What a statement should open with: what moved since the start of the period. The first one may also go on from the closing balance
 * before it: another statement of its days gives the opening balance.
 */
export async function goingOn(
  { run, archive, book, chain, currency, closed, moved }: AccountFiles,
  { statement, covered, expected, hasOpened }: Following,
): Promise<Omit<Next, 'beside'>> {
  const { from, eve } = run.window;
  const start = statement.covers?.from ?? from;
  const order = { account: statement.account, currency, from: start, to: eve };
  let sum = expected + sumOf(chain.before(statement));
  for (const [day, minor] of moved) if (day < start) sum += minor;
  if (start < from) sum -= await archive.movedOn(order);
  // What came late for closed days moved before it, although it posts on the first day.
  if (start <= from && closed !== null) sum += lateBefore(run, book.name, from);
  const closing = balanceOf(covered, currency)?.closing ?? sum;
  const opening = balanceOf(statement, currency)?.opening ?? null;
  return { statement, covered, currency, opening, expected: hasOpened ? [sum] : [sum, closing] };
}

interface AfterClose extends Omit<Next, 'opening' | 'expected' | 'currency'> {
  readonly closed: bigint;
  readonly leftOpen: LeftOpen;
  /** Of it, what unreadable rows moved that the statement has too: it opens without them. */
  readonly inside: bigint;
}

/**
 * Holds the first statement after a close against what was closed with: lines that came late may be in its opening balance. Where it
 * opens without those that explain a gap of closed days, the gap ends: the balance that was closed with has them already.
 */
export async function gapAfterClose(
  files: AccountFiles,
  { closed, leftOpen, inside, ...next }: AfterClose,
): Promise<{ readonly gap: bigint; readonly leftOpen: LeftOpen }> {
  const { run, archive, book, chain, currency } = files;
  const { statement } = next;
  const { from, eve } = run.window;
  const stated = balanceOf(statement, currency)?.opening ?? null;
  const start = statement.covers?.from ?? from;
  const order = { account: statement.account, currency, from: start, to: eve };
  const before = (start < from ? await archive.movedOn(order) : 0n) - sumOf(chain.before(statement)) + inside;
  const opening = stated === null || stated === closed ? stated : stated + before;
  const withLate = closed + lateBefore(run, book.name, from) - mendedBefore(leftOpen.mended, from);
  const explained = explainedByLate(files, leftOpen);
  const without = withLate - effectsOf(explained);
  const ends = explained.length > 0 && opening === without;
  const gap = gapBefore(run, { ...next, currency, opening, expected: [ends ? without : withLate] });
  if (!ends) return { gap, leftOpen };
  const items = leftOpen.items.filter((item) => !explained.includes(item));
  return { gap: without - withLate, leftOpen: { ...leftOpen, items } };
}
