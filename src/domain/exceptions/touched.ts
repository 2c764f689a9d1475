import type { Environment } from '../environment.ts';
import type { OurKind } from '../reconciling/rules.ts';
import type { FollowScope } from './follow-scope.ts';

/** An exception, and the days of the run that found it last. */
export interface Sighted {
  readonly environment: Environment;
  readonly account: string | null;
  readonly currency: string | null;
  readonly leg: string | null;
  readonly kind: OurKind | null;
  readonly date: string;
  readonly firstSeen: string;
  readonly seenFrom: string;
  readonly seenTo: string;
  /** Of `carry`, while it is resolved: the last day of its period. */
  readonly carriedUntil: string | null;
  /** The last run did not look at its days, and found it carried. */
  readonly carried: 0 | 1;
}

/**
 * Whether a run would have found this exception if its cause were still there: then it is closed when the run does not find it.
 * A run of fewer days, another account or one leg says nothing of the others.
 */
export function isTouched(one: Sighted, scope: FollowScope): boolean {
  const { environment, account, leg, legs, kinds } = scope;
  if (environment !== null && one.environment !== environment) return false;
  if (account !== null && one.account !== account) return false;
  if (leg !== null ? one.leg !== leg : one.leg !== null && !legs.includes(one.leg)) return false;
  if (kinds !== null && (one.kind === null || !kinds.includes(one.kind))) return false;
  return isOfDays(one, scope);
}

/**
 * Whether a run of later days finds it open again: one about a record, which stands in no leg and no account's balance. The run
 * judges the record itself again; what it does not find any more is among `gone` of its scope.
 */
export function isCarriedInto(one: Sighted, { environment, account, leg, kinds, from }: FollowScope): boolean {
  if (one.leg !== null || one.account !== null || one.carriedUntil === null || from <= one.carriedUntil) return false;
  if (account !== null || leg !== null || (environment !== null && one.environment !== environment)) return false;
  return kinds === null || (one.kind !== null && kinds.includes(one.kind));
}

function isOfDays(one: Sighted, { from, to, judgedDay, first, openings }: FollowScope): boolean {
  const opening = openings.find(
    ({ environment, account, currency }) =>
      environment === one.environment && account === one.account && currency === one.currency,
  );
  // The last run looked at no other days than this one. Without a balance to open with, as while the period before is opened
  // again, a run compares no earlier days.
  const looksThere = one.carried === 0 || (one.leg !== null && opening !== undefined);
  if (looksThere && one.seenFrom >= from && one.seenTo <= to) return true;
  // Not due yet on the last day of this run: there it is a matter of time.
  if (one.firstSeen > judgedDay || one.date > to) return false;
  if (one.date >= from) return true;
  if (opening === undefined || one.date < first || one.date < opening.since) return false;
  // What is said of a file is found where the files of the account are looked at.
  return one.leg !== null || opening.isRead;
}
