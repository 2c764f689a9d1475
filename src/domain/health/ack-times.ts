// How long acknowledgements took, counted by bounds: many of them in a few numbers, which can be added up.

/** Upper bounds in milliseconds, each at most one and a half times the one before from 2 ms to 3 s. The last count is of those beyond all bounds. */
export const ACK_BOUNDS_MS = [
  ...[1, 1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40, 60, 80],
  ...[100, 150, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 5_000],
] as const;

/** How many took up to each bound, and longer than all of them. */
export type AckCounts = readonly number[];

export const NO_ACKS: AckCounts = Array(ACK_BOUNDS_MS.length + 1).fill(0);

/** Where an acknowledgement of this time is counted. */
export function boundOf(ms: number): number {
  const at = ACK_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return at < 0 ? ACK_BOUNDS_MS.length : at;
}

export function addedAcks(one: AckCounts, other: AckCounts): AckCounts {
  return one.map((count, at) => count + (other[at] ?? 0));
}

export function ackCount(counts: AckCounts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The bound within which this share of them came, at the nearest rank; Infinity: beyond all bounds. Null without any. */
export function ackWithin(counts: AckCounts, share: number): number | null {
  const rank = Math.max(1, Math.ceil(share * ackCount(counts)));
  let seen = 0;
  for (const [at, count] of counts.entries()) {
    seen += count;
    if (seen >= rank) return ACK_BOUNDS_MS[at] ?? Number.POSITIVE_INFINITY;
  }
  return null;
}
