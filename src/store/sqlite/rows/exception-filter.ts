import { EXCEPTION_STATES } from '../../../domain/exceptions/words.ts';
import { foldedName } from '../../../domain/persons/person.ts';
import type { ExceptionFilter } from '../../exceptions.ts';

const IS_UNRESOLVED = `(e.status NOT IN ('resolved', 'closed') OR (e.status = 'resolved' AND r.approval = 'needed'))`;
const CLAIM_IS_LATE = `(e.status = 'resolved' AND r.resolution = 'claim' AND r.approval IS NOT 'needed'
  AND r.follow_up <= @followUpBy)`;

/** Closed periods that have the day of an exception, or could have it as one from before. */
const CLOSED = `FROM periods p JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
  WHERE p.state <> 'open' AND p.environment = e.environment AND p.to_day >= e.date AND p.to_day < @from
    AND (p.accounts IS NULL OR e.account IS NULL OR e.account IN (SELECT value FROM json_each(p.accounts)))`;

/** Resolved after the period of its day was closed, and not in another one that was closed and ends before `@from`. */
const IS_RESOLVED_SINCE = `(e.status = 'resolved' AND EXISTS (SELECT 1 ${CLOSED} AND p.from_day <= e.date)
  AND NOT EXISTS (SELECT 1 ${CLOSED} AND c.closed_at >= r.resolved_at))`;

/** What is dated before `@from` and stands in its days: come up by their end, and open, come up in them, or resolved since. */
const STANDS_FROM_BEFORE = `((@to IS NULL OR e.first_seen <= @to)
  AND (${IS_UNRESOLVED} OR e.first_seen >= @from OR ${IS_RESOLVED_SINCE}))`;

/** The condition of a filter on exceptions `e` with their resolutions `r`. */
export const EXCEPTION_MATCHING = `e.status IN (SELECT value FROM json_each(@statuses))
  AND (@environment IS NULL OR e.environment = @environment)
  AND (@codes IS NULL OR e.code IN (SELECT value FROM json_each(@codes)))
  AND (@leg IS NULL OR e.leg = @leg) AND (@account IS NULL OR e.account = @account)
  AND (@currency IS NULL OR e.currency = @currency) AND (@reference IS NULL OR e.reference = @reference)
  AND (@assignee IS NULL OR iif(e.assignee IS NULL, '', folded_name(e.assignee)) = @assignee)
  AND (@resolutions IS NULL OR r.resolution IN (SELECT value FROM json_each(@resolutions)))
  AND (@from IS NULL OR e.date >= @from OR (@fromBefore = 1 AND ${STANDS_FROM_BEFORE})) AND (@to IS NULL OR e.date <= @to)
  AND (@seenFrom IS NULL OR e.first_seen >= @seenFrom) AND (@seenTo IS NULL OR e.first_seen <= @seenTo)
  AND (@least IS NULL OR coalesce(e.value_minor, 9223372036854775807) >= @least)
  AND (@most IS NULL OR coalesce(e.value_minor, 9223372036854775807) <= @most)
  AND (@seenBy IS NULL OR (${IS_UNRESOLVED} AND e.first_seen <= @seenBy) OR ${CLAIM_IS_LATE})
  AND (@unresolved = 0 OR ${IS_UNRESOLVED})`;

export function exceptionParameters(filter: ExceptionFilter) {
  const { assignee, overdue } = filter;
  return {
    statuses: JSON.stringify(filter.statuses ?? EXCEPTION_STATES.filter((state) => state !== 'closed')),
    environment: filter.environment ?? null,
    codes: filter.codes === undefined ? null : JSON.stringify(filter.codes),
    leg: filter.leg ?? null,
    account: filter.account ?? null,
    currency: filter.currency ?? null,
    reference: filter.reference ?? null,
    assignee: assignee === undefined ? null : foldedName(assignee ?? ''),
    resolutions: filter.resolutions === undefined ? null : JSON.stringify(filter.resolutions),
    from: filter.from ?? null,
    fromBefore: filter.fromBefore === true ? 1 : 0,
    to: filter.to ?? null,
    seenFrom: filter.seenFrom ?? null,
    seenTo: filter.seenTo ?? null,
    least: filter.least ?? null,
    most: filter.most ?? null,
    seenBy: overdue?.seenBy ?? null,
    followUpBy: overdue?.followUpBy ?? null,
    unresolved: filter.unresolved === true ? 1 : 0,
  };
}
