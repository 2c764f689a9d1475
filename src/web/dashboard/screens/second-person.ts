import { GUARDED_ACTS } from '../../../domain/access/approval.ts';
import type { Role } from '../../../domain/access/roles.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { KnownRequest } from '../../../store/approvals.ts';
import type { ExceptionFilter } from '../../../store/exceptions.ts';
import type { KeptPeriod } from '../../../store/periods.ts';
import { addressOf } from '../asked.ts';
import type { Context } from '../route.ts';

// What waits for a second person, of all kinds, and what of it this person can decide: Today and Approvals count the same.

export interface Waiting {
  readonly all: number;
  /** Not asked for, resolved or closed by this person, who has the role; of what was approved, what this person carries out. */
  readonly yours: number;
}

export interface ForSecondPerson {
  readonly requests: Waiting;
  /** Of exceptions, above the limit of their reason code. */
  readonly resolutions: Waiting;
  /** Closed, and not approved. */
  readonly periods: Waiting;
  readonly closed: readonly KeptPeriod[];
  /** There are more than were looked at. */
  readonly isPart: boolean;
}

/** Requests and resolutions that are looked at, of each: 5 ms. */
const MOST = 200;

const UNAPPROVED = { statuses: ['resolved'], unresolved: true } as const satisfies ExceptionFilter;
/** The list of the same. */
export const UNAPPROVED_ADDRESS = addressOf('/exceptions', { status: 'resolved', unresolved: '1' });

export async function forSecondPerson({ archive, visitor, may }: Context): Promise<ForSecondPerson> {
  const requests = await archive.approvals({ isOpen: true }, { order: 'newest', limit: MOST + 1 });
  const { rows: resolved, next } = await archive.exceptions(UNAPPROVED, { after: null, limit: MOST });
  const closed = (await archive.periods({})).filter(({ state }) => state === 'closed');
  const isOther = (by: string | null | undefined) => !samePerson(by ?? '', visitor.name);
  const waiting = <One>(all: readonly One[], isYours: (one: One) => boolean): Waiting => {
    return { all: all.length, yours: all.filter(isYours).length };
  };
  const mayDecide = ({ asked, state, askedBy }: KnownRequest) => {
    if (state === 'approved') return !isOther(askedBy);
    const roles: readonly Role[] = GUARDED_ACTS[asked.act];
    return isOther(askedBy) && visitor.roles.some((role) => roles.includes(role));
  };
  return {
    requests: waiting(requests, mayDecide),
    resolutions: waiting(resolved, ({ resolvedBy }) => may('exception.approve') && isOther(resolvedBy)),
    periods: waiting(closed, ({ closings }) => may('period.approve') && isOther(closings.at(-1)?.preparer)),
    ...{ closed, isPart: requests.length > MOST || next !== null },
  };
}

/** Those that are no requests: `2 resolutions, 1 closed period`; empty: none. */
export function signaturesText({ resolutions, periods }: ForSecondPerson, of: keyof Waiting): string {
  return [
    ...(resolutions[of] === 0 ? [] : [countOf(resolutions[of], 'resolution')]),
    ...(periods[of] === 0 ? [] : [countOf(periods[of], 'closed period')]),
  ].join(', ');
}
