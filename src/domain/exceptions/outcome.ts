import type { ActedException, Change, Judged, Refusal } from './act.ts';

// What comes of an act on an exception: a change, or a refusal in a sentence.

export function done(
  { status, assignee }: ActedException,
  event: Change['event'],
  change: Partial<Omit<Change, 'event'>>,
): Judged {
  return { change: { event, after: status, assignee, comment: null, resolution: { do: 'keep' }, ...change } };
}

export function closedDay({ id, closedIn }: ActedException): Judged | null {
  if (closedIn === null) return null;
  const { period, by } = closedIn;
  const message = `${id} ${by === 'day' ? 'lies' : 'was resolved'} in period ${period}, which is closed.`;
  return refused(
    'period_closed',
    message,
    `To change it, open the period again: tallyhook period reopen ${period} --reason TEXT`,
  );
}

/** Of a resolved one it names who resolved it, not who commented since. */
export function forbidden({ id, status, held, changedBy, changedAtMs }: ActedException, what: string): Judged {
  const last = held === null ? { who: changedBy, atMs: changedAtMs } : { who: held.by, atMs: held.atMs };
  const hint = status === 'resolved' ? reopenHint(id) : seeHint(id);
  return refused('state', `${id} is ${status} (${byWhom(last)}): it cannot be ${what}.`, hint);
}

/** `by ada, 2026-11-02T08:00:00.000Z` */
export function byWhom({ who, atMs }: { readonly who: string; readonly atMs: number }): string {
  return `by ${who}, ${new Date(atMs).toISOString()}`;
}

export function reopenHint(id: string): string {
  return `Open it again: tallyhook exceptions reopen ${id} --reason TEXT`;
}

export function seeHint(id: string): string {
  return `See: tallyhook exceptions show ${id}`;
}

export function refused(reason: Refusal['reason'], message: string, hint: string | null): Judged {
  return { refusal: { reason, message, hint } };
}
