import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cursor } from '../../../cursor.ts';
import type { RowPage } from '../../../reconciliation.ts';
import { cursorOf, idOf } from '../../rows/cursor.ts';
import type { IdRange } from '../scan.ts';
import { WINDOW } from './fragments.ts';

/** Reads the next window of a table's ids; other work of the process has its turn first. */
export async function nextWindow<Row>(
  after: Cursor | null,
  lastId: () => number,
  read: (range: IdRange) => Row[],
): Promise<RowPage<Row>> {
  await nextTurn();
  const first = idOf(after) + 1;
  const last = first + WINDOW - 1;
  return { rows: read({ first, last }), next: last < lastId() ? cursorOf(last) : null };
}
