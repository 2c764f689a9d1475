import { canonicalDigest, isObject, type Json, type JsonObject, member, NumberToken } from '../../domain/json.ts';
import { ListIncompleteError, ListLimitError } from '../errors/list-errors.ts';

export interface ListLimits {
  /** Default 1,000. */
  readonly maxPages?: number;
  /** Default 100,000; the reference of each is kept in memory to notice repetitions. */
  readonly maxItems?: number;
}

/** Limits of a walk, and the callbacks that follow it or end it. */
export interface ListOptions extends ListLimits {
  /**
   * Called after each page with the pages read so far, and the number of rows in all where the response states it. The walk
   * waits for it; an error that it throws ends the walk.
   */
  readonly onPage?: (pages: number, total: number | null) => void | Promise<void>;
  /** Called for each row that is left out because it has no reference or status. Default: a warning. */
  readonly onUnreadable?: () => void;
  /**
   * The retry policy of the pages, in place of the client's `retries`. Called when a page could not be fetched: true fetches
   * it again, false ends the walk with that error.
   */
  readonly retry?: (error: unknown) => Promise<boolean>;
}

/** What a response states about the page after it. The query of an announced page is null where none that we can use is named. */
export type NextPage =
  | { readonly kind: 'last' }
  | { readonly kind: 'announced'; readonly query: string | null }
  | { readonly kind: 'unknown' };

/** One page of a list, of any paging style. */
export interface Page {
  readonly items: readonly Json[];
  readonly next: NextPage;
  /** Number of rows in all; null where the response does not state it. */
  readonly total: number | null;
}

/** Fetches a page; null when there is none under a page number that was guessed. */
export type FetchPage = (query: string, guessed: boolean) => Promise<Page | null>;

/** Pages in a row without a new row that end the walk. New rows push known ones onto the next page, so one page is not enough. */
const MOST_STALE_PAGES = { announced: 10, unannounced: 3 };

/**
 * Walks a list to its end over every paging style of decision 43: a bare list, `meta.total`, a paginator, a cursor. It
 * ends at the page marked as the last; where pages state nothing about the next one, at an empty page, at the total, or
 * when they only repeat. No address from a response is followed: only its query is used, on the same path. Each record is
 * given once, even when new ones shift the pages. Only a walk that saw everything ends without an error.
 *
 * @throws ListIncompleteError when the end was not reached, fewer rows came than announced, or rows were left out as
 * unreadable (the readable rows were given before); ListLimitError at `maxPages` or `maxItems`
 */
export async function* walkPages<Item>(
  fetchPage: FetchPage,
  itemOf: (value: Json) => { readonly id: string; readonly item: Item } | null,
  { maxPages = 1_000, maxItems = 100_000, onPage, onUnreadable, retry }: ListOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  const fetched = new Set<string>();
  let [given, stalePages, announced] = [0, 0, 0];
  let query = 'page=1';
  let guessed = false;
  for (let page = 1; ; page++) {
    if (page > maxPages) throw new ListLimitError('pages', maxPages, given);
    fetched.add(query);
    const current = await fetchedPage(() => fetchPage(query, guessed), retry);
    if (current === null) break;
    const { items, next, total } = current;
    // Rows added during the walk do not count as missing: the total of the first page is compared.
    if (page === 1) announced = total ?? 0;
    const before = seen.size;
    for (const value of items) {
      const found = itemOf(value);
      const identity = found === null ? `unreadable ${canonicalDigest(value)}` : `id ${found.id}`;
      if (seen.has(identity)) continue;
      if (seen.size >= maxItems) throw new ListLimitError('items', maxItems, given);
      seen.add(identity);
      if (found === null) {
        onUnreadable?.();
        continue;
      }
      given++;
      yield found.item;
    }
    await onPage?.(page, total);
    stalePages = seen.size > before ? 0 : stalePages + 1;
    const turn = turnAfter(current, seen.size, stalePages);
    if (turn === 'end') break;
    if (turn === 'astray') {
      const detail = `${stalePages} pages in a row brought nothing new and announced more`;
      throw new ListIncompleteError('repeats', given, detail);
    }
    query = (next.kind === 'announced' ? next.query : null) ?? `page=${page + 1}`;
    guessed = next.kind === 'unknown';
    if (fetched.has(query)) throw new ListIncompleteError('loop', given, 'a page leads back to one that was read');
  }
  requireAll(seen.size, given, announced);
}

async function fetchedPage(fetchPage: () => Promise<Page | null>, retry: ListOptions['retry']): Promise<Page | null> {
  for (;;) {
    try {
      return await fetchPage();
    } catch (error) {
      if (retry === undefined || !(await retry(error))) throw error;
    }
  }
}

/** Whether the list ends with this page, goes on after it, or only repeats itself. `seen` counts the rows so far. */
function turnAfter({ items, next, total }: Page, seen: number, stalePages: number): 'end' | 'on' | 'astray' {
  if (next.kind === 'last') return 'end';
  if (next.kind === 'unknown') {
    // A service without paging returns its whole list under each page number.
    const ended = total === null ? stalePages >= MOST_STALE_PAGES.unannounced : seen >= total;
    if (ended || items.length === 0) return 'end';
  }
  return stalePages >= MOST_STALE_PAGES.announced ? 'astray' : 'on';
}

/** Throws ListIncompleteError unless every announced row came and could be read. */
function requireAll(rows: number, given: number, announced: number): void {
  if (rows < announced) {
    throw new ListIncompleteError('short', given, `it announced ${announced} and ended after ${rows}`);
  }
  if (rows === given) return;
  const what = rows - given === 1 ? 'one row has' : `${rows - given} rows have`;
  throw new ListIncompleteError('unreadable', given, `${what} no reference or status`);
}

const LIST_NAMES = ['data', 'items', 'records', 'results', 'refunds'];

/** Returns the page in a response; null when it holds no list. */
export function readPage(root: JsonObject): Page | null {
  const data = member(root, 'data');
  const paginator = isObject(data) ? data : root;
  const items = listIn(root) ?? (isObject(data) ? listIn(data) : null);
  if (items === null) return null;
  const sources = [paginator, root, member(root, 'meta'), member(paginator, 'meta')].filter((each) => isObject(each));
  return { items, next: nextOf(sources, [root, paginator]), total: wholeAt(sources, 'total') };
}

function listIn(source: JsonObject): readonly Json[] | null {
  for (const name of LIST_NAMES) {
    const value = member(source, name);
    if (Array.isArray(value)) return value;
  }
  return null;
}

/** Page numbers decide that a page is the last; else any address, cursor or flag that announces another page counts. */
function nextOf(sources: readonly JsonObject[], roots: readonly JsonObject[]): NextPage {
  const current = wholeAt(sources, 'current_page');
  const last = wholeAt(sources, 'last_page');
  if (current !== null && last !== null && current >= last) return { kind: 'last' };
  const links = roots.map((each) => member(each, 'links')).filter((each) => isObject(each));
  const named = [...sources.map((each) => member(each, 'next_page_url')), ...links.map((each) => member(each, 'next'))];
  const address = named.find((each) => each !== undefined);
  const cursor = textOf(valueAt(sources, ['next_cursor']));
  const flag = valueAt(sources, ['has_more', 'hasMore', 'has_next']);
  const query = isText(address)
    ? queryOf(address)
    : isText(cursor)
      ? usable(`cursor=${encodeURIComponent(cursor)}`)
      : null;
  if (isText(address) || isText(cursor) || flag === true) return { kind: 'announced', query };
  if (current !== null && last !== null) return { kind: 'announced', query: `page=${current + 1}` };
  return { kind: [address, cursor, flag].some((each) => each !== undefined) ? 'last' : 'unknown' };
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

/** Returns only the query of an address: its host is not trusted (RELIABILITY T24). Null for one without a query. */
function queryOf(address: string): string | null {
  return usable(URL.parse(address, 'https://list.invalid/')?.search.slice(1) ?? '');
}

/** Null for a query that is empty, or longer than servers accept. */
function usable(query: string): string | null {
  return query === '' || query.length > 2_000 ? null : query;
}

function valueAt(sources: readonly JsonObject[], names: readonly string[]): Json | undefined {
  return sources.flatMap((source) => names.map((name) => member(source, name))).find((each) => each !== undefined);
}

function wholeAt(sources: readonly JsonObject[], name: string): number | null {
  for (const source of sources) {
    const value = member(source, name);
    const text = textOf(value);
    if (typeof text === 'string' && /^\d{1,12}$/.test(text)) return Number(text);
  }
  return null;
}

/** Services write numbers as text, and texts as numbers. */
function textOf(value: Json | undefined): Json | undefined {
  return value instanceof NumberToken ? value.source : value;
}
