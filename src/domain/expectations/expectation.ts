import type { Finding, FindingCode } from '../findings/finding.ts';
import { type Amount, compareAmounts, formatAmount, isAmount } from '../money/amount.ts';
import { chargeAgrees, chargeOf, isUnderpaid } from '../records/charged-amount.ts';
import type { Fields } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';

/** What the merchant expects of one record. Null: any value is right. */
export interface Expectation {
  /** Never without a currency. */
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** The record must be seen by then, in milliseconds; null: no date. */
  readonly expectedByMs: number | null;
}

/** The amount to be paid; of a collection the requested one, because `amount` may be gross or net (decision 48). */
export const AMOUNT_FACT = {
  refund: 'amount',
  payout: 'amount',
  collection: 'requestedAmount',
} as const satisfies Record<RecordKind, string>;

/** What is known of the record by now, by the service's answer first; a field without an observation, or with observations that disagree, is null. */
export interface KnownSoFar {
  /** The record has an observation of any witness. */
  readonly seen: boolean;
  readonly facts: Fields;
  readonly details: Fields;
}

/** `met`: seen, every expected value is known and agrees, and of a collection no less was charged. `overdue`: not seen by its date. `unmet`: otherwise. */
export const EXPECTATION_STATES = ['met', 'unmet', 'overdue'] as const;
export type ExpectationState = (typeof EXPECTATION_STATES)[number];

/** The codes of findings of an expectation; one review opens and closes all of them. */
export const EXPECTED_CODES = [
  'never_seen',
  'amount_unexpected',
  'currency_unexpected',
] as const satisfies readonly FindingCode[];

export interface Review {
  readonly state: ExpectationState;
  readonly findings: readonly Finding[];
  /** When time alone will change the state; null: never. */
  readonly reviewAtMs: number | null;
}

interface ToReview {
  readonly kind: RecordKind;
  readonly expected: Expectation;
  readonly known: KnownSoFar;
  readonly nowMs: number;
}

/** Compares an expectation with what is known, exactly. Pure; `nowMs` does not matter once the record is seen. */
export function review({ kind, expected, known, nowMs }: ToReview): Review {
  const { expectedByMs } = expected;
  if (!known.seen) {
    if (expectedByMs === null || nowMs < expectedByMs) {
      return { state: 'unmet', findings: [], reviewAtMs: expectedByMs };
    }
    const detail = `expected by ${new Date(expectedByMs).toISOString()}; neither a webhook nor the service has mentioned it`;
    const finding = { code: 'never_seen', subject: 'reference', detail } as const;
    return { state: 'overdue', findings: [finding], reviewAtMs: null };
  }
  const agreements = [currencyAgrees(expected, known), amountAgrees(kind, expected, known)];
  const findings = agreements.filter((one) => typeof one === 'object');
  return { state: agreements.every((one) => one === true) ? 'met' : 'unmet', findings, reviewAtMs: null };
}

/** True: as expected. False: not known yet. A finding: different. */
type Agreement = boolean | Finding;

function currencyAgrees({ currency, amount }: Expectation, { facts, details }: KnownSoFar): Agreement {
  if (currency === null) return true;
  const actual = facts.currency;
  if (typeof actual !== 'string') return false;
  if (actual === currency) return true;
  const came = [facts.requestedAmount, facts.amount, details.amount].find(isAmount);
  const detail = `${sum(amount, currency)} expected, ${sum(came ?? null, actual)} came`;
  return { code: 'currency_unexpected', subject: 'currency', detail };
}

function amountAgrees(kind: RecordKind, expected: Expectation, known: KnownSoFar): Agreement {
  const { amount, currency } = expected;
  if (amount === null) return true;
  const actual = known.facts.currency;
  // Amounts of two currencies are never compared: the finding about the currency is enough.
  if (currency !== null && typeof actual === 'string' && actual !== currency) return false;
  const fact = known.facts[AMOUNT_FACT[kind]];
  if (isAmount(fact)) {
    // A smaller charge has a finding of its own once the payment is made.
    if (compareAmounts(fact, amount) === 0) return kind !== 'collection' || !isBelow(known.details, amount);
    return unexpected(`${sum(amount, currency)} expected, ${sum(fact, currency)} came`);
  }
  return kind === 'collection' ? probablyAgrees(amount, currency, known.details) : false;
}

function isBelow(details: Fields, amount: Amount): boolean {
  const charge = chargeOf(details);
  return charge !== null && isUnderpaid(charge, amount);
}

/**
 * Without a requested amount only `amount` is known, with or without fees (decision 48): either may match, and a
 * difference is only probable.
 */
function probablyAgrees(amount: Amount, currency: string | null, details: Fields): Agreement {
  const charge = chargeOf(details);
  if (charge === null) return false;
  if (chargeAgrees(charge, amount)) return true;
  const { charged, net, oddFee } = charge;
  const without = net === null ? '' : ` (${sum(net, currency)} without its fees)`;
  const odd = oddFee === null ? '' : ` (its fees of ${sum(oddFee, currency)} cannot be right)`;
  const came = `probably ${sum(charged, currency)}${without}${odd} came`;
  return unexpected(`${sum(amount, currency)} expected, ${came}; the requested amount is not known`);
}

function unexpected(detail: string): Finding {
  return { code: 'amount_unexpected', subject: 'amount', detail };
}

function sum(amount: Amount | null, currency: string | null): string {
  return [...(amount === null ? [] : [formatAmount(amount)]), ...(currency === null ? [] : [currency])].join(' ');
}
