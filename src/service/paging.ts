import { isObject, type Json, type JsonObject, member, NumberToken } from '../domain/json.ts';
import { ListLimitError } from './errors/usage-errors.ts';

export interface ListLimits {
  /** Default 1,000. */
  readonly maxPages?: number;
  /** Default 100,000; each one's reference is remembered to notice repetitions. */
  readonly maxItems?: number;
}

/** One page of a list, in whichever paging style it came. */
export interface Page {
  readonly items: readonly Json[];
  /** Query of the next page; null when the answer says that this is the last one, undefined when it does not say. */
  readonly next: string | null | undefined;
  /** How many there are in all, when the answer says so. */
  readonly total: number | null;
}

/**
 * Walks a list to its end over every paging style of decision 43: a bare list, `meta.total`, a paginator, a cursor. It
 * stops at an empty page, at the last page, at the total, and where pages repeat. No address from an answer is followed:
 * only its query is used, on the same path. Each record comes once, also when new ones shift the pages.
 *
 * @throws ListLimitError when `maxPages` or `maxItems` is reached before the end
 */
export async function* walkPages<Item>(
  fetchPage: (query: string) => Promise<Page>,
  itemOf: (value: Json) => { readonly id: string; readonly item: Item } | null,
  { maxPages = 1_000, maxItems = 100_000 }: ListLimits = {},
): AsyncGenerator<Item, void, undefined> {
  const seenItems = new Set<string>();
  const seenQueries = new Set<string>();
  let query = 'page=1';
  for (let page = 1; page <= maxPages; page++) {
    seenQueries.add(query);
    const { items, next, total } = await fetchPage(query);
    let fresh = 0;
    for (const value of items) {
      const found = itemOf(value);
      if (found === null || seenItems.has(found.id)) continue;
      if (seenItems.size >= maxItems) throw new ListLimitError('items', maxItems);
      seenItems.add(found.id);
      fresh++;
      yield found.item;
    }
    const ended = items.length === 0 || fresh === 0 || next === null;
    // A total that we have reached is the end; one that we have not is only a hint.
    if (ended || (total !== null && seenItems.size >= total)) return;
    query = next ?? `page=${page + 1}`;
    if (seenQueries.has(query)) return;
  }
  throw new ListLimitError('pages', maxPages);
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

function nextOf(sources: readonly JsonObject[], roots: readonly JsonObject[]): string | null | undefined {
  const current = wholeAt(sources, 'current_page');
  const last = wholeAt(sources, 'last_page');
  if (current !== null && last !== null && current >= last) return null;
  const links = roots.map((each) => member(each, 'links')).filter((each) => isObject(each));
  const named = [...sources.map((each) => member(each, 'next_page_url')), ...links.map((each) => member(each, 'next'))];
  const address = named.find((each) => each !== undefined);
  if (typeof address === 'string' && address !== '') return queryOf(address);
  if (address !== undefined) return null;
  const cursor = sources.map((each) => member(each, 'next_cursor')).find((each) => each !== undefined);
  if (typeof cursor === 'string' && cursor !== '') return `cursor=${encodeURIComponent(cursor.slice(0, 1_000))}`;
  return cursor === undefined ? undefined : null;
}

/** Only the query: the host of an address in an answer may be anybody's (RELIABILITY T24). */
function queryOf(address: string): string | undefined {
  const query = URL.parse(address.slice(0, 2_000), 'https://list.invalid/')?.search.slice(1);
  return query === undefined || query === '' ? undefined : query;
}

function wholeAt(sources: readonly JsonObject[], name: string): number | null {
  for (const source of sources) {
    const value = member(source, name);
    const text = value instanceof NumberToken ? value.source : value;
    if (typeof text === 'string' && /^\d{1,12}$/.test(text)) return Number(text);
  }
  return null;
}
