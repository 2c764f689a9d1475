import type { Likeness } from '../domain/refusals/refused-run.ts';
import { type RefusalReason, refusalStatus } from '../receive/refusals.ts';
import { isRetryable, isStoreFault } from '../store/error.ts';
import type { KeptSpan } from '../store/refused.ts';
import { count, type ListColumn, long, text, time } from './column.ts';

// When requests were refused.

export function refusedColumns(): ListColumn<KeptSpan>[] {
  return [
    count('Id', (span) => span.id, { leaveOut: 3 }),
    time('From', ({ firstAtMs }) => firstAtMs),
    time('To', ({ lastAtMs }) => lastAtMs, { leaveOut: 1, isBeside: true }),
    count('Count', (span) => span.count),
    count('Answer', refusedAnswerOf),
    text('Reason', ({ reason }) => reason),
    text('Path', ({ path, lastPath }) => path ?? lastPath, { leaveOut: 2 }),
    long('What', ({ likeness }) => LIKENESS_WORDS[likeness], { leaveOut: 4 }),
  ];
}

const LIKENESS_WORDS = {
  ours: 'signed with our keys',
  not_kept: 'authentic, not kept',
  merchant_only: 'our merchantSignature',
  signed: 'signed by another key',
  other: 'not signed',
} as const satisfies Record<Likeness, string>;

/** The status with which such requests are answered. */
export function refusedAnswerOf({ reason }: KeptSpan): number {
  if (!isStoreFault(reason)) return refusalStatus(reason as RefusalReason);
  return isRetryable(reason) ? 503 : 500;
}
