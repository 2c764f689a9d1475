import { formatAmount } from '../../src/domain/money/amount.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { countedAmount, countedMoney, FEE_FIELD } from '../../src/domain/records/witness-money.ts';
import type { RecordSummary } from '../../src/store/records.ts';
import { type Column, note } from './output.ts';
import { fieldText, type Shown } from './record.ts';
import { day, timeHeader, timeInColumn } from './text.ts';

// Records as rows of a table.

/** The other party of a record, or what it belongs to. */
export const PARTY = {
  refund: { field: 'transactionReference', header: 'TRANSACTION' },
  payout: { field: 'accountNumber', header: 'ACCOUNT' },
  collection: { field: 'customerEmail', header: 'CUSTOMER' },
} as const satisfies Record<RecordKind, { field: string; header: string }>;

export function partyOf({ kind, facts, details }: RecordSummary, shown: Shown): string | null {
  const name = PARTY[kind].field;
  return fieldText(name, facts[name] ?? details[name] ?? null, shown);
}

/** Columns of a list of one kind; on a narrow terminal reference, statuses and amount stay longest. */
export function recordColumns(kind: RecordKind, shown: Shown): Column<RecordSummary>[] {
  return [
    { header: 'ID', value: ({ id }) => id, align: 'right', leaveOut: 5 },
    { header: 'ENV', value: ({ environment }) => environment, leaveOut: 3 },
    { header: 'REFERENCE', value: ({ reference }) => reference },
    { header: 'REPORTED', value: ({ reported }) => reported },
    { header: 'CONFIRMED', value: ({ confirmed }) => confirmed },
    { header: 'AMOUNT', value: amountText, align: 'right' },
    { header: 'FEE', value: feeText, align: 'right', leaveOut: 2 },
    { ...timeHeader('DATE'), value: ({ effectiveAtMs }) => day(effectiveAtMs), leaveOut: 1 },
    { header: PARTY[kind].header, value: (record) => partyOf(record, shown), leaveOut: 6 },
    { header: 'FINDINGS', value: ({ openFindings }) => openFindings, align: 'right', leaveOut: 4 },
    { header: 'CHANGED', value: ({ changedAtMs }) => timeInColumn(changedAtMs), leaveOut: 7 },
  ];
}

/** `5.00 USD`, or `5.00* USD` where the service gave it and another observation differs. */
function amountText(record: RecordSummary): string | null {
  const { amount, currency, disputed } = countedAmount(record);
  if (amount === null) return null;
  return `${formatAmount(amount)}${disputed ? '*' : ''}${currency === null ? '' : ` ${currency}`}`;
}

function feeText(record: RecordSummary): string | null {
  const fee = countedMoney(record, FEE_FIELD[record.kind]);
  return fee === null ? null : formatAmount(fee);
}

export function isDisputed(record: RecordSummary): boolean {
  return countedAmount(record).disputed;
}

/** Explains the mark of disputed amounts. */
export function noteDisputes(): void {
  note("* The service's own amount; another observation differs. See: tallyhook findings");
}
