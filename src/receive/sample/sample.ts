import type { Environment } from '../../domain/environment.ts';
import { NumberToken, type SenderValue, senderJson } from './sender-json.ts';

/** Every event of interface 6 by its name in Tallyhook, with its meaning. */
export const SAMPLE_EVENTS = {
  'refund.awaiting_settlement': 'Refund accepted; part of its funding waits for settlement',
  'refund.pending': 'Refund fully funded, awaiting processing',
  'refund.processing': 'Refund being processed',
  'refund.success': 'Refund completed (final)',
  'refund.failed': 'Refund failed; may be retried or rejected',
  'refund.rejected': 'Refund rejected, its funds released (final)',
  'payout.successful': 'Payout arrived',
  'payout.failed': 'Payout failed (shape observed, not documented)',
  'transaction.successful': 'Collection paid (shape observed, not documented)',
  'transaction.failed': 'Collection failed (shape observed, not documented)',
  unknown: 'An event of no known kind: kept and acknowledged',
} as const satisfies Record<string, string>;
export type SampleEvent = keyof typeof SAMPLE_EVENTS;
export const SAMPLE_EVENT_NAMES = Object.keys(SAMPLE_EVENTS) as SampleEvent[];

/** Observed shapes of collection webhooks (decisions part 1); the document shows none. */
export const COLLECTION_SHAPES = ['A', 'B', 'C'] as const;
export type CollectionShape = (typeof COLLECTION_SHAPES)[number];

export interface SampleFacts {
  readonly event: SampleEvent;
  readonly environment: Environment;
  readonly reference: string;
  /** Minor units: 5000 is 50.00. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** A text, so that any form can be tested. */
  readonly updatedAt: string;
  /** True: payouts have an `updated_at`, as observed; in the document they have none. */
  readonly timedPayout?: boolean;
  readonly shape?: CollectionShape;
}

/** Returns the body of one webhook in the sender's JSON dialect, with valid funding identities. Pure. */
export function sampleBody(facts: SampleFacts): string {
  return senderJson(payload(facts));
}

/** Returns minor units as decimal text: `50.00`. */
export function decimalText(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function payload(facts: SampleFacts): SenderValue {
  switch (facts.event) {
    case 'payout.successful':
      return { notify: 'payout', notifyType: 'successful', data: payout(facts, 'success') };
    case 'payout.failed':
      return { notify: 'payout', notifyType: 'failed', data: payout(facts, 'failed') };
    case 'transaction.successful':
      return collectionEvent(facts, 'successful', 'success');
    case 'transaction.failed':
      return collectionEvent(facts, 'failed', 'failed');
    case 'unknown':
      return { event: 'sample.unknown', data: unknownFacts(facts) };
    default:
      return { event: facts.event, data: refund(facts, facts.event.slice('refund.'.length)) };
  }
}

function unknownFacts({ reference, amountMinor, updatedAt }: SampleFacts): SenderValue {
  return { reference, amount: decimalText(amountMinor), updated_at: updatedAt };
}

/** Interface 2.4; amount + fee = total_reserved, and the parts of the reservation add up. */
function refund({ reference, amountMinor, currency, updatedAt }: SampleFacts, status: string): SenderValue {
  const fee = amountMinor / 50n + 25n;
  const total = amountMinor + fee;
  const available = total / 4n;
  const pending = total - available;
  const waiting = status === 'awaiting_settlement';
  const funded = waiting ? pending / 3n : pending;
  const released = status === 'rejected';
  return {
    refund_reference: reference,
    transaction_reference: `TX-${reference}`,
    amount: decimalText(amountMinor),
    fee: decimalText(fee),
    total_reserved: decimalText(total),
    funding: {
      status: waiting ? 'awaiting_settlement' : released ? 'released' : 'funded',
      available_reserved: decimalText(available),
      pending_reserved: decimalText(pending),
      pending_funded_amount: decimalText(funded),
      pending_remaining: decimalText(pending - funded),
      funded_at: waiting ? null : updatedAt,
    },
    currency,
    status,
    external_reference: status === 'success' ? `ext/${reference}` : null,
    requested_at: updatedAt,
    updated_at: updatedAt,
  };
}

/** Interface 6.3: the amounts are JSON numbers. */
function payout(facts: SampleFacts, status: string): SenderValue {
  const { reference, currency, amountMinor, environment, updatedAt } = facts;
  return {
    reference,
    currency,
    amount: new NumberToken(decimalText(amountMinor)),
    fee: new NumberToken('10.75'),
    stamp_duty: new NumberToken('50'),
    bank_code: '000001',
    bank_name: 'Sample Bank',
    account_number: '0000000000',
    account_name: 'Adébáyọ̀ Sample',
    narration: 'Supplier / sample',
    domain: environment,
    status,
    sessionid: `session-${reference}`,
    ...(facts.timedPayout ? { updated_at: updatedAt } : {}),
  };
}

function collectionEvent(facts: SampleFacts, notifyType: 'successful' | 'failed', status: string): SenderValue {
  const data = collection(facts, status);
  if (facts.shape === 'B') return { event: 'transaction', data };
  if (facts.shape === 'C') return { type: status === 'success' ? 'payment.success' : 'payment.failed', data };
  return { notify: 'transaction', notifyType, data };
}

/** Decisions part 1: `amount` was charged, `requested_amount` was requested by the merchant. */
function collection({ reference, currency, amountMinor, environment, updatedAt }: SampleFacts, status: string) {
  const fees = amountMinor / 100n + 2n;
  return {
    id: new NumberToken('700001'),
    currency,
    amount: decimalText(amountMinor + fees),
    reference,
    channel: 'card',
    domain: environment,
    fees: decimalText(fees),
    requested_amount: decimalText(amountMinor),
    status,
    created_at: updatedAt,
    updated_at: updatedAt,
    paid_at: status === 'success' ? updatedAt : null,
    customer: { name: 'Adébáyọ̀ Sample', email: 'customer@example.com' },
  } as const;
}
