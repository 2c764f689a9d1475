import type { Item } from '../../domain/reconciling/break.ts';
import { perKind } from '../../domain/records/lifecycle.ts';
import type { ExceptionArchive, HeldRecordException } from '../../store/exceptions.ts';
import { knownOf, type ReconciliationArchive } from '../../store/reconciliation.ts';
import { Closings } from '../load/closed.ts';
import type { Span } from '../load/order.ts';
import { itemId } from '../recon-break.ts';
import { eachAsCopy, payoutTwins } from '../witnesses/duplicates.ts';
import { unseenExpectations } from '../witnesses/expectations.ts';
import { moneyOf } from '../witnesses/item-maker.ts';
import { refundedTransactions } from '../witnesses/transactions.ts';
import { witnessJudge } from '../witnesses/witnesses.ts';

/** Exceptions of earlier days about records, as a run of later days finds them. */
export interface HeldFindings {
  /** Their breaks that are still there. */
  readonly found: readonly Item[];
  /** Ids of those whose break is there no more. */
  readonly gone: readonly string[];
}

/**
 * Looks again for the breaks of exceptions about records that were carried out of earlier days, or are claims of a closed period: no run
 * of later days compares these records otherwise, and none of their own days is kept once their period is closed. What is read grows with
 * these exceptions, not with the records of those days. A run of one account or leg says nothing of them.
 */
export async function judgeHeld(
  archive: Pick<ExceptionArchive, 'heldRecordExceptions'> & ReconciliationArchive,
  span: Span,
  /** Of the run itself. */
  breaks: readonly Item[],
): Promise<HeldFindings> {
  const { account, leg, from } = span.order;
  if (account !== undefined || leg !== undefined) return { found: [], gone: [] };
  const all = await archive.heldRecordExceptions(from);
  const held = new Map(all.filter((one) => isJudged(one, span)).map((one) => [one.id, one]));
  if (held.size === 0) return { found: [], gone: [] };
  const ofRun = new Set(breaks.filter(({ place }) => place === null).map(itemId));
  const found = new Map<string, Item>();
  for (const item of await breaksNow(archive, span, [...held.values()])) {
    const id = itemId(item);
    if (held.has(id) && !ofRun.has(id)) found.set(id, item);
  }
  const gone = [...held.keys()].filter((id) => !found.has(id) && !ofRun.has(id));
  return { found: [...found.values()], gone };
}

/** A claim of days that are not closed is judged by a run of these days. */
function isJudged({ kind, environment, date, firstSeen, isClaim }: HeldRecordException, span: Span): boolean {
  const { order } = span;
  if (!order.kinds.includes(kind) || firstSeen > span.judgedDay) return false;
  if (order.environment !== undefined && order.environment !== environment) return false;
  if (!isClaim) return true;
  const closing = new Closings(order.closed ?? [], order, order.asAtMs).ofRecords(environment, []);
  return closing !== null && date <= closing.to;
}

/** Every break that one of these may be, as the run knows the records. */
async function breaksNow(
  archive: ReconciliationArchive,
  span: Span,
  held: readonly HeldRecordException[],
): Promise<Item[]> {
  const found = await witnessed(archive, span, held);
  const ever: Span = { ...span, period: { ...span.period, fromMs: 0 } };
  if (held.some(({ sub }) => sub === 'never_seen')) found.push(...(await unseenExpectations(archive, ever)).breaks);
  if (held.some(({ code }) => code === 'duplicate_internal')) {
    // Which of them has the line, only a run of their own days knows.
    const copied = eachAsCopy(await payoutTwins(archive, ever), ever);
    found.push(...copied.flatMap(({ item, when }) => (when === 'now' ? [item] : [])));
  }
  if (held.some(({ sub }) => sub === 'over_refunded')) {
    found.push(...(await refundedTransactions(archive, ever)).breaks);
  }
  return found;
}

async function witnessed(
  archive: ReconciliationArchive,
  span: Span,
  held: readonly HeldRecordException[],
): Promise<Item[]> {
  const found: Item[] = [];
  const judge = await witnessJudge(archive, span);
  const { asAtMs } = span.period;
  const idsOf = perKind((wanted) => [
    ...new Set(held.flatMap(({ kind, recordId }) => (kind === wanted && recordId !== null ? [recordId] : []))),
  ]);
  for (const kind of span.order.kinds) {
    for await (const record of knownOf(archive, { kind, ids: idsOf[kind], asAtMs })) {
      if (record.seen) found.push(...judge({ ...record, ...moneyOf(record) }, record).breaks);
    }
  }
  return found;
}
