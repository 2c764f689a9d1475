import type { FollowScope } from '../../domain/exceptions/follow-scope.ts';
import { RECORD_KINDS } from '../../domain/lifecycle.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { Closings } from '../closed.ts';
import { windowOf } from '../matching/scope.ts';
import type { Begin, Span } from '../order.ts';

/** What a run compares: the exceptions that it touches. `statements`: those that it looks at. */
export function followScope(span: Span, statements: readonly StatementSummary[], gone: readonly string[]): FollowScope {
  const { from, to, environment, account, leg, kinds, rules, begin } = span.order;
  const closings = new Closings(span.order.closed ?? [], span.order, span.order.asAtMs);
  return {
    from,
    to,
    judgedDay: span.judgedDay,
    environment: environment ?? null,
    account: account ?? null,
    leg: leg ?? null,
    legs: rules.legs.map(({ name }) => name),
    kinds: kinds.length === RECORD_KINDS.length ? null : kinds,
    first: windowOf(span, statements, closings).first,
    openings: openingsOf(statements, begin, closings),
    gone,
  };
}

/** Accounts whose opening balance is ours: of the configuration, or of the closed period before. */
function openingsOf(
  statements: readonly StatementSummary[],
  begin: Begin | null,
  closings: Closings,
): FollowScope['openings'] {
  const found = new Map<string, FollowScope['openings'][number]>();
  for (const { account, balances } of statements) {
    const { name, environment } = account;
    for (const { currency } of balances) {
      const isBegun = begin?.balances[name]?.[currency] !== undefined;
      if (!isBegun && closings.openingOf({ environment, account: name, currency }) === null) continue;
      found.set(JSON.stringify([name, currency]), { account: name, currency });
    }
  }
  return [...found.values()];
}
