import { mayAct, type PersonAct } from '../../domain/access/roles.ts';
import type { Visitor } from './route.ts';

/** The screens of the navigation. A person sees those that a role of theirs opens. */
const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Now: { Today: '/', Find: '/find', Approvals: '/approvals' },
  Payments: {
    ...{ Refunds: '/refunds', Payouts: '/payouts', Collections: '/collections' },
    ...{ Findings: '/findings', Stuck: '/stuck', Expected: '/expected' },
  },
  Finance: {
    ...{ Statements: '/statements', Proof: '/proof', Exceptions: '/exceptions' },
    ...{ Periods: '/periods', Reports: '/reports' },
  },
  Operation: {
    ...{ Events: '/events', Refused: '/refused', Quarantine: '/quarantine', Forwarding: '/forwarding' },
    ...{ Jobs: '/jobs', Alerts: '/alerts', Health: '/health', Audit: '/audit', People: '/people' },
  },
};

/** What opens a screen; missing: every role looks at it. */
const OPENED_BY: Readonly<Record<string, PersonAct>> = { '/people': 'people' };

export interface ShownWays {
  readonly title: string;
  readonly ways: readonly { readonly text: string; readonly href: string; readonly isCurrent: boolean }[];
}

/** The navigation of a visitor who is at `path`. */
export function waysFor(visitor: Visitor | null, path: string): ShownWays[] {
  if (visitor === null) return [];
  return Object.entries(WAYS).map(([title, ways]) => ({
    title,
    ways: Object.entries(ways)
      .filter(([, href]) => mayAct(visitor.roles, OPENED_BY[href] ?? 'read'))
      .map(([text, href]) => ({ text, href, isCurrent: isAt(path, href) })),
  }));
}

function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}
