import { zoneOffsetMs } from './timestamp.ts';

/*
 * Clocks on the wall, which skip and repeat times when summer time begins and ends. A wall time is a number of
 * milliseconds as if it were UTC. Zones are IANA names.
 */

const SECOND_MS = 1_000;
/** No zone changes twice within so much time on either side. */
const DAY_MS = 24 * 3_600_000;

/** What clocks in `zone` show at an instant. */
export function wallAt(instantMs: number, zone: string): number {
  return instantMs + zoneOffsetMs(instantMs, zone);
}

/** When clocks show a wall time of whole seconds: once as a rule, never when it is skipped, twice when it is repeated. */
export function instantsOf(wallMs: number, zone: string): number[] {
  const offsets = new Set(offsetsAround(wallMs, zone));
  const instants = [...offsets].map((offset) => wallMs - offset).filter((one) => wallAt(one, zone) === wallMs);
  return instants.sort((one, other) => one - other);
}

/** When clocks first show a wall time of whole seconds, or jump over it. */
export function firstReached(wallMs: number, zone: string): number {
  const [first] = instantsOf(wallMs, zone);
  if (first !== undefined) return first;
  const [before, after] = offsetsAround(wallMs, zone);
  return changeBetween(wallMs - after, wallMs - before, zone);
}

/** The one instant in (early, late] from which clocks show another offset than at `early`; whole seconds. */
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

/** Before and after the wall time, on the far sides of any change that concerns it. */
function offsetsAround(wallMs: number, zone: string): [number, number] {
  return [zoneOffsetMs(wallMs - DAY_MS, zone), zoneOffsetMs(wallMs + DAY_MS, zone)];
}
