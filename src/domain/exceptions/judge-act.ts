import { samePerson } from '../persons/person.ts';
import type { ActedException, Actor, Judged, Wanted } from './act.ts';
import { byWhom, closedDay, done, forbidden, refused, reopenHint, seeHint } from './outcome.ts';
import { resolve } from './resolve.ts';
import { takeRow } from './take-row.ts';
import { stateAfter } from './transitions.ts';

/** Judges an act on an exception: what it changes, or why it is refused. Pure. */
export function judgeAct(exception: ActedException, wanted: Wanted, actor: Actor): Judged {
  switch (wanted.act) {
    case 'assign':
      return assign(exception, wanted.to);
    case 'comment':
      return done(exception, 'comment', { comment: { text: wanted.text } });
    case 'reopen':
      return reopen(exception, wanted.reason);
    case 'approve':
      return approve(exception, actor);
    case 'resolve':
      return resolve(exception, wanted, actor);
    case 'import':
      return takeRow(exception, wanted, actor);
  }
}

function assign(exception: ActedException, to: string | null): Judged {
  const { id, status, assignee } = exception;
  const after = stateAfter(status, to === null ? 'unassign' : 'assign');
  if (after !== null) return done(exception, 'assign', { after, assignee: to });
  if (status !== 'assigned') return forbidden(exception, to === null ? 'unassigned' : 'assigned');
  const message = `${id} is assigned to ${assignee} already.`;
  return refused('state', message, `Take it back first: tallyhook exceptions assign ${id} --to -`);
}

function reopen(exception: ActedException, reason: string): Judged {
  const after = stateAfter(exception.status, 'reopen');
  if (after === null) return forbidden(exception, 'opened again');
  return (
    closedDay(exception) ?? done(exception, 'reopen', { after, comment: { text: reason }, resolution: { do: 'drop' } })
  );
}

function approve(exception: ActedException, { by, mayBe = (name) => samePerson(name, by) }: Actor): Judged {
  const { id, status, held } = exception;
  const after = stateAfter(status, 'approve');
  if (after === null || held === null) return forbidden(exception, 'approved');
  if (held.approval === null) return refused('state', `${id} needs no approval.`, seeHint(id));
  if (held.approval !== 'needed') {
    return refused('state', `${id} is approved already (${byWhom(held.approval)}).`, reopenHint(id));
  }
  if (mayBe(held.by)) {
    return refused('person', `${id} was resolved by ${held.by}: another person approves it.`, 'Say who: --as NAME');
  }
  return closedDay(exception) ?? done(exception, 'approve', { after, resolution: { do: 'approve' } });
}
