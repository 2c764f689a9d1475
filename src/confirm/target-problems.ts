import type { KnownTarget } from '../store/outbox.ts';
import type { Problem } from './problem.ts';

/** What of a target tells whether it is well. */
export type TargetStanding = Pick<KnownTarget, 'name' | 'present' | 'disabledAtMs' | 'states'>;

/** Dead letters also of a target that is gone, until a person retries or drops them; it is disabled no more. */
export function targetProblems(targets: readonly TargetStanding[]): Problem[] {
  return targets.flatMap(({ name: target, present, disabledAtMs, states: { waiting = 0, failing = 0, dead = 0 } }) => [
    ...(present && disabledAtMs !== null
      ? [{ code: 'target_disabled', target, sinceMs: disabledAtMs, waiting: waiting + failing } as const]
      : []),
    ...(dead > 0 ? [{ code: 'dead_letter', target, rows: dead } as const] : []),
  ]);
}
