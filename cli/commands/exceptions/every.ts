import type { Cursor } from '../../../src/store/cursor.ts';
import type { Exception, ExceptionArchive, ExceptionFilter } from '../../../src/store/exceptions.ts';
import type { RowPage } from '../../../src/store/reconciliation.ts';

/** Rows of one read. */
const AT_ONCE = 1_000;

/** Returns all exceptions of a filter, in their order. */
export async function everyException(
  archive: Pick<ExceptionArchive, 'exceptions'>,
  filter: ExceptionFilter,
): Promise<Exception[]> {
  const all: Exception[] = [];
  for (let after: Cursor | null = null; ; ) {
    const page: RowPage<Exception> = await archive.exceptions(filter, { after, limit: AT_ONCE });
    all.push(...page.rows);
    after = page.next;
    if (after === null) return all;
  }
}
