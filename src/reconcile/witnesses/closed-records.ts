import type { Environment } from '../../domain/environment.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { ExceptionArchive, ExceptionProgress } from '../../store/exceptions.ts';
import { progressOf } from '../exceptions/progress.ts';
import { type Closing, Closings } from '../load/closed.ts';
import type { Span } from '../load/order.ts';
import { itemId } from '../recon-break.ts';

/*
 * Breaks about records of closed days that came up after the close: a refund that was due later, a webhook that contradicts since. No
 * run of their own days is kept any more, so a run of later days lists each, where it came up.
 */

export type ClosedRecordArchive = Pick<ExceptionArchive, 'exceptionProgress' | 'heldRecordExceptions'>;

/** Which records of closed days a run looks at besides its own. */
export interface ClosedRecords {
  /** Nothing before it is closed. */
  readonly fromMs: number;
  /** Whether a record with this effective time, before the run, is of a closed day. */
  readonly has: (environment: Environment, effectiveAtMs: number) => boolean;
}

export function closedRecordsOf({ order, days, period }: Span): ClosedRecords {
  const closings = closingsOf(order);
  const firstMs = closings.firstDay === null ? period.fromMs : days.startOf(closings.firstDay);
  return {
    fromMs: Math.min(firstMs, period.fromMs),
    has(environment, effectiveAtMs) {
      const day = days.dayOf(effectiveAtMs);
      return closings.hasRecords(environment, day);
    },
  };
}

/**
 * Those of the breaks that a run of these days lists: it has the day on which each came up or, where that day is closed, the first open
 * one; and no person decided about it before the close.
 */
export async function sinceClose(
  archive: ClosedRecordArchive,
  { order }: Span,
  found: readonly Item[],
): Promise<Item[]> {
  const closings = closingsOf(order);
  const here = found.flatMap((item) => {
    const closing = closings.ofRecords(item.environment, []);
    return closing !== null && standsIn(order, item, closing) ? [{ item, closing }] : [];
  });
  if (here.length === 0) return [];
  const held = await archive.heldRecordExceptions(order.from);
  const carried = new Set(held.filter(({ isCarried }) => isCarried).map(({ id }) => id));
  const progress = await progressOf(
    archive,
    here.map(({ item }) => itemId(item)),
  );
  return here.flatMap(({ item, closing }) => {
    const id = itemId(item);
    return carried.has(id) || isDecided(progress.get(id), closing) ? [] : [item];
  });
}

function closingsOf(order: Span['order']): Closings {
  return new Closings(order.closed ?? [], order, order.asAtMs);
}

function standsIn({ from, to }: Span['order'], { firstSeen }: Item, { postsOn }: Closing): boolean {
  const day = firstSeen > postsOn ? firstSeen : postsOn;
  return from <= day && day <= to;
}

function isDecided(progress: ExceptionProgress | undefined, { decidedUntilMs }: Closing): boolean {
  return progress?.status === 'resolved' && progress.resolvedAtMs !== null && progress.resolvedAtMs <= decidedUntilMs;
}
