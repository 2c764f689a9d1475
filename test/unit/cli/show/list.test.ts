import { afterEach, expect, test, vi } from 'vitest';
import { pagesOf, printList, wholeList } from '../../../../cli/show/list.ts';
import type { Page } from '../../../../src/store/records.ts';

let [stdout, stderr] = ['', ''];
vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
  stdout += chunk;
  return true;
});
vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
  stderr += chunk;
  return true;
});
afterEach(() => {
  [stdout, stderr] = ['', ''];
});

const ROWS = Array.from({ length: 2_500 }, (_, index) => ({ id: index + 1 }));
/** A list of ROWS, the oldest first, and how often it was counted. */
function listOf(page: Partial<Page>, rows = ROWS) {
  const asked: number[] = [];
  const counts = { counted: 0, asked };
  const read = async ({ afterId = 0, limit }: Page) => {
    asked.push(limit);
    return rows.filter(({ id }) => id > afterId).slice(0, limit);
  };
  const count = async () => {
    counts.counted++;
    return rows.length;
  };
  return { counts, pages: pagesOf({ limit: 50, order: 'oldest', ...page }, read, count) };
}
const output = {
  json: (row: unknown) => row,
  columns: [{ header: 'ID', value: ({ id }: { id: number }) => id }],
  empty: 'No rows.',
};

test.each([
  ['a cut list', { limit: 50 }, { shown: 50, total: 2_500, more: true }, 1],
  ['all rows', { limit: Number.POSITIVE_INFINITY }, { shown: 2_500, total: 2_500, more: false }, 0],
  ['exactly all', { limit: 2_500 }, { shown: 2_500, total: 2_500, more: false }, 0],
  ['the last page', { limit: 50, afterId: 2_490 }, { shown: 10, total: 2_500, more: false }, 1],
])(
  '%s: the end says what was shown, and rows are counted only where that is needed',
  async (_what, page, end, counted) => {
    const { pages, counts } = listOf(page);
    expect(await printList(pages, { json: true }, output)).toEqual(end);
    const { items, ...facts } = JSON.parse(stdout);
    expect(facts).toEqual(end);
    expect(items).toHaveLength(end.shown);
    expect(new Set(items.map(({ id }: { id: number }) => id)).size).toBe(end.shown);
    expect(counts.counted).toBe(counted);
    expect(Math.max(...counts.asked)).toBeLessThanOrEqual(1_001);
  },
);

test('the note on stderr says how to see more', async () => {
  await printList(listOf({ limit: 50 }).pages, { json: false }, output);
  expect(stderr).toBe('50 of 2500 shown; --limit 1000 or --all\n');
  stderr = '';
  await printList(listOf({ limit: 1_000 }).pages, { json: false }, output);
  expect(stderr).toBe('1000 of 2500 shown; --all\n');
  stderr = '';
  await printList(wholeList([{ id: 1 }], { more: true, total: null }), { json: true }, output);
  expect(stderr).toBe('1 shown, and there are more; --limit 1000 or --all\n');
});

test('an empty list is JSON of the same shape, and a sentence as text', async () => {
  await printList(wholeList([]), { json: true }, { ...output, besides: () => ({ currency: 'NGN' }) });
  expect(JSON.parse(stdout)).toEqual({ items: [], shown: 0, total: 0, more: false, currency: 'NGN' });
  await printList(wholeList([]), { json: false }, output);
  expect(stderr).toBe('No rows.\n');
});
