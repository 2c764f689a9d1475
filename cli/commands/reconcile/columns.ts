import { formatAmount, money } from '../../../src/domain/money/amount.ts';
import { remainingMoney } from '../../../src/domain/records/refund-funding.ts';
import type { AuditSum } from '../../../src/reconcile/audit/sums.ts';
import type { EarlyLine } from '../../../src/reconcile/judge/early-lines.ts';
import type { ReconBreak } from '../../../src/reconcile/recon-break.ts';
import { breakName } from '../../../src/reconcile/report/words.ts';
import type { Total, WitnessCount } from '../../../src/reconcile/witnesses/totals.ts';
import type { Transaction } from '../../../src/reconcile/witnesses/transactions.ts';
import type { UnansweredRequest } from '../../../src/store/reconciliation.ts';
import type { Column } from '../../show/table.ts';
import { localTime } from '../../show/text.ts';
import { valueText } from './json.ts';

// The tables of a reconciliation.

const right = { align: 'right' } as const;

export const WITNESS_COLUMNS: readonly Column<WitnessCount>[] = [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'RECORDS', value: ({ records }) => records, ...right },
  { header: 'AGREE', value: ({ agreed }) => agreed, ...right },
  { header: 'SERVICE AHEAD', value: ({ serviceAhead }) => serviceAhead, ...right },
  { header: 'DIFFER', value: ({ differ }) => differ, ...right },
  { header: 'WEBHOOKS ONLY', value: ({ webhooksOnly }) => webhooksOnly, ...right },
  { header: 'SERVICE ONLY', value: ({ serviceOnly }) => serviceOnly, ...right },
];

export const TOTAL_COLUMNS: readonly Column<Total>[] = [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'CURRENCY', value: ({ currency }) => currency },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'RECORDS', value: ({ records }) => records, ...right },
  { header: 'TOTAL', value: ({ total }) => formatAmount(total), ...right },
];

export interface TransactionSum {
  readonly environment: string;
  readonly currency: string | null;
  readonly transactions: number;
  readonly collected: bigint;
  readonly refunded: bigint;
  readonly remaining: bigint;
  /** Transactions whose collection is not known: they are in `refunded` only. */
  readonly unknown: number;
}

/** One row per environment and currency; the list itself is in the other formats. */
export function transactionSums(transactions: readonly Transaction[]): TransactionSum[] {
  const sums = new Map<string, TransactionSum>();
  for (const { environment, currency, collected, refunded } of transactions) {
    const name = JSON.stringify([environment, currency]);
    const before = sums.get(name) ?? { environment, currency, ...NOTHING };
    sums.set(name, {
      ...before,
      transactions: before.transactions + 1,
      collected: before.collected + (collected ?? 0n),
      refunded: before.refunded + refunded,
      remaining: before.remaining + (remainingMoney({ collected, refunded }) ?? 0n),
      unknown: before.unknown + Number(collected === null),
    });
  }
  return [...sums.values()];
}

const NOTHING = { transactions: 0, collected: 0n, refunded: 0n, remaining: 0n, unknown: 0 };

export const TRANSACTION_COLUMNS: readonly Column<TransactionSum>[] = [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'CURRENCY', value: ({ currency }) => currency },
  { header: 'TRANSACTIONS', value: ({ transactions }) => transactions, ...right },
  { header: 'COLLECTED', value: ({ collected }) => money(collected), ...right },
  { header: 'REFUNDED', value: ({ refunded }) => money(refunded), ...right },
  { header: 'REMAINING', value: ({ remaining }) => money(remaining), ...right },
  { header: 'NOT KNOWN', value: ({ unknown }) => unknown, ...right },
];

export const UNANSWERED_COLUMNS = (zone: string): readonly Column<UnansweredRequest>[] => [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'REQUEST', value: ({ kind }) => kind },
  { header: 'REFERENCE', value: ({ reference }) => reference },
  { header: 'BEGUN', value: ({ createdAtMs }) => localTime(zone)(createdAtMs) },
  { header: 'ATTEMPTS', value: ({ attempts }) => attempts, ...right },
];

/** The row of ours, or the line of theirs. */
function about({ kind, reference, line, side }: ReconBreak): string {
  const row = line === null ? '' : `statement ${line.statement} row ${line.row}`;
  if (side === 'theirs' && line !== null) return reference === null ? row : `${reference} (${row})`;
  return `${kind ?? 'statement'} ${reference ?? ''}`.trim();
}

export const BREAK_COLUMNS: readonly Column<ReconBreak>[] = [
  { header: 'ID', value: ({ id }) => id, leaveOut: 5 },
  { header: 'ENV', value: ({ environment }) => environment, leaveOut: 3 },
  { header: 'CODE', value: breakName },
  { header: 'RECORD', value: about },
  { header: 'OURS', value: ({ ours }) => valueText(ours), ...right, leaveOut: 2 },
  { header: 'THEIRS', value: ({ theirs }) => valueText(theirs), ...right, leaveOut: 2 },
  { header: 'VARIANCE', value: ({ variance }) => valueText(variance), ...right, leaveOut: 4 },
  { header: 'EFFECT', value: ({ effect }) => formatAmount(effect), ...right, leaveOut: 4 },
  { header: 'CURRENCY', value: ({ currency }) => currency, leaveOut: 4 },
  { header: 'SINCE', value: ({ firstSeen }) => firstSeen, leaveOut: 1 },
  { header: 'DAYS', value: ({ ageDays }) => ageDays, ...right, leaveOut: 1 },
  { header: 'WHY', value: ({ reason }) => reason, wraps: true },
];

export const EARLY_COLUMNS: readonly Column<EarlyLine>[] = [
  { header: 'ENV', value: ({ environment }) => environment, leaveOut: 1 },
  { header: 'ACCOUNT', value: ({ account }) => account },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'REFERENCE', value: ({ reference }) => reference },
  { header: 'MOVED', value: ({ moved }) => money(moved), ...right },
  { header: 'CURRENCY', value: ({ currency }) => currency },
  { header: 'LINE OF', value: ({ date }) => date },
  { header: 'OURS OF', value: ({ day }) => day },
];

export const CLAIM_COLUMNS: readonly Column<AuditSum>[] = [
  { header: 'ENV', value: ({ environment }) => environment },
  { header: 'CURRENCY', value: ({ currency }) => currency },
  { header: 'OVERCHARGED', value: ({ overcharged }) => money(overcharged), ...right },
  { header: 'UNDERCHARGED', value: ({ undercharged }) => money(undercharged), ...right },
];
