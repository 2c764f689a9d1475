import type { Environment } from '../../src/domain/environment.ts';
import { EXCEPTION_STATES, type ExceptionState } from '../../src/domain/exceptions/words.ts';
import { type Amount, magnitude, toMinorOrNull } from '../../src/domain/money/amount.ts';
import { periodOf } from '../../src/domain/periods/period.ts';
import { BREAK_CODES, type BreakCode } from '../../src/domain/reconciling/break.ts';
import { dayPlus } from '../../src/domain/reconciling/business-day.ts';
import { AGE_BUCKETS, type AgeBucket } from '../../src/domain/records/settling-age.ts';
import type { ExceptionFilter } from '../../src/store/exceptions.ts';
import { COMMON_FILTERS, oneOrMore } from './filters.ts';
import { amountOption } from './money.ts';
import { UsageError } from './options.ts';

/** Filters of the queue of exceptions. */
export const EXCEPTION_FILTERS = {
  environment: COMMON_FILTERS.environment,
  reference: COMMON_FILTERS.reference,
  status: {
    choices: EXCEPTION_STATES,
    array: true,
    requiresArg: true,
    describe: 'Only in this state; several: repeated [all but closed]',
  },
  code: oneOrMore(BREAK_CODES, 'Only of this code'),
  leg: { type: 'string', requiresArg: true, describe: 'Only of this leg, such as records-wallet' },
  account: { type: 'string', requiresArg: true, describe: 'Only of this account' },
  currency: { type: 'string', requiresArg: true, describe: 'Only in this currency' },
  assignee: { type: 'string', requiresArg: true, describe: 'Only those of this assignee; "-": unassigned ones' },
  age: { choices: AGE_BUCKETS, describe: 'Only of this age, counted from the day it was first seen' },
  period: {
    type: 'string',
    requiresArg: true,
    describe: 'Only of 2026-10 or 2026-10-01..2026-10-15: dated in it, or before and not resolved before it',
  },
  'min-value': amountOption('Only about as much: the variance, else the effect, without its sign', 'min-value'),
  'max-value': amountOption('Only about as little', 'max-value'),
  overdue: { type: 'boolean', default: false, describe: 'Only overdue ones' },
} as const;

export interface ExceptionArguments {
  readonly environment: Environment | undefined;
  readonly reference: string | undefined;
  readonly status: readonly ExceptionState[] | undefined;
  readonly code: readonly BreakCode[] | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  readonly currency: string | undefined;
  readonly assignee: string | undefined;
  readonly age: AgeBucket | undefined;
  readonly period: string | undefined;
  readonly minValue: Amount | undefined;
  readonly maxValue: Amount | undefined;
}

/** Ages in days since the first day, of each bucket: the first and the last. */
const DAYS: Readonly<Record<AgeBucket, readonly [number, number | null]>> = {
  '<24h': [0, 0],
  '1-3d': [1, 2],
  '3-7d': [3, 7],
  '>7d': [8, null],
};

/** @throws UsageError */
export function exceptionFilter(argv: ExceptionArguments, today: string): ExceptionFilter {
  const { environment, reference, status, code, leg, account, currency, assignee, age, period } = argv;
  return {
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(status !== undefined && { statuses: status }),
    ...(code !== undefined && { codes: code }),
    ...(leg !== undefined && { leg }),
    ...(account !== undefined && { account }),
    ...(currency !== undefined && { currency }),
    ...(assignee !== undefined && { assignee: assignee === '-' ? null : assignee }),
    ...(age !== undefined && seenDays(age, today)),
    ...(period !== undefined && daysOf(period)),
    ...(argv.minValue !== undefined && { least: minorOf(argv.minValue) }),
    ...(argv.maxValue !== undefined && { most: minorOf(argv.maxValue) }),
  };
}

function seenDays(age: AgeBucket, today: string): Pick<ExceptionFilter, 'seenFrom' | 'seenTo'> {
  const [least, most] = DAYS[age];
  // Of a break that will be due: its age is none yet.
  return {
    ...(least > 0 && { seenTo: dayPlus(today, -least) }),
    ...(most !== null && { seenFrom: dayPlus(today, -most) }),
  };
}

/** As `period check` counts them: what is open from before, or is resolved in the period, stands in it, too. */
function daysOf(period: string): Pick<ExceptionFilter, 'from' | 'to' | 'fromBefore'> {
  const days = periodOf(period);
  if (days !== null) return { from: days.from, to: days.to, fromBefore: true };
  throw new UsageError(`--period is ${JSON.stringify(period)}: no period.`, 'Give 2026-10, or 2026-10-01..2026-10-15.');
}

function minorOf(amount: Amount): bigint {
  const minor = toMinorOrNull(amount);
  if (minor !== null) return magnitude(minor);
  throw new UsageError('A value has two decimals at most.');
}
