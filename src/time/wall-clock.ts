import { DAY_MS, SECOND_MS } from './clock.ts';
import { zoneOffsetMs } from './timestamp.ts';

/*
 * Wall clocks, which skip and repeat times when summer time begins and ends. A wall time is a number of milliseconds as
 * if it were UTC. Zones are IANA names.
 */

/** Returns the wall time in `zone` at an instant. */
export function wallAt(instantMs: number, zone: string): number {
  return instantMs + zoneOffsetMs(instantMs, zone);
}

/** Returns the instants of a wall time of whole seconds: one, none when it is skipped, two when it is repeated. */
export function instantsOf(wallMs: number, zone: string): number[] {
  const offsets = new Set(offsetsAround(wallMs, zone));
  const instants = [...offsets].map((offset) => wallMs - offset).filter((one) => wallAt(one, zone) === wallMs);
  return instants.sort((one, other) => one - other);
}

/** Returns when clocks first show a wall time of whole seconds, or jump over it. */
export function firstReached(wallMs: number, zone: string): number {
  const [first] = instantsOf(wallMs, zone);
  if (first !== undefined) return first;
  const [before, after] = offsetsAround(wallMs, zone);
  return changeBetween(wallMs - after, wallMs - before, zone);
}

/** Returns the one instant in (early, late] from which the offset differs from that at `early`; whole seconds. */
export function changeBetween(earlyMs: number, lateMs: number, zone: string): number {
  let [early, late] = [Math.floor(earlyMs / SECOND_MS), Math.floor(lateMs / SECOND_MS)];
  const offset = zoneOffsetMs(early * SECOND_MS, zone);
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (zoneOffsetMs(middle * SECOND_MS, zone) === offset) early = middle;
    else late = middle;
  }
  return late * SECOND_MS;
}

/** Offsets one day before and after the wall time, on both sides of any change near it. */
function offsetsAround(wallMs: number, zone: string): [number, number] {
  return [zoneOffsetMs(wallMs - DAY_MS, zone), zoneOffsetMs(wallMs + DAY_MS, zone)];
}
