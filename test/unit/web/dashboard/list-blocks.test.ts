import { expect, test } from 'vitest';
import { type IdRange, scan } from '../../../../src/store/sqlite/read/scan.ts';
import { lookedPage, noneLooked, pagesBlock } from '../../../../src/web/dashboard/list-blocks.ts';

const LAST = 1_000_000;
const IDS = [
  1,
  5,
  99_999,
  100_000,
  600_001,
  ...Array.from({ length: 60 }, (_, at) => 700_000 + at),
  800_000,
  900_000,
  LAST,
];

/** A list of a million ids, of which a filter matches these: what the address shows, and how many ids were looked at. */
async function pageAt(query: URLSearchParams, ids: readonly number[]) {
  let looked = 0;
  const read = (range: IdRange, limit: number) => {
    looked += range.last - range.first + 1;
    const within = ids.filter((id) => id >= range.first && id <= range.last).toReversed();
    return within.slice(0, limit).map((id) => ({ id }));
  };
  const found = await lookedPage(
    query,
    { kind: 'refund' },
    {
      read: async ({ kind }, page) =>
        kind === undefined ? [{ id: LAST }] : scan({ first: 1, last: LAST }, page, read),
      count: () => Promise.reject(new Error('so many ids are not counted')),
    },
  );
  return { found, looked };
}

test('pages of a filter that no index knows look at a part of the ids each, and together find every row once', async () => {
  const seen: number[] = [];
  const without: unknown[] = [];
  for (let query = new URLSearchParams({ kind: 'refund' }); ; ) {
    const { found, looked } = await pageAt(query, IDS);
    expect(looked).toBeLessThanOrEqual(100_000);
    seen.push(...found.rows.map(({ id }) => id));
    if (found.rows.length === 0) without.push(noneLooked(found)?.next);
    const { next } = pagesBlock('/events', query, found);
    if (next === undefined) break;
    query = new URL(next, 'http://dashboard').searchParams;
  }
  expect(seen).toEqual(IDS.toReversed());
  expect(new Set(without)).toEqual(new Set(['The next page looks further back; the command looks at all.']));
});
