import { samePerson } from '../persons/person.ts';
import type { Actor, ActStanding, Judged, Wanted } from './act.ts';
import { byWhom, closedDay, done, forbidden, refused, reopenHint, seeHint } from './outcome.ts';
import { resolve } from './resolve.ts';
import { takeRow } from './take-row.ts';
import { stateAfter } from './transitions.ts';

/** Judges an act on an exception: what it changes, or why it is refused. Pure. */
export function judgeAct(standing: ActStanding, wanted: Wanted, actor: Actor): Judged {
  switch (wanted.act) {
    case 'assign':
      return assign(standing, wanted.to);
    case 'comment':
      return done(standing, 'comment', { comment: { text: wanted.text } });
    case 'reopen':
      return reopen(standing, wanted.reason);
    case 'approve':
      return approve(standing, actor.by);
    case 'resolve':
      return resolve(standing, wanted, actor);
    case 'import':
      return takeRow(standing, wanted, actor);
  }
}

function assign(standing: ActStanding, to: string | null): Judged {
  const { id, status, assignee } = standing;
  const after = stateAfter(status, to === null ? 'unassign' : 'assign');
  if (after !== null) return done(standing, 'assign', { after, assignee: to });
  if (status !== 'assigned') return forbidden(standing, to === null ? 'unassigned' : 'assigned');
  const message = `${id} is assigned to ${assignee} already.`;
  return refused('state', message, `Take it back first: tallyhook exceptions assign ${id} --to -`);
}

function reopen(standing: ActStanding, reason: string): Judged {
  const after = stateAfter(standing.status, 'reopen');
  if (after === null) return forbidden(standing, 'opened again');
  return (
    closedDay(standing) ?? done(standing, 'reopen', { after, comment: { text: reason }, resolution: { do: 'drop' } })
  );
}

function approve(standing: ActStanding, by: string): Judged {
  const { id, status, held } = standing;
  const after = stateAfter(status, 'approve');
  if (after === null || held === null) return forbidden(standing, 'approved');
  if (held.approval === null) return refused('state', `${id} needs no approval.`, seeHint(id));
  if (held.approval !== 'needed') {
    return refused('state', `${id} is approved already (${byWhom(held.approval)}).`, reopenHint(id));
  }
  if (samePerson(by, held.by)) {
    return refused('person', `${id} was resolved by ${held.by}: another person approves it.`, 'Say who: --as NAME');
  }
  return closedDay(standing) ?? done(standing, 'approve', { after, resolution: { do: 'approve' } });
}
