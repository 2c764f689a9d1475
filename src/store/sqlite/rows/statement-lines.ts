import type { LineType } from '../../../domain/statements/lines.ts';
import type { StatementLine, UnparsedRow } from '../../../domain/statements/statement.ts';

/** A line as its row holds it. Integers are bigint: an amount may need all 64 bits. */
export interface LineRow {
  readonly row: bigint;
  readonly date: string;
  readonly value_date: string | null;
  readonly happened_at: bigint | null;
  readonly type: LineType | null;
  readonly type_text: string;
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly principal_minor: bigint;
  readonly fee_minor: bigint | null;
  readonly tax_minor: bigint | null;
  readonly duty_minor: bigint | null;
  readonly balance_minor: bigint | null;
  readonly reference: string | null;
  readonly session_id: string | null;
  readonly transaction_reference: string | null;
  readonly group_name: string | null;
  readonly text: string | null;
  readonly counterparty: string | null;
  readonly fingerprint: Buffer;
  readonly occurrence: bigint;
}

/** What a line says: the same in every statement that shows it. */
export const LINE_COLUMNS = [
  'date',
  'value_date',
  'happened_at',
  'type',
  'type_text',
  'currency',
  'amount_minor',
  'principal_minor',
  'fee_minor',
  'tax_minor',
  'duty_minor',
  'reference',
  'session_id',
  'transaction_reference',
  'group_name',
  'text',
  'counterparty',
  'fingerprint',
  'occurrence',
] as const;

/** A fingerprint as it is kept: 32 bytes instead of 64 digits. */
export const fingerprintBytes = (fingerprint: string): Buffer => Buffer.from(fingerprint, 'hex');

export function lineFromRow(row: LineRow): StatementLine {
  return {
    row: Number(row.row),
    fingerprint: row.fingerprint.toString('hex'),
    occurrence: Number(row.occurrence),
    date: row.date,
    valueDate: row.value_date,
    atMs: row.happened_at === null ? null : Number(row.happened_at),
    type: row.type,
    typeText: row.type_text,
    currency: row.currency,
    amount: row.amount_minor,
    principal: row.principal_minor,
    fee: row.fee_minor,
    tax: row.tax_minor,
    duty: row.duty_minor,
    balance: row.balance_minor,
    reference: row.reference,
    sessionId: row.session_id,
    transactionReference: row.transaction_reference,
    group: row.group_name,
    text: row.text,
    counterparty: row.counterparty,
  };
}

export function rowFromLine(line: StatementLine): Omit<LineRow, 'row' | 'occurrence' | 'happened_at'> & {
  readonly row: number;
  readonly occurrence: number;
  readonly happened_at: number | null;
} {
  return {
    row: line.row,
    date: line.date,
    value_date: line.valueDate,
    happened_at: line.atMs,
    type: line.type,
    type_text: line.typeText,
    currency: line.currency,
    amount_minor: line.amount,
    principal_minor: line.principal,
    fee_minor: line.fee,
    tax_minor: line.tax,
    duty_minor: line.duty,
    balance_minor: line.balance,
    reference: line.reference,
    session_id: line.sessionId,
    transaction_reference: line.transactionReference,
    group_name: line.group,
    text: line.text,
    counterparty: line.counterparty,
    fingerprint: fingerprintBytes(line.fingerprint),
    occurrence: line.occurrence,
  };
}

/** An unreadable row as it is kept. */
export interface UnparsedRowRow {
  readonly row: number;
  readonly column_name: string | null;
  readonly value: string;
  readonly reason: string;
  readonly date: string | null;
  readonly currency: string | null;
  readonly fingerprint: Buffer;
  readonly occurrence: number;
}

export function unparsedFromRow({ column_name, fingerprint, ...row }: UnparsedRowRow): UnparsedRow {
  const { row: number, ...rest } = row;
  return { row: number, column: column_name, ...rest, fingerprint: fingerprint.toString('hex') };
}
