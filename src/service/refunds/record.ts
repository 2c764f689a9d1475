import { isObject, type Json, type JsonObject, member } from '../../domain/events/json.ts';
import { objectsToRecord, recordIn, referenceOf } from '../../domain/events/naming.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { type Fields, type FieldValue, readFields, text } from '../../domain/records/fields.ts';
import { REFUND_FIELDS } from '../../domain/records/refund.ts';
import type { Envelope } from '../calls/envelope.ts';

/** The statuses of interface 3.2; other statuses of a later service version are kept unchanged. */
export type RefundStatus =
  | 'awaiting_settlement'
  | 'pending'
  | 'processing'
  | 'success'
  | 'failed'
  | 'rejected'
  | (string & {});

export interface RefundFunding {
  /** `awaiting_settlement`, `funded` or `released` (interface 3.3). */
  readonly status: string | null;
  readonly availableReserved: Amount | null;
  readonly pendingReserved: Amount | null;
  readonly pendingFundedAmount: Amount | null;
  readonly pendingRemaining: Amount | null;
  readonly fundedAt: string | null;
}

/** A refund record (interface 2.4). Missing and unreadable fields are null; times are the texts that the service sent. */
export interface Refund {
  readonly refundReference: string;
  readonly transactionReference: string | null;
  readonly amount: Amount | null;
  readonly fee: Amount | null;
  /** Amount plus fee. */
  readonly totalReserved: Amount | null;
  readonly currency: string | null;
  readonly status: RefundStatus;
  readonly funding: RefundFunding;
  readonly externalReference: string | null;
  readonly requestedAt: string | null;
  readonly completedAt: string | null;
  readonly updatedAt: string | null;
  /** The record as the service sent it, numbers with their digits. */
  readonly wire: JsonObject;
}

const IDENTITY = { refundReference: text('refund_reference'), ...REFUND_FIELDS.times };

/** Returns the refund of a response (decision 22); null when its record has no reference or no status. */
export function refundOfAnswer({ root }: Envelope): Refund | null {
  const record = recordIn(root, 'refund');
  return record === null || referenceOf(record, 'refund') === null ? null : refundOf(record);
}

/** Returns the transactions that the refund and the objects on the way to it name. */
export function transactionsNamed({ root }: Envelope, { wire }: Refund): string[] {
  const { transactionReference } = REFUND_FIELDS.facts;
  return [...objectsToRecord(root, 'refund'), wire].flatMap((object) => {
    const named = textOf(readFields(object, { transactionReference }).fields.transactionReference);
    return named === null ? [] : [named];
  });
}

/** Returns the refund in a JSON value; null without a reference or a status. */
export function refundOf(value: Json | undefined): Refund | null {
  if (!isObject(value)) return null;
  const identity = readFields(value, IDENTITY).fields;
  const refundReference = textOf(identity.refundReference);
  const status = statusOf(value);
  if (refundReference === null || refundReference === '' || status === null) return null;
  const facts: Fields = readFields(value, REFUND_FIELDS.facts).fields;
  const details: Fields = readFields(value, REFUND_FIELDS.details).fields;
  return {
    refundReference,
    transactionReference: textOf(facts.transactionReference),
    amount: amountOf(facts.amount),
    fee: amountOf(details.fee),
    totalReserved: amountOf(details.totalReserved),
    currency: textOf(facts.currency),
    status,
    funding: {
      status: textOf(details.fundingStatus),
      availableReserved: amountOf(details.availableReserved),
      pendingReserved: amountOf(details.pendingReserved),
      pendingFundedAmount: amountOf(details.pendingFunded),
      pendingRemaining: amountOf(details.pendingRemaining),
      fundedAt: textOf(details.fundedAt),
    },
    externalReference: textOf(details.externalReference),
    requestedAt: textOf(identity.requestedAt),
    completedAt: textOf(identity.completedAt),
    updatedAt: textOf(identity.updatedAt),
    wire: value,
  };
}

/** Returns the status of a record, only if it is text: `status: true` belongs to an envelope. */
export function statusOf(wire: JsonObject): string | null {
  const status = member(wire, 'status');
  return typeof status === 'string' && status !== '' ? status : null;
}

export function textOf(value: FieldValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function amountOf(value: FieldValue | undefined): Amount | null {
  return typeof value === 'object' ? value : null;
}
