import { zoneOffsetMs } from './timestamp.ts';

/** No zone changes its offset within a quarter of an hour that begins on the clock. */
const QUARTER_MS = 15 * 60_000;

/** Shows instants as `2026-11-20 11:05:03` in `zone` (an IANA name); the caller prints the name of the zone. */
export function localTime(zone: string): (ms: number) => string {
  const offsets = new Map<number, number>(); // one per quarter of an hour shown: asking for an offset is slow
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    const offsetMs = offsets.get(quarter) ?? zoneOffsetMs(quarter * QUARTER_MS, zone);
    offsets.set(quarter, offsetMs);
    return new Date(ms + offsetMs).toISOString().slice(0, -'.000Z'.length).replace('T', ' ');
  };
}
