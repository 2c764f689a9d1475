import { askedText, stateOf } from '../access/request-words.ts';
import type { KnownRequest, RequestRow } from '../store/approvals.ts';
import { count, digest, id, type ListColumn, long, status, text, time } from './column.ts';

// What waits for a second person, or did.

export function requestColumns(nowMs: number): ListColumn<KnownRequest>[] {
  return [
    count('Id', (request) => request.id),
    time('Asked', ({ askedAtMs }) => askedAtMs, { leaveOut: 3 }),
    text('By', ({ askedBy }) => askedBy),
    requestState(nowMs),
    long('What', ({ asked }) => askedText(asked)),
    count('Rows', ({ rows }) => rows, { leaveOut: 2 }),
    text('Reason', ({ reason }) => reason, { leaveOut: 1 }),
    time('Until', ({ expiresAtMs }) => expiresAtMs, { leaveOut: 4 }),
  ];
}

/** One request, without its rows: what it asks for names it. */
export function requestFacts(nowMs: number): ListColumn<KnownRequest>[] {
  return [
    text('Asked by', ({ askedBy }) => askedBy),
    time('Asked', ({ askedAtMs }) => askedAtMs),
    long('Reason', ({ reason }) => reason),
    requestState(nowMs),
    text('Decided by', ({ decidedBy }) => decidedBy),
    time('Decided', ({ decidedAtMs }) => decidedAtMs),
    text('Carried out by', ({ rowsUsed, askedBy }) => (rowsUsed === 0 ? null : askedBy)),
    long('Answer', ({ answer }) => answer),
    time('Good until', ({ expiresAtMs }) => expiresAtMs),
    digest('Digest', (request) => request.digest),
  ];
}

/** What counts now, and who brought it there: `approved by Ben`, `used by Ada`, who had asked. */
function requestState(nowMs: number): ListColumn<KnownRequest> {
  return status('State', (request) => stateText(request, nowMs), {
    mark: (request) => MARKS[stateOf(request, nowMs)] ?? 'quiet',
  });
}

/** The rows that a request is about, each with what it was when it was asked for. */
export function requestRowColumns(): ListColumn<RequestRow>[] {
  return [
    id('Row', ({ key }) => key),
    digest('Digest', (row) => row.digest, { leaveOut: 1 }),
    time('Carried out', ({ usedAtMs }) => usedAtMs ?? 'not yet'),
  ];
}

const MARKS: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = { asked: 'warn', approved: 'good', refused: 'bad' };

function stateText(request: KnownRequest, nowMs: number): string {
  const state = stateOf(request, nowMs);
  if (state === 'used') return `used by ${request.askedBy}`; // only who asked carries it out
  return request.decidedBy === null || state === 'expired' ? state : `${state} by ${request.decidedBy}`;
}
