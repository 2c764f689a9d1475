import { FIRST_PAGE } from '../../domain/checks/list-walk.ts';
import { TallyhookError } from '../../domain/error.ts';
import { canonicalDigest, type Json } from '../../domain/events/json.ts';
import { ListIncompleteError, ListLimitError } from '../errors/list-errors.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import { kindOf, namesOf, optionalTexts, requireOptions } from './arguments.ts';
import type { Page } from './page.ts';
import { type FetchPage, pageOrEnd, type RetryPage } from './page-fetch.ts';

export interface ListLimits {
  /** Default 1,000. */
  readonly maxPages?: number;
  /** Default 100,000; the reference of each is kept in memory to notice repetitions. */
  readonly maxItems?: number;
}

/** Limits of a walk, and the callbacks that follow it or end it. */
export interface ListOptions extends ListLimits {
  /**
   * The query of the page to begin with, as `onPage` gave it. Default: the first page. Such a walk does not notice that it
   * missed rows, because the total of the list is no measure for it.
   */
  readonly from?: string;
  /**
   * Called after each page with the pages read so far, the number of rows in all where the response states it, and the query of
   * this page. The walk waits for it; an error that it throws ends the walk.
   */
  readonly onPage?: (pages: number, total: number | null, query: string) => void | Promise<void>;
  /** Called for each row that is left out because it has no reference or status. Default: a warning. */
  readonly onUnreadable?: () => void;
  /**
   * The retry policy of the pages, in place of the client's `retries`. Called when a page could not be fetched: true fetches
   * it again, false ends the walk with that error.
   */
  readonly retry?: RetryPage;
}

const OPTIONS = namesOf<ListOptions>({
  maxPages: true,
  maxItems: true,
  from: true,
  onPage: true,
  onUnreadable: true,
  retry: true,
});

/** Refuses options that the types forbid. Throws RequestRefusedError. */
export function requireListOptions(options: ListOptions): void {
  requireOptions(options, OPTIONS);
  optionalTexts({ from: options.from });
  for (const name of ['maxPages', 'maxItems'] as const) {
    const value: unknown = options[name];
    if (value === undefined || (Number.isInteger(value) && Number(value) >= 1)) continue;
    const seen = typeof value === 'number' ? value : kindOf(value);
    throw new RequestRefusedError(name, `is ${seen}, and must be a whole number from 1`);
  }
  for (const name of ['onPage', 'onUnreadable', 'retry'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new RequestRefusedError(name, `is ${kindOf(options[name])}, and must be a function`);
  }
}

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
  { maxPages = 1_000, maxItems = 100_000, from = FIRST_PAGE, onPage, onUnreadable, retry }: ListOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  const fetched = new Set<string>();
  let [given, stalePages, announced] = [0, 0, 0];
  let query = from;
  let previous: string | null = null;
  let guessed = false;
  for (let page = 1; ; page++) {
    if (page > maxPages) throw new ListLimitError('pages', maxPages, given);
    fetched.add(query);
    const mayBeMissing = guessed && seen.size >= announced;
    const current = await pageOrEnd(fetchPage, { query, previous, mayBeMissing }, retry);
    if (current === null) break;
    const { items, next, total } = current;
    // Rows added during the walk do not count as missing: the total of the first page is compared.
    if (page === 1 && from === FIRST_PAGE) announced = total ?? 0;
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
    await onPage?.(page, total, query);
    stalePages = seen.size > before ? 0 : stalePages + 1;
    const turn = turnAfter(current, seen.size, stalePages);
    if (turn === 'end') break;
    if (turn === 'astray') {
      const detail = `${stalePages} pages in a row brought nothing new and announced more`;
      throw new ListIncompleteError('repeats', given, detail);
    }
    previous = query;
    query = (next.kind === 'announced' ? next.query : null) ?? pageAfter(query, page);
    guessed = next.kind === 'unknown';
    if (fetched.has(query)) throw new ListIncompleteError('loop', given, 'a page leads back to one that was read');
  }
  requireAll(seen.size, given, announced);
}

/** Returns the query of the next page by its number; `page` counts the pages of this walk. */
function pageAfter(query: string, page: number): string {
  const number = /(?:^|&)page=(\d{1,9})(?:&|$)/.exec(query)?.[1];
  return `page=${Number(number ?? page) + 1}`;
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

/** Returns the walk. Its JSON, which would be `{}` and read as an empty list, is refused with a TallyhookError. */
export function withoutJson<Item>(walk: AsyncGenerator<Item, void, undefined>, name: string): typeof walk {
  const toJSON = () => {
    const hint = `Collect them: await Array.fromAsync(client.${name})`;
    throw new TallyhookError(`${name} gives its items one by one, and has no JSON.`, { kind: 'usage', hint });
  };
  return Object.defineProperty(walk, 'toJSON', { value: toJSON });
}
