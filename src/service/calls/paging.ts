import { canonicalDigest, isObject, type Json, type JsonObject, member, NumberToken } from '../../domain/json.ts';
import { ListIncompleteError, ListLimitError } from '../errors/list-errors.ts';

export interface ListLimits {
  /** Default 1,000. */
  readonly maxPages?: number;
  /** Default 100,000; each one's reference is remembered to notice repetitions. */
  readonly maxItems?: number;
}

/** Limits, and who has a say in how the walk goes. */
export interface ListOptions extends ListLimits {
  /**
   * After each page: how many were read, and how many rows there are in all, when the answer says so. The next one waits
   * for it; what it throws ends the walk.
   */
  readonly onPage?: (pages: number, total: number | null) => void | Promise<void>;
  /** For each row that is left out because it has no reference or status. Default: a warning. */
  readonly onUnreadable?: () => void;
  /** A page could not be fetched: true fetches it again, false ends the walk with that error. Default: ends it. */
  readonly retry?: (error: unknown) => Promise<boolean>;
}

/** What an answer says of the page after it. Of an announced one the query is null where the answer names none we can use. */
export type NextPage =
  | { readonly said: 'none' }
  | { readonly said: 'another'; readonly query: string | null }
  | { readonly said: 'nothing' };

/** One page of a list, in whichever paging style it came. */
export interface Page {
  readonly items: readonly Json[];
  readonly next: NextPage;
  /** How many there are in all, when the answer says so. */
  readonly total: number | null;
}

/** Fetches a page; null when there is none under a number that we only guessed. */
export type FetchPage = (query: string, guessed: boolean) => Promise<Page | null>;

/** New rows push known ones onto the next page, so one page without news ends nothing; so many in a row do. */
const MOST_STALE_PAGES = { announced: 10, unannounced: 3 };

/**
 * Walks a list to its end over every paging style of decision 43: a bare list, `meta.total`, a paginator, a cursor. It
 * ends at the page that says it is the last; where pages say nothing of the next one, at an empty page, at the total, or
 * when they only repeat. No address from an answer is followed: only its query is used, on the same path. Each
 * record comes once, also when new ones shift the pages. Only a walk that saw everything ends without an error.
 *
 * @throws ListIncompleteError when the end was not reached, fewer came than announced, or rows were left out as
 * unreadable (all after what could be read was given); ListLimitError at `maxPages` or `maxItems`
 */
export async function* walkPages<Item>(
  fetchPage: FetchPage,
  itemOf: (value: Json) => { readonly id: string; readonly item: Item } | null,
  { maxPages = 1_000, maxItems = 100_000, onPage, onUnreadable, retry }: ListOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  const asked = new Set<string>();
  let [given, stalePages, announced] = [0, 0, 0];
  let query = 'page=1';
  let guessed = false;
  for (let page = 1; ; page++) {
    if (page > maxPages) throw new ListLimitError('pages', maxPages, given);
    asked.add(query);
    const answer = await fetchedPage(() => fetchPage(query, guessed), retry);
    if (answer === null) break;
    const { items, next, total } = answer;
    // What came in while we walk is not missing: the first page says how many there were.
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
    const turn = turnAfter(answer, seen.size, stalePages);
    if (turn === 'end') break;
    if (turn === 'astray') {
      const detail = `${stalePages} pages in a row brought nothing new and announced more`;
      throw new ListIncompleteError('repeats', given, detail);
    }
    query = (next.said === 'another' ? next.query : null) ?? `page=${page + 1}`;
    guessed = next.said === 'nothing';
    if (asked.has(query)) throw new ListIncompleteError('loop', given, 'a page leads back to one that was read');
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

/** Whether the list ends with this page, goes on after it, or leads nowhere. `seen` counts the rows so far. */
function turnAfter({ items, next, total }: Page, seen: number, stalePages: number): 'end' | 'on' | 'astray' {
  if (next.said === 'none') return 'end';
  if (next.said === 'nothing') {
    // A service that knows no pages gives its whole list under each number.
    const ended = total === null ? stalePages >= MOST_STALE_PAGES.unannounced : seen >= total;
    if (ended || items.length === 0) return 'end';
  }
  return stalePages >= MOST_STALE_PAGES.announced ? 'astray' : 'on';
}

/** The walk came to an end; was that all? */
function requireAll(rows: number, given: number, announced: number): void {
  if (rows < announced) {
    throw new ListIncompleteError('short', given, `it announced ${announced} and ended after ${rows}`);
  }
  if (rows === given) return;
  const what = rows - given === 1 ? 'one row has' : `${rows - given} rows have`;
  throw new ListIncompleteError('unreadable', given, `${what} no reference or status`);
}

const LIST_NAMES = ['data', 'items', 'records', 'results', 'refunds'];

/** Reads a page; null when the answer holds no list at all. */
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

/** Page numbers decide where there are both; else an address, a cursor or a word: one that announces another page is believed. */
function nextOf(sources: readonly JsonObject[], roots: readonly JsonObject[]): NextPage {
  const current = wholeAt(sources, 'current_page');
  const last = wholeAt(sources, 'last_page');
  if (current !== null && last !== null && current >= last) return { said: 'none' };
  const links = roots.map((each) => member(each, 'links')).filter((each) => isObject(each));
  const named = [...sources.map((each) => member(each, 'next_page_url')), ...links.map((each) => member(each, 'next'))];
  const address = named.find((each) => each !== undefined);
  const cursor = textOf(valueAt(sources, ['next_cursor']));
  const word = valueAt(sources, ['has_more', 'hasMore', 'has_next']);
  const query = isText(address)
    ? queryOf(address)
    : isText(cursor)
      ? usable(`cursor=${encodeURIComponent(cursor)}`)
      : null;
  if (isText(address) || isText(cursor) || word === true) return { said: 'another', query };
  if (current !== null && last !== null) return { said: 'another', query: `page=${current + 1}` };
  return { said: [address, cursor, word].some((each) => each !== undefined) ? 'none' : 'nothing' };
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

/** Only the query: the host of an address in an answer may be anybody's (RELIABILITY T24). Null for one without a query. */
function queryOf(address: string): string | null {
  return usable(URL.parse(address, 'https://list.invalid/')?.search.slice(1) ?? '');
}

/** Null for a query that says nothing, or that no server takes. */
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

/** A number may come as text, and a text as a number. */
function textOf(value: Json | undefined): Json | undefined {
  return value instanceof NumberToken ? value.source : value;
}
