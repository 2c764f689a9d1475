import { mayAct, type PersonAct } from '../../domain/access/roles.ts';
import type { Visitor } from './route.ts';

/** The screens of the navigation. A person sees those that a role of theirs opens. */
const WAYS: readonly { readonly title: string; readonly ways: readonly Way[] }[] = [
  {
    title: 'Now',
    ways: [
      { text: 'Today', href: '/', act: 'read' },
      { text: 'Find', href: '/find', act: 'read' },
      { text: 'Approvals', href: '/approvals', act: 'read' },
    ],
  },
  {
    title: 'Payments',
    ways: [
      { text: 'Refunds', href: '/refunds', act: 'read' },
      { text: 'Payouts', href: '/payouts', act: 'read' },
      { text: 'Collections', href: '/collections', act: 'read' },
      { text: 'Findings', href: '/findings', act: 'read' },
      { text: 'Stuck', href: '/stuck', act: 'read' },
      { text: 'Expected', href: '/expected', act: 'read' },
    ],
  },
  {
    title: 'Finance',
    ways: [
      { text: 'Statements', href: '/statements', act: 'read' },
      { text: 'Proof', href: '/proof', act: 'read' },
      { text: 'Exceptions', href: '/exceptions', act: 'read' },
      { text: 'Periods', href: '/periods', act: 'read' },
      { text: 'Reports', href: '/reports', act: 'read' },
    ],
  },
  {
    title: 'Operation',
    ways: [
      { text: 'Events', href: '/events', act: 'read' },
      { text: 'Refused', href: '/refused', act: 'read' },
      { text: 'Quarantine', href: '/quarantine', act: 'read' },
      { text: 'Forwarding', href: '/forwarding', act: 'read' },
      { text: 'Jobs', href: '/jobs', act: 'read' },
      { text: 'Alerts', href: '/alerts', act: 'read' },
      { text: 'Health', href: '/health', act: 'read' },
      { text: 'Audit', href: '/audit', act: 'read' },
      { text: 'People', href: '/people', act: 'people' },
    ],
  },
];

interface Way {
  readonly text: string;
  readonly href: string;
  readonly act: PersonAct;
}

export interface ShownWays {
  readonly title: string;
  readonly ways: readonly { readonly text: string; readonly href: string; readonly isCurrent: boolean }[];
}

/** The navigation of a visitor who is at `path`. */
export function waysFor(visitor: Visitor | null, path: string): ShownWays[] {
  if (visitor === null) return [];
  return WAYS.map(({ title, ways }) => ({
    title,
    ways: ways
      .filter(({ act }) => mayAct(visitor.roles, act))
      .map(({ text, href }) => ({ text, href, isCurrent: isAt(path, href) })),
  })).filter(({ ways }) => ways.length > 0);
}

function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}
