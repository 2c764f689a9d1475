import { type KnownTarget, MANY_WAITING, type RowsSince } from '../store/outbox.ts';
import { MINUTE_MS, SECOND_MS } from '../time/clock.ts';
import type { Problem } from './problem.ts';

/** What of a target tells whether it is well. */
export type TargetFacts = Pick<
  KnownTarget,
  'name' | 'present' | 'disabledAtMs' | 'heldUntilMs' | 'states' | 'oldestOpenAtMs' | 'lately'
>;

/** Dead letters also of a target that is gone, until a person retries or drops them; it is disabled no more. */
export function targetProblems(targets: readonly TargetFacts[]): Problem[] {
  return targets.flatMap(({ name: target, present, disabledAtMs, states: { waiting = 0, failing = 0, dead = 0 } }) => [
    ...(present && disabledAtMs !== null
      ? [{ code: 'target_disabled', target, sinceMs: disabledAtMs, waiting: waiting + failing } as const]
      : []),
    ...(dead > 0 ? [{ code: 'dead_letter', target, rows: dead } as const] : []),
  ]);
}

/** News that a target has not taken for this long is late, as in the rules for Prometheus. */
export const LATE_MS = 15 * MINUTE_MS;

/** A target that falls behind does so for longer than this, since a burst is over by then, and takes something within it. */
const BEHIND_MS = MINUTE_MS;
/** What comes must exceed what is taken by this: both are measured over different times. */
const BEHIND_SHARE = 1.1;

/** Targets that do not take their news, or take less than comes; one that is disabled has its own problem. */
export function lateTargets(targets: readonly TargetFacts[], nowMs: number): Problem[] {
  return targets.flatMap((facts): Problem[] => {
    const { name: target, present, disabledAtMs, oldestOpenAtMs: sinceMs, states } = facts;
    if (!present || disabledAtMs !== null || sinceMs === null) return [];
    const rows = (states.waiting ?? 0) + (states.failing ?? 0);
    const pace = paceOf(facts, nowMs);
    if (pace !== null) return [{ code: 'forwarding_behind', target, rows, sinceMs, ...pace }];
    return nowMs - sinceMs > LATE_MS ? [{ code: 'forwarding_late', target, rows, sinceMs }] : [];
  });
}

/** How many news a second come and are taken; null while it keeps up, and while it takes none: more concurrency would help nothing. */
function paceOf({ states, oldestOpenAtMs, heldUntilMs, lately }: TargetFacts, nowMs: number) {
  const isHeld = heldUntilMs !== null && heldUntilMs > nowMs;
  const isBurst = nowMs - (oldestOpenAtMs ?? nowMs) < BEHIND_MS || (states.waiting ?? 0) < MANY_WAITING;
  if (lately === null || isHeld || isBurst || nowMs - lately.taken.lastAtMs >= BEHIND_MS) return null;
  const perSecond = ({ rows, sinceMs }: RowsSince) => (rows / Math.max(nowMs - sinceMs, 1)) * SECOND_MS;
  const [comePerSecond, takenPerSecond] = [perSecond(lately.written), perSecond(lately.taken)];
  return comePerSecond > takenPerSecond * BEHIND_SHARE ? { comePerSecond, takenPerSecond } : null;
}
