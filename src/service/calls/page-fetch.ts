import { RefusedError } from '../errors/service-error.ts';
import type { Page } from './page.ts';

/** Fetches a page; throws RefusedError (404) when there is none under this query. */
export type FetchPage = (query: string) => Promise<Page>;

/** Called when a page could not be fetched: true fetches it again, false ends the walk with that error. */
export type RetryPage = (error: unknown) => Promise<boolean>;

/** Where a page stands in a walk. */
export interface PagePlace {
  readonly query: string;
  /** Null for the first page of the walk. */
  readonly previous: string | null;
  /** The page may not exist: its number was guessed, and no total says that rows are left. */
  readonly mayBeMissing: boolean;
}

/** How often a page must be missing in a row before it counts as not there: a proxy's 404 passes. */
const TIMES_MISSING = 4;

/**
 * Returns a page; null when the list ends before it. A 404 is the end only if it stays while the page before it is still
 * there: during an outage a proxy may answer every page with 404.
 */
export async function pageOrEnd(fetchPage: FetchPage, place: PagePlace, retry?: RetryPage): Promise<Page | null> {
  const { query, previous, mayBeMissing } = place;
  if (!mayBeMissing || previous === null) return untilFetched(() => fetchPage(query), retry);
  for (let missing = 1; ; missing++) {
    try {
      return await untilFetched(
        () => fetchPage(query),
        async (error) => !isMissing(error) && (await again(error, retry)),
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (missing === TIMES_MISSING) return null;
      if (retry !== undefined && !(await retry(error))) throw error;
    }
    await untilFetched(() => fetchPage(previous), retry);
  }
}

async function untilFetched(fetchOnce: () => Promise<Page>, retry?: RetryPage): Promise<Page> {
  for (;;) {
    try {
      return await fetchOnce();
    } catch (error) {
      if (!(await again(error, retry))) throw error;
    }
  }
}

async function again(error: unknown, retry?: RetryPage): Promise<boolean> {
  return retry !== undefined && (await retry(error));
}

function isMissing(error: unknown): boolean {
  return error instanceof RefusedError && error.httpStatus === 404;
}
