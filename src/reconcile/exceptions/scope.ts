import { covers } from '../../domain/balance/covered-days.ts';
import type { FollowScope } from '../../domain/exceptions/follow-scope.ts';
import { RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { Closings } from '../load/closed.ts';
import { Openings } from '../load/openings.ts';
import type { Span } from '../load/order.ts';
import { windowOf } from '../load/scope.ts';
import type { Window } from '../load/window.ts';

/** What a run compares: the exceptions that it touches. `statements`: those that it looks at. */
export function followScope(span: Span, statements: readonly StatementSummary[], gone: readonly string[]): FollowScope {
  const { from, to, environment, account, leg, kinds, rules, begin } = span.order;
  const closings = new Closings(span.order.closed ?? [], span.order, span.order.asAtMs);
  const openings = new Openings({ statements, begin, closings });
  const window = windowOf(span, statements, { closings, openings });
  return {
    from,
    to,
    judgedDay: span.judgedDay,
    environment: environment ?? null,
    account: account ?? null,
    leg: leg ?? null,
    legs: rules.legs.map(({ name }) => name),
    kinds: kinds.length === RECORD_KINDS.length ? null : kinds,
    first: window.first,
    openings: openingsOf(statements, openings, window),
    gone,
  };
}

/** Accounts of which the run lists what is open from before. */
function openingsOf(
  statements: readonly StatementSummary[],
  openings: Openings,
  window: Window,
): FollowScope['openings'] {
  const found = new Map<string, FollowScope['openings'][number]>();
  for (const statement of statements) {
    const { name: account, environment } = statement.account;
    for (const { currency } of statement.balances) {
      const since = openings.since({ environment, account, currency });
      if (since === null) continue;
      const key = JSON.stringify([environment, account, currency]);
      const isRead = found.get(key)?.isRead === true || covers(statement, window);
      found.set(key, { environment, account, currency, since, isRead });
    }
  }
  return [...found.values()];
}
