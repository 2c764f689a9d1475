import type { ExceptionState } from './words.ts';

/** What moves an exception. The first five are acts of persons, the last one follows the reopening of a period, the others are what a run finds. */
export const STEPS = [
  'assign',
  'unassign',
  'resolve',
  'approve',
  'reopen',
  /** Its cause is gone. */
  'gone',
  /** What was resolved is no longer what it is about. */
  'changed',
  /** Its cause is back. */
  'returned',
  /** The period into which it was carried has ended. */
  'carried',
  /** That period was opened again. */
  'carried_again',
] as const;
export type Step = (typeof STEPS)[number];

const AFTER = { assign: 'assigned', resolve: 'resolved', gone: 'closed' } as const;

/** The state after each step; a step that is missing is refused. A comment moves nothing, and is possible in every state. */
const NEXT: Readonly<Record<ExceptionState, Readonly<Partial<Record<Step, ExceptionState>>>>> = {
  open: { ...AFTER, carried_again: 'resolved' },
  reopened: AFTER,
  assigned: { unassign: 'open', resolve: 'resolved', gone: 'closed', carried_again: 'resolved' },
  // Only where approval is needed.
  resolved: { approve: 'resolved', reopen: 'reopened', gone: 'closed', changed: 'reopened', carried: 'open' },
  closed: { returned: 'reopened' },
};

/** The state after a step; null: the state forbids it. */
export function stateAfter(state: ExceptionState, step: Step): ExceptionState | null {
  return NEXT[state][step] ?? null;
}
