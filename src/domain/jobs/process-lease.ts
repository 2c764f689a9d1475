import { MINUTE_MS } from '../../time/clock.ts';

/** Work that a process holds, and that another process may take over when the lease is over. */
export interface ProcessLease {
  readonly leasedUntilMs: number;
  /** Its process is certainly no more. */
  readonly isGone: boolean;
}

/**
 * True when another process may take over, also from a lease that only a wrong clock could give. `leaseMs` is the longest lease. The time
 * of a write is drawn before it waits for the lock, so a lease that was renewed meanwhile ends later than `leaseMs` from `nowMs`.
 */
export function isOver({ leasedUntilMs, isGone }: ProcessLease, nowMs: number, leaseMs: number): boolean {
  return isGone || leasedUntilMs <= nowMs || leasedUntilMs > nowMs + 2 * leaseMs;
}

/** Without a write for so long, a run of the reconciliation may be taken over: five million lines compute for minutes. */
export const RUN_LEASE_MS = 10 * MINUTE_MS;

/** Without a piece of rows for so long, the import of a spreadsheet may be taken over: a piece takes a second at most. */
export const SHEET_LEASE_MS = MINUTE_MS;
