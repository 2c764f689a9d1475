import { obstacleStep, obstacleText } from '../domain/forwarding/forward-obstacle.ts';
import type { RetryRefusal } from '../domain/forwarding/forward-row.ts';
import type { OutboxDetail, OutboxRow, RowAttempt } from '../store/outbox.ts';
import { count, digest, id, type ListColumn, long, status, text, time } from './column.ts';

// News for applications.

export function outboxColumns(): ListColumn<OutboxRow>[] {
  return [
    id('Id', ({ webhookId }) => webhookId, { leaveOut: 2 }),
    time('Written', ({ createdAtMs }) => createdAtMs, { leaveOut: 4 }),
    text('Target', ({ target }) => target),
    text('Env', ({ environment }) => environment, { leaveOut: 3 }),
    id('Reference', ({ reference }) => reference),
    text('Type', ({ type }) => type),
    outboxState(),
    count('Attempts', ({ attempts }) => attempts, { leaveOut: 5 }),
    text('Outcome', ({ outcome }) => outcome, { leaveOut: 6 }),
    time('Due', dueOf, { leaveOut: 1 }),
  ];
}

/** How a piece of news stands: `delivered`, `dead, replayed`. */
export function outboxState(): ListColumn<OutboxRow> {
  return status('State', ({ state, replayed }) => (replayed ? `${state}, replayed` : state), { mark: stateMark });
}

/** One piece of news, without what was tried and its body. `timeText` shows a time in a sentence. */
export function outboxFacts(timeText: (ms: number) => string): ListColumn<OutboxDetail>[] {
  const obstacleOf = (row: OutboxRow) => (isOpenRow(row) ? row.obstacle : null);
  return [
    id('Id', ({ webhookId }) => webhookId),
    outboxState(),
    text('Target', (row) => {
      const obstacle = obstacleOf(row);
      return obstacle === null ? row.target : `${row.target}, ${obstacleText(obstacle, timeText)}`;
    }),
    long('Next step', (row) => {
      const obstacle = obstacleOf(row);
      return obstacle === null ? null : obstacleStep(row.target, obstacle);
    }),
    text('Environment', ({ environment }) => environment),
    text('Kind', ({ kind }) => kind),
    count('Move', ({ n }) => n),
    time('Written', ({ createdAtMs }) => createdAtMs),
    time('Due', (row) => (obstacleOf(row) === null ? dueOf(row) : null)),
    time('Leased until', ({ leasedUntilMs }) => leasedUntilMs),
    text('Superseded by', ({ supersededBy }) => supersededBy),
    time('Delivered', ({ deliveredAtMs }) => deliveredAtMs),
    digest('Sha256 of the body', (row) => row.digest),
  ];
}

/** What was tried to hand one piece on. */
export function attemptColumns(): ListColumn<RowAttempt>[] {
  return [
    count('Nr', ({ attempt }) => attempt),
    time('Began', ({ startedAtMs }) => startedAtMs),
    text('Outcome', ({ outcome }) => outcome ?? 'under way'),
    count('Status', (attempt) => attempt.status),
    long('Detail', ({ detail }) => detail),
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
