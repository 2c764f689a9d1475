import { HOUR_MS, type Timed } from '../../time/clock.ts';

/** What the store keeps of a record's checks. */
export interface CheckFacts {
  /** Of the latest lease; a check that is finished under an older one writes nothing (fencing). */
  readonly counter: number;
  /** A leased record is due at the end of its lease, so that a crash of the holder needs no cleanup. */
  readonly leasedUntilMs: number | null;
  /** Checks since the last news, the one under way included, and how many of the latest had no usable answer. */
  readonly attempts: number;
  readonly failures: number;
  /** Since when the confirmed status is settled, and the attempts used up. */
  readonly settledAtMs: number | null;
  readonly stuckAtMs: number | null;
}

/** The longest lease that the configuration allows: 1 h. A longer one was given by a wrong clock, and may be leased again. */
export const LONGEST_CHECK_LEASE_MS = HOUR_MS;

/** Whether the check leased under `counter` still counts: its lease is not over, and no other was given since. */
export function isLeaseHeld(check: CheckFacts, counter: number, nowMs: number): boolean {
  return check.counter === counter && check.leasedUntilMs !== null && check.leasedUntilMs > nowMs;
}

type Counts = Pick<CheckFacts, 'attempts' | 'failures'>;

/**
 * Returns the counts of a check that begins, from those of the one before, which was finished at `outcomeAtMs`. News since
 * then starts them again, unless its time is in the future, while the clock is behind: it would start them with each check.
 */
export function countsAtLease(
  before: Counts,
  { outcomeAtMs, changedAtMs, nowMs }: { outcomeAtMs: number | null; changedAtMs: number } & Timed,
): Counts {
  if (changedAtMs > (outcomeAtMs ?? 0) && changedAtMs <= nowMs) return { attempts: 1, failures: 0 };
  return { attempts: before.attempts + 1, failures: before.failures };
}

/**
 * Returns the attempts and the due time of a record whose check was not sent; null when its `lease` does not count any more.
 * The lease has the due time from before. A due time other than the end of the lease is news that came meanwhile: it stays.
 */
export function afterRelease(
  check: Pick<CheckFacts, 'counter' | 'leasedUntilMs' | 'attempts'> & { readonly dueAtMs: number | null },
  lease: { readonly counter: number; readonly leasedUntilMs: number; readonly dueAtMs: number | null },
): { readonly attempts: number; readonly dueAtMs: number | null } | null {
  if (check.counter !== lease.counter || check.leasedUntilMs === null) return null;
  const { dueAtMs } = check.dueAtMs === lease.leasedUntilMs ? lease : check;
  return { attempts: Math.max(check.attempts - 1, 0), dueAtMs };
}
