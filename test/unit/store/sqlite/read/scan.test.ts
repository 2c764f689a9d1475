import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIdAt, firstIdSince, type IdRange, scan } from '../../../../../src/store/sqlite/read/scan.ts';

test('a filter that matches little is read in windows, and no id twice or never', async () => {
  for (const order of ['oldest', 'newest'] as const) {
    const ranges: IdRange[] = [];
    const rows = await scan({ first: 1, last: 45_000 }, { limit: 10, order }, ({ first, last }, limit) => {
      ranges.push({ first, last });
      const matches = [1, 20_000, 20_001, 40_001, 45_000].filter((id) => id >= first && id <= last).slice(0, limit);
      return order === 'oldest' ? matches : matches.toReversed();
    });
    expect(rows).toEqual(
      order === 'oldest' ? [1, 20_000, 20_001, 40_001, 45_000] : [45_000, 40_001, 20_001, 20_000, 1],
    );
    const byId = order === 'oldest' ? ranges : ranges.toReversed();
    expect(byId.map(({ first }) => first)).toEqual([1, ...byId.slice(0, -1).map(({ last }) => last + 1)]);
    expect(byId.at(-1)?.last).toBe(45_000);
  }
});

test('a full page reads no further, and an empty table is not read', async () => {
  let reads = 0;
  const read = ({ first }: IdRange, limit: number) => {
    reads++;
    return Array.from({ length: limit }, (_, index) => first + index);
  };
  expect(await scan({ first: 1, last: 100_000 }, { limit: 2, order: 'oldest', afterId: 7 }, read)).toEqual([8, 9]);
  expect(reads).toBe(1);
  expect(await scan({ first: 1, last: 0 }, { limit: 2, order: 'newest' }, read)).toEqual([]);
  expect(reads).toBe(1);
});

test('the first id since a time is never too high, also when the clock was set back for a while', async () => {
  const DAY_MS = 86_400_000;
  const receivedAt = (id: number) => (id > 60_000 && id < 60_500 ? 0 : id * 60_000);
  const latestWithin = ({ first, last }: IdRange) => {
    let latest: number | null = null;
    for (let id = Math.max(1, first); id <= last; id++) latest = Math.max(latest ?? 0, receivedAt(id));
    return latest;
  };
  const sinceMs = 50_000 * 60_000;
  const first = await firstIdSince({ first: 1, last: 100_000 }, sinceMs, latestWithin);
  expect(first).toBeLessThanOrEqual(50_000);
  expect(receivedAt(first)).toBeGreaterThan(sinceMs - DAY_MS - 20_000 * 60_000);
  expect(await firstIdSince({ first: 1, last: 100_000 }, 0, latestWithin)).toBe(1);
});

test('the first id at a time is the one that looking at each would find', () => {
  const times = fc.array(fc.nat(20), { maxLength: 40 }).map((all) => all.toSorted((one, other) => one - other));
  fc.assert(
    fc.property(times, fc.nat(21), (sorted, time) => {
      const found = sorted.findIndex((each) => each >= time);
      const first = firstIdAt({ first: 1, last: sorted.length }, time, (id) => sorted[id - 1] ?? null);
      expect(first).toBe(found < 0 ? sorted.length + 1 : found + 1);
    }),
  );
});
