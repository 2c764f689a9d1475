import { amountOfMinor } from '../../domain/money/amount.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { add, FILE } from './file-items.ts';
import type { MatchRun } from './run.ts';

/** Days before the as-at time whose statement may still be on its way. */
const ON_ITS_WAY_DAYS = 5;

export interface Next {
  readonly statement: StatementSummary;
  /** The one before it that reaches furthest. */
  readonly covered: StatementSummary;
  readonly currency: string;
  /** What it opens with; null: it does not say. */
  readonly opening: bigint | null;
  /** What it may open with; the first is what the statements before it end with. */
  readonly expected: readonly [bigint, ...bigint[]];
  /** Files before it that contradict each other; null: none. */
  readonly beside: string | null;
  /** Whether earlier days have the gap; missing: the days of the statement tell. */
  readonly isCarried?: boolean;
}

/** Whether a statement goes on where those before it ended. Returns what its opening balance has beyond theirs. */
export function gapBefore(run: MatchRun, next: Next): bigint {
  const { statement, covered, currency, opening, expected, beside, isCarried } = next;
  const start = statement.covers?.from;
  if (start === undefined || covered.covers === null) return 0n;
  const goesOn = opening !== null && expected.includes(opening);
  const missing = { from: dayPlus(covered.covers.to, 1), to: dayPlus(start, -1) };
  // Days without a line are no gap unless the files say which days they cover.
  const isMissing = missing.from <= missing.to && statement.statesDays && covered.statesDays;
  if (!isMissing && (goesOn || opening === null)) return 0n;
  const variance = opening === null || goesOn ? 0n : opening - expected[0];
  const ours = opening === null ? null : opening - variance;
  const details = [isMissing ? uncovered(missing.from, missing.to) : null, variance === 0n ? null : beside];
  const detail = details.filter((one) => one !== null).join('; ') || null;
  const sub = variance === 0n || beside === null ? null : 'contradicting';
  const stated = { sub, currency, ours, theirs: opening, effect: variance, detail };
  listOpening(run, statement, { ...stated, ...(isCarried !== undefined && { isCarried }) });
  return variance;
}

interface OtherOpening {
  readonly sub: string | null;
  readonly currency: string;
  /** What the statements before it end with. */
  readonly ours: bigint | null;
  readonly theirs: bigint | null;
  readonly effect: bigint;
  readonly detail: string | null;
  /** The day of the difference; missing: the first one of the statement. */
  readonly day?: string;
  readonly isCarried?: boolean;
}

/** Lists a statement that does not go on where those before it ended. */
export function listOpening(run: MatchRun, statement: StatementSummary, opening: OtherOpening): void {
  const { sub, currency, effect, detail, isCarried } = opening;
  const start = opening.day ?? statement.covers?.from ?? run.window.from;
  const ours = opening.ours === null ? null : amountOfMinor(opening.ours);
  const theirs = opening.theirs === null ? null : amountOfMinor(opening.theirs);
  const facts = { ...FILE, sub, code: 'statement_gap' as const, field: 'opening', ours, theirs, detail };
  const item = { facts, currency, effect, firstSeen: start, row: null, names: start };
  add(run, statement, { ...item, ...(isCarried !== undefined && { isCarried }) });
}

/** Lists days at the beginning of the period that no statement covers; `statement` is the first one. */
export function gapAtStart(run: MatchRun, statement: StatementSummary, currency: string): void {
  const start = statement.covers?.from;
  if (start !== undefined && start > run.window.from) {
    listDays(run, statement, { currency, from: run.window.from, to: dayPlus(start, -1), names: start });
  }
}

/** Lists days at the end of the period that no statement covers; `statement` is the one that reaches furthest. */
export function gapAtEnd(run: MatchRun, statement: StatementSummary, currency: string): void {
  const { until } = run.window;
  const end = statement.covers?.to;
  if (end === undefined) return;
  const lastDay = run.lastDays.get(statement.account.name) ?? until;
  // A statement of later days shows that the account goes on.
  const to = end <= lastDay && lastDay < until ? lastDay : until;
  if (end < to) listDays(run, statement, { currency, from: dayPlus(end, 1), to, names: until });
}

interface Uncovered {
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly names: string;
}

/** Only where files say which days they cover, and no days of which the statement may still come. */
function listDays(run: MatchRun, statement: StatementSummary, { currency, from, to, names }: Uncovered): void {
  const expected = dayPlus(run.window.asAtDay, -ON_ITS_WAY_DAYS - 1);
  const last = to < expected ? to : expected;
  if (!statement.statesDays || from > last) return;
  const detail = uncovered(from, last);
  const facts = { ...FILE, code: 'statement_gap' as const, field: 'days', ours: null, theirs: null, detail };
  add(run, statement, { facts, currency, effect: 0n, firstSeen: last, row: null, names });
}

/** `no statement covers 2026-10-01 to 2026-10-04` */
export function uncovered(from: string, to: string): string {
  return `no statement covers ${from < to ? `${from} to ${to}` : from}`;
}
