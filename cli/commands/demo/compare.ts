import { formatAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { type CountedAmount, countedAmount } from '../../../src/domain/records/witness-money.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { RecordSummary } from '../../../src/store/records.ts';

/** One record on which the receiver and the books of the service disagree, and the fault that explains it. */
export interface Difference {
  readonly record: string;
  readonly receiver: string;
  readonly service: string;
  /** Null when no planted fault explains it: then the program has a defect. */
  readonly because: string | null;
}

export interface BookRow {
  readonly reference: string;
  readonly status: string;
  readonly amount: string;
}

const PAGE = { limit: 1_000, order: 'oldest' } as const;

/** Compares the status and amount of every record with the books: `by` the webhooks, or the answers of the service. */
export async function compareBooks(
  archive: Archive,
  sandbox: Sandbox,
  by: 'reported' | 'confirmed',
): Promise<{ records: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let records = 0;
  for (const kind of RECORD_KINDS) {
    const kept = new Map((await archive.records(kind, {}, PAGE)).map((record) => [record.reference, record]));
    for (const row of bookRows(sandbox, kind)) {
      records++;
      const service = `${row.status} ${row.amount}`;
      const receiver = statusAndAmount(kept.get(row.reference), by);
      kept.delete(row.reference);
      if (receiver === service) continue;
      differences.push({
        record: `${kind} ${row.reference}`,
        receiver,
        service,
        because: causeOf(sandbox, row.reference),
      });
    }
    for (const [reference, record] of kept) {
      differences.push({
        record: `${kind} ${reference}`,
        receiver: statusAndAmount(record, by),
        service: 'nothing',
        because: null,
      });
    }
  }
  return { records, differences };
}

/** The records of a kind in the books of the service. */
export function bookRows(sandbox: Sandbox, kind: RecordKind): BookRow[] {
  const row = (reference: string, status: string, amount: string): BookRow => ({
    reference,
    status,
    amount: exact(amount),
  });
  return {
    refund: () => sandbox.refunds().map((one) => row(one.refund_reference, one.status, one.amount)),
    payout: () => sandbox.payouts().map((one) => row(one.reference, one.status, one.amount)),
    collection: () => sandbox.collections().map((one) => row(one.reference, one.status, one.requested_amount)),
  }[kind]();
}

function statusAndAmount(record: RecordSummary | undefined, by: 'reported' | 'confirmed'): string {
  const status = record?.[by] ?? null;
  if (record === undefined || status === null) return 'nothing';
  const { amount } = by === 'confirmed' ? countedAmount(record) : agreedAmount(record);
  // Without an amount: the witnesses do not agree about it.
  return `${status} ${amount === null ? '?' : formatAmount(amount)}`;
}

/** The amount before the service is asked. */
function agreedAmount(record: RecordSummary): CountedAmount {
  return countedAmount({ ...record, money: { reported: record.money.reported, confirmed: {} } });
}

function exact(text: string): string {
  return formatAmount(parseAmount(text));
}

/** The faults that were planted in the webhooks of a reference; null without one. */
export function causeOf(sandbox: Sandbox, reference: string): string | null {
  const faults = sandbox.plantedFaults().filter((fault) => fault.reference === reference);
  return faults.length === 0 ? null : faults.map((fault) => `${fault.target} ${fault.note}`).join('; ');
}
