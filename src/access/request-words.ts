import type { AskedOrder, KnownRequest } from '../store/approvals.ts';

/* A request for a second person in words, the same for commands and pages. Digests of tokens and links in it are left out. */

/** What a request asks for, in a few words. */
export function askedText({ act, order }: AskedOrder): string {
  if (act === 'replay') return `hand news of ${counted(order.eventIds.length, 'event')} on to ${order.target} again`;
  if (act === 'outbox.drop') return `drop ${counted(order.webhookIds.length, 'row')} of the outbox`;
  if (act === 'target.enable') return `enable target ${order.target}`;
  if (act === 'statement.remove') return `remove statement ${order.statement}`;
  if (act === 'period.reopen') return `reopen period ${order.period} (${order.set})`;
  if (act === 'reveal') return `show ${counted(order.rows.length, 'row')} whole`;
  if (act === 'user.add') return `add user ${order.name}: ${order.roles.join(', ')}`;
  if (act === 'user.end') return `end user ${order.name}`;
  if (act === 'user.roles') return `make user ${order.name}: ${order.roles.join(', ')}`;
  return `give user ${order.name} ${act === 'user.token' ? 'a token' : 'a link'}`;
}

/** One line of a request. */
export function requestText({ id, asked, askedBy, reason }: KnownRequest): string {
  return `Request ${id}: ${askedText(asked)}, asked for by ${askedBy}: ${reason}`;
}

/** What the one who asked does once it is approved, on the command line. Personal data is shown where it stands. */
export function carryOutText({ id, asked }: KnownRequest): string {
  return asked.act === 'reveal'
    ? 'the command that asked for it again, without --reason: it shows exactly these, once'
    : `tallyhook approvals carry-out ${id}`;
}

/** The state that counts now: what is open expires. */
export function stateOf({ state, expiresAtMs }: KnownRequest, nowMs: number): string {
  return (state === 'asked' || state === 'approved') && expiresAtMs <= nowMs ? 'expired' : state;
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
