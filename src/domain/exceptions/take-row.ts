import { isDay } from '../reconciling/business-day.ts';
import type { Actor, ActStanding, Change, Judged, Wanted } from './act.ts';
import { done, forbidden, refused } from './outcome.ts';
import { resolve } from './resolve.ts';
import { stateAfter } from './transitions.ts';

/** A row of a spreadsheet: an assignee, a comment, a resolution, a follow-up, in this order, as one change. */
export function takeRow(standing: ActStanding, wanted: Wanted & { readonly act: 'import' }, actor: Actor): Judged {
  const comment = commentOf(standing, wanted.comment);
  const wished = wanted.assignee === undefined ? standing.assignee : wanted.assignee;
  const isReassigned = wished !== standing.assignee;
  let status = standing.status;
  let forbiddenToAssign: Judged | null = null;
  if (isReassigned) {
    // From one person to another: taken back, then given.
    if (status === 'assigned' && wished !== null) status = 'open';
    const after = stateAfter(status, wished === null ? 'unassign' : 'assign');
    if (after === null) forbiddenToAssign = forbidden(standing, wished === null ? 'unassigned' : 'assigned');
    status = after ?? standing.status;
  }
  const base = { after: status, assignee: wished, comment };
  if (wanted.resolve !== undefined) {
    const said = wanted.comment === undefined ? null : wanted.comment;
    const order = { ...wanted.resolve, comment: said ?? standing.comment, attachments: [], lines: [] };
    const judged = resolve({ ...standing, status }, order, actor);
    // Words and what they need are looked at before states.
    const isOfWords = 'refusal' in judged && WORDS.includes(judged.refusal.reason);
    if (forbiddenToAssign !== null && !isOfWords) return forbiddenToAssign;
    if ('refusal' in judged) return judged;
    const { after, resolution } = judged.change;
    return done(standing, 'import', { ...base, after, resolution });
  }
  if (forbiddenToAssign !== null) return forbiddenToAssign;
  if (wanted.followUp === undefined || wanted.followUp === (standing.held?.followUp ?? null)) {
    return done(standing, 'import', base);
  }
  const { followUp } = wanted;
  if (followUp !== null && !isDay(followUp)) {
    return refused('unknown_word', `The follow-up ${JSON.stringify(followUp)} is no day such as 2026-12-01.`, null);
  }
  if (standing.held === null || standing.status !== 'resolved') {
    return refused('state', `${standing.id} is ${standing.status}: a follow-up goes with a resolution.`, null);
  }
  return done(standing, 'import', { ...base, resolution: { do: 'follow', followUp } });
}

const WORDS: readonly string[] = ['unknown_word', 'missing'];

/** One that is the last one already is not repeated. */
function commentOf({ comment: last }: ActStanding, said: string | null | undefined): Change['comment'] {
  if (said === undefined || said === last) return null;
  return said === null ? 'clear' : { text: said };
}
