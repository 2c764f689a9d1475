import { isDay } from '../reconciling/business-day.ts';
import type { ActedException, Actor, Change, Judged, Wanted } from './act.ts';
import { done, forbidden, refused } from './outcome.ts';
import { resolve } from './resolve.ts';
import { stateAfter } from './transitions.ts';

/** A row of a spreadsheet: an assignee, a comment, a resolution, a follow-up, in this order, as one change. */
export function takeRow(exception: ActedException, wanted: Wanted & { readonly act: 'import' }, actor: Actor): Judged {
  const comment = commentOf(exception, wanted.comment);
  const wished = wanted.assignee === undefined ? exception.assignee : wanted.assignee;
  const isReassigned = wished !== exception.assignee;
  let status = exception.status;
  let forbiddenToAssign: Judged | null = null;
  if (isReassigned) {
    // From one person to another: taken back, then given.
    if (status === 'assigned' && wished !== null) status = 'open';
    const after = stateAfter(status, wished === null ? 'unassign' : 'assign');
    if (after === null) forbiddenToAssign = forbidden(exception, wished === null ? 'unassigned' : 'assigned');
    status = after ?? exception.status;
  }
  const base = { after: status, assignee: wished, comment };
  if (wanted.resolve !== undefined) {
    const order = { ...wanted.resolve, comment: wanted.comment ?? exception.comment, attachments: [], lines: [] };
    const judged = resolve({ ...exception, status }, order, actor);
    // Words and what they need are looked at before states.
    const isOfWords = 'refusal' in judged && WORDS.includes(judged.refusal.reason);
    if (forbiddenToAssign !== null && !isOfWords) return forbiddenToAssign;
    if ('refusal' in judged) return judged;
    const { after, resolution } = judged.change;
    return done(exception, 'import', { ...base, after, resolution });
  }
  if (forbiddenToAssign !== null) return forbiddenToAssign;
  if (wanted.followUp === undefined || wanted.followUp === (exception.held?.followUp ?? null)) {
    return done(exception, 'import', base);
  }
  const { followUp } = wanted;
  if (followUp !== null && !isDay(followUp)) {
    return refused('unknown_word', `The follow-up ${JSON.stringify(followUp)} is no day such as 2026-12-01.`, null);
  }
  if (exception.held === null || exception.status !== 'resolved') {
    return refused('state', `${exception.id} is ${exception.status}: a follow-up goes with a resolution.`, null);
  }
  return done(exception, 'import', { ...base, resolution: { do: 'follow', followUp } });
}

const WORDS: readonly string[] = ['unknown_word', 'missing'];

/** One that is the last one already is not repeated. */
function commentOf({ comment: last }: ActedException, said: string | null | undefined): Change['comment'] {
  if (said === undefined || said === last) return null;
  return said === null ? 'clear' : { text: said };
}
