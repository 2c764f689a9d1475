import { type StuckReason, stuckReason } from '../confirm/stuck.ts';
import { duration } from '../domain/text/quantity-text.ts';
import type { CheckState } from '../store/records.ts';
import type { StuckRecord, Unconfirmed } from '../store/stuck.ts';
import { count, type ListColumn, long, text, time } from './column.ts';

// Records that are not settled in time.

export const STUCK_WORDS = {
  attempts_used_up: 'attempts used up',
  unaskable: 'cannot be checked',
  never_checked: 'never checked',
  not_settled: 'not settled',
} as const satisfies Record<StuckReason, string>;

export function stuckColumns(nowMs: number): ListColumn<StuckRecord>[] {
  return [
    count('Id', (record) => record.id, { leaveOut: 5 }),
    text('Env', ({ environment }) => environment, { leaveOut: 2 }),
    text('Record', ({ kind, reference }) => `${kind} ${reference}`),
    text('Age', ({ firstSeenAtMs }) => duration(nowMs - firstSeenAtMs)),
    text('Reported', ({ reported }) => reported, { leaveOut: 1 }),
    text('Confirmed', ({ confirmed }) => confirmed),
    text('Because', (record) => STUCK_WORDS[stuckReason(record)]),
    long('Last outcome', ({ check }) => (check === null ? null : outcomeText(check)), { leaveOut: 4 }),
    time('Next check', ({ dueAtMs }) => dueAtMs, { leaveOut: 3 }),
  ];
}

/** `not_found: There is no …`, or the outcome alone. */
export function outcomeText({ outcome, detail }: CheckState): string {
  if (outcome === null) return 'no result yet';
  return detail === null ? outcome : `${outcome}: ${detail}`;
}

/** What is not confirmed, and not counted as stuck. */
export function unconfirmedText({ kind, environment, because, records, atLeast }: Unconfirmed): string {
  const found = `${atLeast ? 'at least ' : ''}${records} ${kind}${records === 1 ? '' : 's'} of ${environment}`;
  const why =
    because === 'unproven'
      ? 'their endpoint is unproven: it has never given a usable answer'
      : 'they have no status endpoint';
  return `Not confirmed, and not counted as stuck: ${found}; ${why}.`;
}
