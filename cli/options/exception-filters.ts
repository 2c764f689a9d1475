import { EXCEPTION_STATES } from '../../src/domain/exceptions/words.ts';
import { periodOf } from '../../src/domain/periods/period.ts';
import { BREAK_CODES } from '../../src/domain/reconciling/break.ts';
import { AGE_BUCKETS } from '../../src/domain/records/settling-age.ts';
import { type AskedExceptions, queueFilter } from '../../src/reconcile/exceptions/queue.ts';
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

export interface ExceptionArguments extends Omit<AskedExceptions, 'period'> {
  readonly period: string | undefined;
}

/** @throws UsageError */
export function exceptionFilter({ period, ...argv }: ExceptionArguments, today: string): ExceptionFilter {
  const days = period === undefined ? undefined : periodOf(period);
  if (days === null)
    throw new UsageError(
      `--period is ${JSON.stringify(period)}: no period.`,
      'Give 2026-10, or 2026-10-01..2026-10-15.',
    );
  return queueFilter({ ...argv, period: days }, today);
}
