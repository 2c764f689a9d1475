import { askedText, stateOf } from '../access/request-words.ts';
import type { KnownRequest } from '../store/approvals.ts';
import { count, type ListColumn, long, status, text, time } from './column.ts';

// What waits for a second person, or did.

export function requestColumns(nowMs: number): ListColumn<KnownRequest>[] {
  return [
    count('Id', (request) => request.id),
    time('Asked', ({ askedAtMs }) => askedAtMs, { leaveOut: 3 }),
    text('By', ({ askedBy }) => askedBy),
    status('State', (request) => decidedText(request, nowMs), {
      mark: (request) => MARKS[stateOf(request, nowMs)] ?? 'quiet',
    }),
    long('What', ({ asked }) => askedText(asked)),
    count('Rows', ({ rows }) => rows, { leaveOut: 2 }),
    text('Reason', ({ reason }) => reason, { leaveOut: 1 }),
    time('Until', ({ expiresAtMs }) => expiresAtMs, { leaveOut: 4 }),
  ];
}

const MARKS: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = { asked: 'warn', approved: 'good', refused: 'bad' };

/** `approved by Ben`: what counts now, and who decided it. */
function decidedText(request: KnownRequest, nowMs: number): string {
  const state = stateOf(request, nowMs);
  return request.decidedBy === null || state === 'expired' ? state : `${state} by ${request.decidedBy}`;
}
