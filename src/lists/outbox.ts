import type { RetryRefusal } from '../domain/forwarding/forward-row.ts';
import type { OutboxRow } from '../store/outbox.ts';
import { count, id, type ListColumn, status, text, time } from './column.ts';

// News for applications.

export function outboxColumns(): ListColumn<OutboxRow>[] {
  return [
    id('Id', ({ webhookId }) => webhookId, { leaveOut: 2 }),
    time('Written', ({ createdAtMs }) => createdAtMs, { leaveOut: 4 }),
    text('Target', ({ target }) => target),
    text('Env', ({ environment }) => environment, { leaveOut: 3 }),
    id('Reference', ({ reference }) => reference),
    text('Type', ({ type }) => type),
    status('State', ({ state, replayed }) => (replayed ? `${state}, replayed` : state), { mark: stateMark }),
    count('Attempts', ({ attempts }) => attempts, { leaveOut: 5 }),
    text('Outcome', ({ outcome }) => outcome, { leaveOut: 6 }),
    time('Due', dueOf, { leaveOut: 1 }),
  ];
}

export function isOpenRow({ state }: OutboxRow): boolean {
  return state === 'waiting' || state === 'failing';
}

function dueOf(row: OutboxRow): string | number | null {
  if (row.obstacle !== null) return `target ${row.obstacle.is}`;
  return isOpenRow(row) ? row.dueAtMs : null;
}

function stateMark({ state }: OutboxRow): 'good' | 'warn' | 'bad' | 'quiet' {
  if (state === 'delivered') return 'good';
  if (state === 'dead' || state === 'orphaned') return 'bad';
  return state === 'failing' ? 'warn' : 'quiet';
}

/** Why a row stays as it is. */
export const RETRY_REFUSAL_WORDS = {
  ended: 'it was delivered, superseded or dropped',
  'under way': 'an attempt is under way',
  overtaken: 'a newer move of its record was attempted already, and it would come after it',
  'body gone': 'its body is gone, so the same bytes cannot be sent again',
} as const satisfies Record<RetryRefusal, string>;
