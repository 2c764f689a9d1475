import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/domain/events/json.ts';
import { type Page, readPage } from '../../../../src/service/calls/page.ts';
import { type ListOptions, walkPages } from '../../../../src/service/calls/paging.ts';
import { ListIncompleteError } from '../../../../src/service/errors/list-errors.ts';
import { RefusedError } from '../../../../src/service/errors/service-error.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const row = (id: string): JsonObject => ({ id });
const rows = (...ids: string[]) => ids.map(row);
const itemOf = (value: Json) => {
  const id = (value as JsonObject).id;
  return typeof id === 'string' ? { id, item: id } : null;
};

/** Walks the pages that `answer` returns per query, null: 404. The queries fetched, the items given, and the error at the end. */
async function walk(answer: (query: string) => JsonObject | null, options: ListOptions = {}) {
  const fetched: string[] = [];
  const given: string[] = [];
  const fetchPage = async (query: string): Promise<Page> => {
    fetched.push(query);
    const root = answer(query);
    const requestLine = { method: 'GET', path: '/refunds' } as const;
    if (root === null) throw new RefusedError({ requestLine, httpStatus: 404, message: 'No such page', fields: {} });
    return readPage(root) as Page;
  };
  try {
    for await (const item of walkPages(fetchPage, itemOf, options)) given.push(item);
    return { fetched, given, error: null };
  } catch (error) {
    if (!(error instanceof ListIncompleteError)) throw error;
    return { fetched, given, error };
  }
}

const next = (query: string) => `https://service.example/api/v1/refund?${query}`;

describe('a walk that saw everything ends without an error', () => {
  test.each<[string, (query: string) => JsonObject | null, string[], number]>([
    ['an empty list', () => ({ data: [] }), [], 1],
    ['a bare list without paging', () => ({ data: rows('a', 'b') }), ['a', 'b'], 4],
    ['pages until one is empty', (query) => ({ data: query === 'page=3' ? [] : rows(query) }), ['page=1', 'page=2'], 3],
    [
      'pages until one is not found',
      (query) => (query === 'page=3' ? null : { data: rows(query) }),
      ['page=1', 'page=2'],
      9, // four times missing, and the page before it is still there in between
    ],
    ['a total', (query) => ({ data: rows(query), meta: { total: '2' } }), ['page=1', 'page=2'], 2],
    [
      'page numbers without addresses',
      (query) => ({ data: { data: rows(query), current_page: query.slice(5), last_page: '3' } }),
      ['page=1', 'page=2', 'page=3'],
      3,
    ],
    [
      'page numbers that announce another page, against the address',
      (query) => ({ data: { data: rows(query), current_page: query.slice(5), last_page: '2', next_page_url: null } }),
      ['page=1', 'page=2'],
      2,
    ],
    ['a flag', (query) => ({ data: rows(query), has_more: query === 'page=1' }), ['page=1', 'page=2'], 2],
    [
      'a cursor that is a number',
      (query) => ({ data: rows(query), meta: { next_cursor: query === 'page=1' ? '20' : null } }),
      ['page=1', 'cursor=20'],
      2,
    ],
    [
      'a page of nothing new that announces another',
      (query) => ({
        data: rows(query === 'page=3' ? 'b' : 'a'),
        next_page_url: query === 'page=3' ? null : next(`page=${Number(query.slice(5)) + 1}`),
      }),
      ['a', 'b'],
      3,
    ],
    [
      'an empty page that announces another',
      (query) => ({ data: query === 'page=2' ? [] : rows(query), has_more: query !== 'page=3' }),
      ['page=1', 'page=3'],
      3,
    ],
    [
      'a total that is reached while another page is announced',
      (query) => ({ data: rows(query), total: '1', next_page_url: query === 'page=1' ? next('page=2') : null }),
      ['page=1', 'page=2'],
      2,
    ],
    [
      'an address whose query cannot be used',
      (query) => ({ data: rows(query), next_page_url: query === 'page=1' ? 'https://service.example/page/2' : null }),
      ['page=1', 'page=2'],
      2,
    ],
    [
      'an address beyond all bounds',
      (query) => ({ data: rows(query), next_page_url: query === 'page=1' ? next('x'.repeat(5_000)) : null }),
      ['page=1', 'page=2'],
      2,
    ],
  ])('%s', async (_style, answer, expected, requests) => {
    const { given, error, fetched } = await walk(answer);
    expect([given, error, fetched.length]).toEqual([expected, null, requests]);
  });

  test('also when a new row comes in at the front while it walks, and the total grows with it', async () => {
    let list = ['d', 'c', 'b', 'a'];
    const { given, error } = await walk((query) => {
      const at = (Number(query.slice(5)) - 1) * 2;
      const answer = { data: rows(...list.slice(at, at + 2)), meta: { total: String(list.length) } };
      if (query === 'page=1') list = ['e', ...list];
      return answer;
    });
    expect([given, error]).toEqual([['d', 'c', 'b', 'a'], null]);
  });
});

describe('a walk that did not see everything ends with its error, after the readable rows', () => {
  test.each<[string, string, (query: string) => JsonObject, string[]]>([
    ['loop', 'an address that leads back', () => ({ data: rows('a'), next_page_url: next('page=1') }), ['a']],
    ['loop', 'a cursor that leads back', () => ({ data: rows('a'), next_cursor: 'x' }), ['a']],
    [
      'repeats',
      'pages for ever that bring nothing new',
      (query) => ({ data: rows('a'), next_page_url: next(`page=${Number(query.slice(5)) + 1}`) }),
      ['a'],
    ],
    ['repeats', 'empty pages for ever', () => ({ data: [], has_more: true }), []],
    [
      'short',
      'fewer rows than announced',
      (query) => ({ data: query === 'page=1' ? rows('a') : [], total: '2' }),
      ['a'],
    ],
    [
      'repeats',
      'a page parameter that is ignored',
      () => ({ data: rows('a', 'b'), meta: { total: '40' } }),
      ['a', 'b'],
    ],
    [
      'short',
      'a last page too early',
      () => ({ data: rows('a'), total: '9', current_page: '1', last_page: '1' }),
      ['a'],
    ],
    ['unreadable', 'a row that is no record', () => ({ data: [row('a'), { odd: true }, row('b')] }), ['a', 'b']],
    ['unreadable', 'rows none of which is a record', () => ({ data: [{ odd: true }, 'text'] }), []],
    [
      'unreadable',
      'a page of such rows between others',
      (query) => ({ data: query === 'page=2' ? [{ odd: true }] : rows(query), has_more: query !== 'page=3' }),
      ['page=1', 'page=3'],
    ],
  ])('%s: %s', async (reason, _style, answer, expected) => {
    const { given, error } = await walk(answer);
    expect(given).toEqual(expected);
    expect(error).toMatchObject({ name: 'ListIncompleteError', reason, given: expected.length });
  });

  test('at a limit of pages or items', async () => {
    let id = 0;
    const endless = () => ({ data: rows(String(id++), String(id++)) });
    expect(await walk(endless, { maxPages: 3 })).toMatchObject({
      fetched: { length: 3 },
      error: { name: 'ListLimitError', reason: 'limit', limit: 'pages', reached: 3, given: 6 },
    });
    expect(await walk(endless, { maxItems: 5 })).toMatchObject({
      error: { name: 'ListLimitError', limit: 'items', reached: 5, given: 5 },
    });
  });
});

test('for every style, page size and arrival of new rows: no error means that nothing was missed', async () => {
  const styles = ['bare', 'total', 'numbers', 'address', 'flag', 'lying total', 'cut short'] as const;
  const property = fc.asyncProperty(
    fc.constantFrom(...styles),
    fc.integer({ min: 1, max: 7 }),
    fc.integer({ min: 0, max: 30 }),
    fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
    async (style, pageSize, count, arrivals) => {
      const first = Array.from({ length: count }, (_, index) => `old-${index}`);
      let list = [...first];
      let [calls, made] = [0, 0];
      const { given, error } = await walk((query) => {
        const page = Number(query.slice(5));
        const visible = style === 'cut short' ? list.slice(0, Math.ceil(list.length / 2)) : list;
        const at = (page - 1) * pageSize;
        const data = rows(...visible.slice(at, at + pageSize));
        const last = Math.max(1, Math.ceil(visible.length / pageSize));
        const total = String(style === 'lying total' ? list.length + 1 : list.length);
        for (let n = arrivals[calls++] ?? 0; n > 0; n--) list = [`new-${made++}`, ...list];
        if (style === 'bare') return { data };
        if (style === 'numbers') return { data: { data, current_page: String(page), last_page: String(last), total } };
        if (style === 'address') return { data, next_page_url: page < last ? next(`page=${page + 1}`) : null };
        if (style === 'flag') return { data, has_more: page < last };
        return { data, meta: { total } };
      });
      expect(new Set(given).size).toBe(given.length);
      // Where no page announces another one, only an arrival of whole pages between two requests could hide a row.
      const calm = arrivals.every((n) => n < pageSize);
      const quiet = arrivals.every((n) => n === 0);
      const lies = style === 'lying total' || (style === 'cut short' && count > 1);
      if (error === null && !lies && (style !== 'bare' || calm)) expect(given).toEqual(expect.arrayContaining(first));
      if (!lies && calm) expect(error).toBeNull();
      if (lies && quiet) expect(error).not.toBeNull();
    },
  );
  await fc.assert(property, { numRuns: randomRuns(1_000) });
});

describe('a page that is not there', () => {
  const ofThree = (missing: (query: string) => boolean) => (query: string) =>
    missing(query) ? null : { data: query === 'page=4' ? [] : rows(query) };
  const all = ['page=1', 'page=2', 'page=3'];

  test('is asked for again, and the walk goes on when it comes', async () => {
    let left = 3;
    const { given, error } = await walk(ofThree((query) => query === 'page=2' && left-- > 0));
    expect([given, error]).toEqual([all, null]);
  });

  test('is no end of the list while the page before it is gone as well', async () => {
    let calls = 0;
    const outage = () => ++calls > 2; // from the third request on, every page
    await expect(walk(ofThree(outage))).rejects.toMatchObject({ httpStatus: 404 });
    // A policy that waits until the outage is over finds the rest.
    calls = 0;
    const passing = () => ++calls > 2 && calls < 9;
    const { given, error } = await walk(ofThree(passing), { retry: async () => true });
    expect([given, error]).toEqual([all, null]);
  });

  test('is no end of the list when more rows were announced', async () => {
    const announcing = (query: string) => (query === 'page=3' ? null : { data: rows(query), meta: { total: '9' } });
    await expect(walk(announcing)).rejects.toMatchObject({ httpStatus: 404 });
  });
});

describe('a walk from a later page', () => {
  const pages = (query: string) => ({ data: query === 'page=14' ? [] : rows(query), meta: { total: '13' } });

  test('goes on with the next number, to the end, and onPage names the pages', async () => {
    const read: string[] = [];
    const onPage = (_pages: number, _total: number | null, query: string) => void read.push(query);
    const { given, error } = await walk(pages, { from: 'page=11', onPage });
    expect([given, error]).toEqual([['page=11', 'page=12', 'page=13'], null]);
    expect(read).toEqual([...given, 'page=14']);
  });

  test('takes the total of the list for no measure of what it read', async () => {
    const short = (query: string) => ({ data: query === 'page=3' ? [] : rows(query), meta: { total: '9' } });
    expect((await walk(short)).error?.reason).toBe('short');
    expect((await walk(short, { from: 'page=2' })).error).toBeNull();
  });
});
