import { daysChargedOn } from '../../domain/matching/invoice.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { isAt } from '../../domain/statements/lines.ts';
import type { MatchingScope } from '../../store/reconciliation.ts';
import type { MatchDecision } from '../../store/runs.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import type { Closings } from './closed.ts';
import type { LeftOpen } from './left-open.ts';
import type { Openings } from './openings.ts';
import type { Span } from './order.ts';
import type { Window } from './window.ts';

/** Statements that show, and did at the as-at time. */
export async function statementsAt(
  archive: Pick<StatementArchive, 'statements'>,
  { period }: Span,
): Promise<StatementSummary[]> {
  const filter = period.environment === undefined ? {} : { environment: period.environment };
  const all = await archive.statements(filter, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
  return all.filter(({ importedAtMs, removedAtMs }) => removedAtMs === null && importedAtMs <= period.asAtMs);
}

/** The days of a run: from our own opening balance on, where there is one. */
export function windowOf(
  { order, days }: Span,
  statements: readonly StatementSummary[],
  { closings, openings }: { readonly closings: Closings; readonly openings: Openings },
): Window {
  const { begin, to: until } = order;
  const from = begin !== null && begin.date > order.from ? begin.date : order.from;
  // What was collected before the period may still be in transit; with an opening balance of ours, all of it may be open.
  const isOpened = begin !== null || closings.opensSome;
  const isListed = ({ account: { environment, name }, balances }: StatementSummary) =>
    balances.some(({ currency }) => openings.since({ environment, account: name, currency }) !== null);
  const earlier = statements.filter((one) => isOpened || isAt(one.account.kind, 'transit') || isListed(one));
  const covered = [...earlier.map(({ covers }) => covers?.from ?? from), ...invoicedFrom(order, from)];
  return {
    from,
    until,
    begin: begin !== null && begin.date < from ? begin.date : from,
    first: [from, ...covered].reduce((one, other) => (other < one ? other : one)),
    eve: dayPlus(from, -1),
    asAtDay: days.dayOf(order.asAtMs),
  };
}

/** The first days whose fees a line of the period may charge. */
function invoicedFrom({ rules }: Span['order'], from: string): string[] {
  return rules.legs.flatMap(({ invoiced }) => (invoiced === null ? [] : [daysChargedOn(invoiced, from).from]));
}

/** Calendar days within which a row is due in the standard legs, over a weekend and some holidays. */
const LONGEST_DUE_DAYS = 14;

/** What the engine copies into the scratch database. */
export function scopeOf(
  { days, order, period }: Span,
  window: Window,
  {
    decisions,
    closings,
    leftOpen,
  }: { readonly decisions: readonly MatchDecision[]; readonly closings: Closings; readonly leftOpen: LeftOpen },
): MatchingScope {
  const { asAtMs, beforeMs, environment } = period;
  // A row of before the first statement may have been suggested for a line of it.
  const from = order.begin !== null || closings.opensSome ? dayPlus(window.first, -LONGEST_DUE_DAYS) : window.first;
  return {
    from,
    until: window.until,
    fromMs: days.startOf(from),
    beforeMs,
    asAtMs,
    closedAtMs: closings.sinceMs,
    ...(environment !== undefined && { environment }),
    dayOf: days.dayOf,
    startOf: days.startOf,
    decided: decisions.map(({ lineId, environment, reference }) => ({ line: lineId, environment, reference })),
    leftOpen: leftOpen.names,
  };
}
