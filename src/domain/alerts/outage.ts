import { type DiskSpace, shortageOf } from './disk.ts';

/*
 * An outage of keeping: authentic deliveries were answered 503 or 500, because the store could not keep them, or would have been, because
 * it could not be opened. The receiving process counts it in memory, since a full disk takes no count. Pure.
 */

export interface Outage {
  /** The fault of the store at the latest of them, such as `disk_full`. */
  readonly fault: string;
  /** When the first and the latest delivery were refused; while there is none, when opening the store failed. */
  readonly fromMs: number;
  readonly lastAtMs: number;
  readonly deliveries: number;
  /** When the store took a write again, after the latest of them; null: not yet. */
  readonly keptAgainAtMs: number | null;
}

/** A full disk keeps a small delivery now and then: an outage is over after this long without a refused one. */
export const QUIET_MS = 10_000;

/** The outage of a store that cannot be opened, before a delivery comes. */
export function atOpening(fault: string, nowMs: number): Outage {
  return { fault, fromMs: nowMs, lastAtMs: nowMs, deliveries: 0, keptAgainAtMs: null };
}

/** The outage after a delivery that could not be kept: a new one when the one before is over. */
export function afterRefusal(known: Outage | null, fault: string, nowMs: number): Outage {
  const before = known === null || isOver(known, nowMs) ? { fromMs: nowMs, deliveries: 0 } : known;
  return {
    fault,
    fromMs: before.fromMs,
    lastAtMs: nowMs,
    deliveries: before.deliveries + 1,
    keptAgainAtMs: null,
  };
}

/** The outage after the store took a write. */
export function afterWrite(known: Outage, nowMs: number): Outage {
  return known.keptAgainAtMs === null ? { ...known, keptAgainAtMs: nowMs } : known;
}

/** Whether deliveries are kept again once the books take writes: the fault is of the disk, which books and log share. */
export function endsWithBooks({ fault }: Outage): boolean {
  return DISK_FAULTS.includes(fault);
}

const DISK_FAULTS: readonly string[] = ['disk_full', 'read_only'];

/** The outage on this disk, before it is over: of a full disk it goes on, also when a small delivery was kept. */
export function whileFull(outage: Outage, disk: DiskSpace | null, nowMs: number): Outage {
  if (outage.fault !== 'disk_full' || disk === null || shortageOf(disk) !== 'full') return outage;
  return isOver(outage, nowMs) ? outage : { ...outage, keptAgainAtMs: null };
}

/** Whether the store takes writes again, and refused no delivery for `QUIET_MS`. */
export function isOver({ keptAgainAtMs, lastAtMs }: Outage, nowMs: number): boolean {
  // A clock that was set back must not hold an outage open until it has caught up.
  return keptAgainAtMs !== null && Math.abs(nowMs - lastAtMs) >= QUIET_MS;
}
