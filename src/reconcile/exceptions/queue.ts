import type { Config } from '../../config/load.ts';
import type { Environment } from '../../domain/environment.ts';
import { TallyhookError } from '../../domain/error.ts';
import { type OverdueBounds, overdueBounds } from '../../domain/exceptions/overdue.ts';
import type { ExceptionState } from '../../domain/exceptions/words.ts';
import { type Amount, magnitude, toMinorOrNull } from '../../domain/money/amount.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import type { BreakCode } from '../../domain/reconciling/break.ts';
import { businessDays, dayPlus } from '../../domain/reconciling/business-day.ts';
import type { AgeBucket } from '../../domain/records/settling-age.ts';
import type { Cursor } from '../../store/cursor.ts';
import type { Exception, ExceptionArchive, ExceptionFilter } from '../../store/exceptions.ts';
import type { RowPage } from '../../store/reconciliation.ts';
import { loadRules } from '../rules/load.ts';

// The work queue as persons read it, by a command or on a page: its day, its filters, and all of a filter.

/** The day on which the queue is looked at, and from when on its exceptions are overdue. */
export interface QueueDay {
  /** `yyyy-MM-dd` */
  readonly today: string;
  readonly bounds: OverdueBounds;
}

/** Today, and what is overdue today. Holidays are those of the rules. */
export async function queueDay(
  { timeZone: zone, reconcile, exceptions }: Pick<Config, 'timeZone' | 'reconcile' | 'exceptions'>,
  nowMs: number,
): Promise<QueueDay> {
  const { cutOffMinutes, rules } = reconcile;
  const today = businessDays({ zone, cutOffMinutes }).dayOf(nowMs);
  const { holidays } = await loadRules(rules ?? undefined);
  return { today, bounds: overdueBounds(today, exceptions.overdue, holidays) };
}

/** What a person asks of the queue; each condition that is missing holds for all. */
export interface AskedExceptions {
  readonly environment?: Environment | undefined;
  readonly reference?: string | undefined;
  readonly status?: readonly ExceptionState[] | undefined;
  readonly code?: readonly BreakCode[] | undefined;
  readonly leg?: string | undefined;
  readonly account?: string | undefined;
  readonly currency?: string | undefined;
  /** `-`: those without one. */
  readonly assignee?: string | undefined;
  readonly age?: AgeBucket | undefined;
  /** As `period check` counts them: what is open from before, or is resolved in the period, stands in it, too. */
  readonly period?: DayRange | undefined;
  readonly minValue?: Amount | undefined;
  readonly maxValue?: Amount | undefined;
}

/** @throws TallyhookError for a value with more decimals than a minor unit has */
export function queueFilter(asked: AskedExceptions, today: string): ExceptionFilter {
  const { environment, reference, status, code, leg, account, currency, assignee, age, period } = asked;
  return {
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(status !== undefined && { statuses: status }),
    ...(code !== undefined && { codes: code }),
    ...(leg !== undefined && { leg }),
    ...(account !== undefined && { account }),
    ...(currency !== undefined && { currency }),
    ...(assignee !== undefined && { assignee: assignee === '-' ? null : assignee }),
    ...(age !== undefined && seenOn(age, today)),
    ...(period !== undefined && { from: period.from, to: period.to, fromBefore: true }),
    ...(asked.minValue !== undefined && { least: minorOf(asked.minValue) }),
    ...(asked.maxValue !== undefined && { most: minorOf(asked.maxValue) }),
  };
}

function minorOf(amount: Amount): bigint {
  const minor = toMinorOrNull(amount);
  if (minor !== null) return magnitude(minor);
  throw new TallyhookError('A value has two decimals at most.', { kind: 'usage' });
}

/** Ages in days since the first day, of each bucket: the first and the last. */
const DAYS: Readonly<Record<AgeBucket, readonly [number, number | null]>> = {
  '<24h': [0, 0],
  '1-3d': [1, 2],
  '3-7d': [3, 7],
  '>7d': [8, null],
};

function seenOn(age: AgeBucket, today: string): Pick<ExceptionFilter, 'seenFrom' | 'seenTo'> {
  const [least, most] = DAYS[age];
  // Of a break that will be due: its age is none yet.
  return {
    ...(least > 0 && { seenTo: dayPlus(today, -least) }),
    ...(most !== null && { seenFrom: dayPlus(today, -most) }),
  };
}

/** Rows of one read. */
const AT_ONCE = 1_000;

/** Returns all exceptions of a filter, in their order. */
export async function everyException(
  archive: Pick<ExceptionArchive, 'exceptions'>,
  filter: ExceptionFilter,
): Promise<Exception[]> {
  const all: Exception[] = [];
  for (let after: Cursor | null = null; ; ) {
    const page: RowPage<Exception> = await archive.exceptions(filter, { after, limit: AT_ONCE });
    all.push(...page.rows);
    after = page.next;
    if (after === null) return all;
  }
}
