import { isOverdue } from '../domain/exceptions/overdue.ts';
import { daysBetween } from '../domain/reconciling/business-day.ts';
import type { QueueDay } from '../reconcile/exceptions/queue.ts';
import { breakSubject, progressText, resolutionText } from '../reconcile/exceptions/words.ts';
import { breakName } from '../reconcile/report/words.ts';
import type { Exception, ExceptionKind } from '../store/exceptions.ts';
import type { FoundBreak, KeptBreak } from '../store/runs.ts';
import { count, date, effect, figure, id, type ListColumn, long, status, text, word } from './column.ts';

// Breaks of a run, and the queue of exceptions that the breaks of all runs make.

export function exceptionColumns({ today, bounds }: QueueDay): ListColumn<Exception>[] {
  return [
    id('Id', (one) => one.id),
    text('Env', ({ environment }) => environment, { leaveOut: 5 }),
    text('Account', ({ account }) => account, { leaveOut: 6 }),
    ...differenceColumns(),
    count('Days', ({ firstSeen }) => daysBetween(firstSeen, today), { leaveOut: 2 }),
    status('Status', (one) => `${progressText(one)}${isOverdue(one, bounds) ? ', overdue' : ''}`, {
      mark: (one) => (isOverdue(one, bounds) ? 'bad' : isSettled(one) ? 'good' : 'warn'),
    }),
    long('Why', ({ reason, sameAs }) => (sameAs === null ? reason : `${reason}; the same as ${sameAs}`), {
      leaveOut: 1,
    }),
  ];
}

/** How one exception stands, without what differs. `timeText` shows a time in a sentence. */
export function exceptionFacts(
  { today }: QueueDay,
  timeText: (atMs: number | null) => string,
): ListColumn<Exception>[] {
  return [
    text('Status', (one) => `${progressText(one)} (version ${one.version})`),
    text('Assignee', ({ assignee }) => assignee),
    long('Resolution', (one) => resolutionText(one, timeText)),
    long('Comment', ({ comment }) => comment),
    text('Environment', ({ environment }) => environment),
    text('Leg', ({ leg }) => leg),
    text('Account', ({ account }) => account),
    date('Date', (one) => one.date),
    text('Since', ({ firstSeen }) => `${firstSeen}, ${daysBetween(firstSeen, today)} days`),
    text('Found by', ({ firstRun, lastRun }) => `run ${firstRun}, last by run ${lastRun}`),
  ];
}

export function breakColumns(): ListColumn<FoundBreak>[] {
  return [
    id('Id', (one) => one.id),
    text('Env', ({ environment }) => environment, { leaveOut: 5 }),
    ...differenceColumns(),
    text('Since', ({ firstSeen }) => firstSeen, { leaveOut: 1 }),
    long('Why', ({ reason }) => reason),
  ];
}

/** What differs, and what it does to the balance. Ours and theirs are money in some rows, a status or a day in others. */
function differenceColumns(): ListColumn<KeptBreak>[] {
  return [
    word('Code', breakName),
    text('About', breakSubject),
    figure('Ours', ({ ours }) => ours, { leaveOut: 3 }),
    figure('Theirs', ({ theirs }) => theirs, { leaveOut: 3 }),
    effect('Effect', (one) => one.effect, { leaveOut: 4 }),
    text('Currency', ({ currency }) => currency, { leaveOut: 4 }),
  ];
}

/** How many there are of each kind, and what they add up to. */
export function exceptionKindColumns(): ListColumn<ExceptionKind>[] {
  return [
    word('Code', ({ code }) => code),
    count('Count', (kind) => kind.count),
    effect('Variance', ({ variance }) => variance),
    effect('Effect', (kind) => kind.effect),
    text('Currency', ({ currency }) => currency),
  ];
}

function isSettled({ status: state }: Exception): boolean {
  return state === 'resolved' || state === 'closed';
}
