import type { PeriodState } from './period.ts';

/** Who acted last on a closing of a period, and when; null: it has no closing. */
export interface ClosingActs {
  readonly preparer: string;
  readonly closedAtMs: number;
  readonly approver: string | null;
  readonly approvedAtMs: number | null;
  readonly lockedBy: string | null;
  readonly lockedAtMs: number | null;
  readonly reopenedBy: string | null;
  readonly reopenedAtMs: number | null;
}

export interface Since {
  readonly who: string;
  readonly atMs: number;
}

/** Returns who brought a period into its state, and when. */
export function sinceOf(state: PeriodState, acts: ClosingActs): Since | null {
  const { who, atMs } = {
    open: { who: acts.reopenedBy, atMs: acts.reopenedAtMs },
    closed: { who: acts.preparer, atMs: acts.closedAtMs },
    approved: { who: acts.approver, atMs: acts.approvedAtMs },
    locked: { who: acts.lockedBy, atMs: acts.lockedAtMs },
  }[state];
  return who === null || atMs === null ? null : { who, atMs };
}
