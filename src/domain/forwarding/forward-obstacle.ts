import { HOUR_MS } from '../../time/clock.ts';

/** Longest hold that counts; one that ends later was written by a wrong clock. */
export const LONGEST_HOLD_MS = 2 * HOUR_MS;

/** What the store keeps of a target that stops all of its rows. Null: not so. */
export interface TargetPause {
  /** Since when it is disabled: it answered 410. */
  readonly disabledAtMs: number | null;
  /** A hold by Retry-After: when it began, when it ends, and the status of the answer. */
  readonly heldAtMs: number | null;
  readonly heldUntilMs: number | null;
  readonly heldStatus: number | null;
}

/** What keeps every row of a target from leaving. */
export type TargetObstacle =
  | { readonly is: 'disabled'; readonly sinceMs: number }
  | { readonly is: 'held'; readonly sinceMs: number; readonly untilMs: number; readonly status: number | null };

/** Returns what keeps every row of the target from leaving now; null when nothing does. */
export function obstacleOf(
  { disabledAtMs, heldAtMs, heldUntilMs, heldStatus }: TargetPause,
  nowMs: number,
): TargetObstacle | null {
  if (disabledAtMs !== null) return { is: 'disabled', sinceMs: disabledAtMs };
  if (heldUntilMs === null || heldUntilMs <= nowMs || heldUntilMs > nowMs + LONGEST_HOLD_MS) return null;
  return { is: 'held', sinceMs: heldAtMs ?? nowMs, untilMs: heldUntilMs, status: heldStatus };
}

/** `disabled since …: it answered 410`, or the same of a hold. `time` shows a time. */
export function obstacleText(obstacle: TargetObstacle, time: (ms: number) => string): string {
  const since = `since ${time(obstacle.sinceMs)}`;
  if (obstacle.is === 'disabled') return `disabled ${since}: it answered 410`;
  const answer = obstacle.status === null ? 'it' : `it answered ${obstacle.status} and`;
  return `held ${since}: ${answer} asked to wait until ${time(obstacle.untilMs)} (Retry-After)`;
}

/** What a person does about it. */
export function obstacleStep(target: string, { is }: TargetObstacle): string {
  const command = `tallyhook forward enable ${target}`;
  return is === 'disabled' ? `Once its application takes news again: ${command}` : `To try at once: ${command}`;
}
