import { isObject, type Json, type JsonObject, member, NumberToken } from '../../domain/events/json.ts';

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
