import type { KnownSession } from '../store/access.ts';
import type { KnownUser } from '../store/users.ts';
import { count, type ListColumn, long, text, time } from './column.ts';

// Who may act, and who is logged in.

export function userColumns(): ListColumn<KnownUser>[] {
  return [
    text('Name', ({ name }) => name),
    text('Roles', ({ roles }) => roles.join(', ')),
    text('Logs in with', loginText, { leaveOut: 2 }),
    time('Since', ({ addedAtMs }) => addedAtMs, { leaveOut: 1 }),
    time('Token until', ({ endedAtMs, tokensUntilMs: [last] }) => (endedAtMs === null ? (last ?? 'none') : 'ended'), {
      isBeside: true,
    }),
    time('Ended', ({ endedAtMs }) => endedAtMs, { leaveOut: 3, isBeside: true }),
  ];
}

/** The ways of a login; null: none. */
export function loginText({ passwordSinceMs, linkUntilMs, isBound }: KnownUser): string | null {
  const ways = [
    ...(passwordSinceMs === null ? [] : ['password and code']),
    ...(isBound ? ['a login elsewhere'] : []),
    ...(linkUntilMs === null ? [] : ['a link that was not used yet']),
  ];
  return ways.length === 0 ? null : ways.join(', ');
}

/** `own`: the session that looks at the list. */
export function sessionColumns(own?: number): ListColumn<KnownSession>[] {
  return [
    count('Id', ({ id }) => id),
    text('Name', ({ name }) => name),
    text('Way', ({ way }) => way, { leaveOut: 3 }),
    time('Since', ({ startedAtMs }) => startedAtMs, { leaveOut: 1 }),
    time('Used', ({ id, seenAtMs }) => (id === own ? 'now, here' : seenAtMs), { isBeside: true }),
    time('Ends', ({ endsAtMs }) => endsAtMs, { leaveOut: 2, isBeside: true }),
    text('Address', ({ address }) => address, { leaveOut: 4 }),
    long('Browser', ({ agent }) => agent, { leaveOut: 5 }),
  ];
}
