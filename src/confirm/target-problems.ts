import type { KnownTarget } from '../store/outbox.ts';
import { MINUTE_MS } from '../time/clock.ts';
import type { Problem } from './problem.ts';

/** What of a target tells whether it is well. */
export type TargetStanding = Pick<KnownTarget, 'name' | 'present' | 'disabledAtMs' | 'states' | 'oldestOpenAtMs'>;

/** Dead letters also of a target that is gone, until a person retries or drops them; it is disabled no more. */
export function targetProblems(targets: readonly TargetStanding[]): Problem[] {
  return targets.flatMap(({ name: target, present, disabledAtMs, states: { waiting = 0, failing = 0, dead = 0 } }) => [
    ...(present && disabledAtMs !== null
      ? [{ code: 'target_disabled', target, sinceMs: disabledAtMs, waiting: waiting + failing } as const]
      : []),
    ...(dead > 0 ? [{ code: 'dead_letter', target, rows: dead } as const] : []),
  ]);
}

/** News that a target has not taken for this long is late, as in the rules for Prometheus. */
export const LATE_MS = 15 * MINUTE_MS;

/** Targets that do not take their news; one that is disabled has its own problem. */
export function lateTargets(targets: readonly TargetStanding[], nowMs: number): Problem[] {
  return targets.flatMap(
    ({ name: target, present, disabledAtMs, oldestOpenAtMs, states: { waiting = 0, failing = 0 } }) =>
      present && disabledAtMs === null && oldestOpenAtMs !== null && nowMs - oldestOpenAtMs > LATE_MS
        ? [{ code: 'forwarding_late', target, rows: waiting + failing, sinceMs: oldestOpenAtMs } as const]
        : [],
  );
}
