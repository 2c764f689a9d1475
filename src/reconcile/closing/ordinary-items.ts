import { covers, daysText, uncoveredDays } from '../../domain/balance/covered-days.ts';
import { isStale, newsText } from '../../domain/periods/stale.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import { isOfGroup } from '../../domain/reconciling/codes.ts';
import { counted } from '../../domain/text/quantity-text.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Report } from '../report/model.ts';
import { type CheckItem, explained, fine, noted, open } from './check-items.ts';
import type { CheckFacts, PeriodOrder } from './facts.ts';
import { endedAccounts, IMPORT, missingAccounts, wayOut } from './missing-statements.ts';
import { withUncompared } from './uncompared.ts';

/** The run, the statements, and the other periods of the set. */
export function ordinaryItems(
  order: PeriodOrder,
  facts: CheckFacts,
  uncompared: Report['uncompared'],
): Record<'run' | 'statements' | 'previous', CheckItem> {
  const statements = withUncompared(statementsItem(order, facts), uncompared);
  return { run: runItem(order, facts), statements, previous: previousItem(order, facts) };
}

function runItem({ set, period }: PeriodOrder, { run, news, beforeMs }: CheckFacts): CheckItem {
  const again = `tallyhook reconcile --from ${period.from} --to ${period.to} --environment ${set.environment}`;
  if (run === null) return open('run', 0, 'no run of exactly these days is kept', again);
  if (run.asAtMs < beforeMs) return open('run', 1, 'the period was not over when it was reconciled', again);
  if (isStale(news)) return open('run', 1, `since the run, ${newsText(news)}`, again);
  return { ...fine('run', 'nothing came since it was reconciled'), count: 1 };
}

function statementsItem(order: PeriodOrder, { statements, breaks }: CheckFacts): CheckItem {
  const { period } = order;
  const gaps = breaks.filter(({ code }) => isOfGroup(code, 'statements'));
  const missing = missingAccounts(order, statements, gaps);
  const unresolved = gaps.filter(({ isResolved }) => !isResolved);
  if (missing.length > 0) {
    const text = missing.map(({ clause }) => clause).join('; ');
    return open('statements', missing.length + unresolved.length, text, wayOut(period, missing));
  }
  const count = statements.filter((one) => covers(one, { from: period.from, until: period.to }));
  const uncovered = [...uncoveredAccounts(period, count), ...endedAccounts(order, statements)];
  if (gaps.length === 0) {
    if (uncovered.length === 0 && count.length === 0)
      return open('statements', 1, 'no statement covers any of these days', IMPORT);
    if (uncovered.length === 0) return { ...fine('statements', 'every day is covered'), count: count.length };
    return noted('statements', uncovered.length, uncovered.join('; '));
  }
  const text = [`${counted(gaps.length, 'gap')} between statements`, ...uncovered].join('; ');
  if (unresolved.length > 0) return open('statements', unresolved.length, text, listing(gaps));
  return explained('statements', gaps.length, `${text}${uncovered.length === 0 ? ',' : ';'} resolved`);
}

/** The days of each account that no statement covers, as a clause. Where files state their days, each is a gap, too. */
function uncoveredAccounts(period: PeriodOrder['period'], statements: readonly StatementSummary[]): string[] {
  const byAccount = Map.groupBy(statements, ({ account }) => account.name);
  return [...byAccount.keys()].sort().flatMap((name) => {
    const own = byAccount.get(name) ?? [];
    const missing = uncoveredDays(
      period,
      own.flatMap(({ covers }) => (covers === null ? [] : [covers])),
    );
    if (missing.length === 0) return [];
    if (own.every(({ statesDays }) => statesDays)) return [`no statement of ${name} on ${daysText(missing)}`];
    return [`no line of ${name} on ${daysText(missing)} (its files state no days)`];
  });
}

function previousItem({ period: { from } }: PeriodOrder, { otherPeriods, before }: CheckFacts): CheckItem {
  if (otherPeriods !== null) {
    const { message, hint } = otherPeriods;
    return open('previous_period', 1, message.replace(/\.$/, ''), hint);
  }
  if (before.length === 0) return fine('previous_period', 'closed, or there is none');
  const text = `there are ${before.join(' and ')} of days before ${from}, which are not closed, and cannot be once this period is`;
  return noted('previous_period', 1, text, `tallyhook period check ${dayPlus(from, -1).slice(0, 7)}`);
}

/** The command that lists the breaks behind an item. */
export function listing(breaks: readonly { readonly code: string }[]): string {
  return `tallyhook exceptions list${[...new Set(breaks.map(({ code }) => ` --code ${code}`))].join('')}`;
}
