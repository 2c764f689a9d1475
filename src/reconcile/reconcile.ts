import { compareTexts } from '../domain/observation.ts';
import type { ReconciliationArchive, RecordGroup, UnansweredRequest } from '../store/reconciliation.ts';
import { duplicatePayouts } from './duplicates.ts';
import { unseenExpectations } from './expectations.ts';
import { compareItems, type Item } from './item.ts';
import { type ReconcileOrder, type Span, spanOf } from './order.ts';
import { type Reserve, reservesAt } from './reserves.ts';
import { groupOf, type Total, totalsOf, type WitnessCount, witnessCounts } from './totals.ts';
import { refundedTransactions, type Transaction } from './transactions.ts';
import { type AtRisk, valueAtRisk } from './value-at-risk.ts';
import { compareWitnesses } from './witnesses.ts';

/** What a run found. Lists are in their order for reports. */
export interface Reconciliation {
  readonly span: Span;
  readonly breaks: readonly Item[];
  /** Not due yet: never an exception. */
  readonly timing: readonly Item[];
  /** The service cannot be asked about them. */
  readonly notConfirmed: readonly Item[];
  readonly witnesses: readonly WitnessCount[];
  readonly totals: readonly Total[];
  /** The money of records with a break, each record once. */
  readonly atRisk: readonly AtRisk[];
  readonly reserves: readonly Reserve[];
  readonly transactions: readonly Transaction[];
  /** Sent, or about to be, and never answered. */
  readonly unanswered: readonly UnansweredRequest[];
}

/**
 * Compares what webhooks reported with what the service confirmed, for the records of a period, and proves the funding of
 * refunds. The same store, order and as-at time give the same result for every order of arrival.
 */
export async function reconcile(archive: ReconciliationArchive, order: ReconcileOrder): Promise<Reconciliation> {
  const span = spanOf(order);
  const witnessed = await compareWitnesses(archive, span);
  const expected = await unseenExpectations(archive, span);
  const duplicates = await duplicatePayouts(archive, span);
  const { transactions, breaks: overRefunded } = await refundedTransactions(archive, span);
  const groups: RecordGroup[] = witnessed.later.map(groupOf);
  for (const kind of order.kinds) groups.push(...(await archive.recordGroups(kind, { ...span.period, by: 'status' })));
  const breaks = [...witnessed.breaks, ...expected.breaks, ...duplicates, ...overRefunded].sort(compareItems);
  return {
    span,
    breaks,
    timing: [...witnessed.timing, ...expected.timing].sort(compareItems),
    notConfirmed: witnessed.notConfirmed.sort(compareItems),
    witnesses: witnessCounts(groups),
    totals: totalsOf(groups),
    atRisk: valueAtRisk(breaks),
    reserves: await reservesAt(archive, span),
    transactions,
    unanswered: await unansweredOf(archive, span),
  };
}

async function unansweredOf(archive: ReconciliationArchive, { order, period }: Span): Promise<UnansweredRequest[]> {
  const all = await archive.unansweredRequests(period);
  const name = ({ environment, kind, reference, key }: UnansweredRequest) =>
    `${environment} ${kind} ${reference} ${key}`;
  return all
    .filter(({ kind }) => order.kinds.includes(kind))
    .sort((one, other) => one.createdAtMs - other.createdAtMs || compareTexts(name(one), name(other)));
}
