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
