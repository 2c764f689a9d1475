import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Archive } from '../../../../../src/store/archive.ts';
import type { EventFilter } from '../../../../../src/store/events.ts';
import type { Page } from '../../../../../src/store/records.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { payout, refund, TestDatabase } from '../../../../support/test-database.ts';

// More events than are looked up one by one for their status.
const EVENTS = 6_500;
const db = new TestDatabase();
let archive: Archive;

beforeAll(() => {
  const rare = (n: number) => n % 1_300 === 7 || n === 2;
  db.keepAndApply(
    ...Array.from({ length: EVENTS }, (_, index) => {
      const n = index + 1;
      if (n % 10 === 0) return payout(`P${n}`, n === 1_000 ? 'rare' : 'success');
      const status = rare(n) ? 'rare' : n > 100 && n <= 800 ? 'old' : 'pending';
      return refund(`R${n}`, status, {}, { environment: n === 1_307 ? 'live' : 'test' });
    }),
  );
  // Event 2 came in two contents that disagree: it claims nothing. Event 7 in two that agree.
  db.keepAndApply(refund('R2', 'pending', { event: 'refund.rare', data: { status: 'pending' } }));
  db.keepAndApply(refund('R7', 'rare', { data: { amount: '1.00' } }));
  archive = openArchive(db.path);
});
afterAll(async () => {
  await archive.close();
  db.remove();
});

const ALL = [7, 1_000, 1_307, 2_607, 3_907, 5_207];
const found = async (filter: EventFilter, page: Partial<Page> = {}) =>
  (await archive.events(filter, { limit: 100, order: 'oldest', ...page })).map(({ id }) => id);

test.each<[string, EventFilter, number[]]>([
  ['alone', {}, ALL],
  ['of a kind', { kind: 'payout' }, [1_000]],
  ['of a kind that makes no record', { kind: 'unknown' }, []],
  ['of an environment', { environment: 'live' }, [1_307]],
  ['by the name of the event', { event: 'refund.rare' }, [7, 1_307, 2_607, 3_907, 5_207]],
])('a rare status, far back in the inbox: %s', async (_what, filter, expected) => {
  expect(await found({ status: 'rare', ...filter })).toEqual(expected);
  expect(await found({ status: 'rare', ...filter }, { order: 'newest' })).toEqual(expected.toReversed());
});

test('pages go on where the page before ended, and stop at their limit', async () => {
  for (const order of ['oldest', 'newest'] as const) {
    const seen: number[] = [];
    for (let after: number | undefined; ; ) {
      const page = { order, limit: 2, ...(after !== undefined && { afterId: after }) };
      const ids = await found({ status: 'rare' }, page);
      seen.push(...ids);
      after = ids.at(-1);
      if (ids.length < 2) break;
    }
    expect(seen).toEqual(order === 'oldest' ? ALL : ALL.toReversed());
  }
  expect(await found({ status: 'rare' }, { untilId: 2_607, order: 'newest' })).toEqual([2_607, 1_307, 1_000, 7]);
  expect(await found({ status: 'rare' }, { afterId: 5_206 })).toEqual([5_207]);
});

test('a status that many claim, all of them far back, comes in order', async () => {
  const old = Array.from({ length: 700 }, (_, index) => 101 + index).filter((n) => n % 10 !== 0);
  expect(await found({ status: 'old' }, { limit: 1_000 })).toEqual(old);
  expect(await found({ status: 'old' }, { limit: 1_000, order: 'newest' })).toEqual(old.toReversed());
  expect(await found({ status: 'old' }, { limit: 3, order: 'newest' })).toEqual([799, 798, 797]);
});

test('a common status fills its page from where it begins, and a status without a claim is not found', async () => {
  expect(await found({ status: 'pending' }, { limit: 3 })).toEqual([1, 3, 4]);
  expect(await found({ status: 'pending' }, { limit: 2, order: 'newest' })).toEqual([6_499, 6_498]);
  expect(await found({ status: 'reversed' })).toEqual([]);
});
