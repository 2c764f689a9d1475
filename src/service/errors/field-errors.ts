import type { Amount } from '../../domain/money/amount.ts';
import { quoted, type RefusalFacts, RefusedError, refusedAs } from './service-error.ts';

// Refusals that are not of interface 7.2; those are in refund-errors.ts.

/** 400 or 422 with messages per field: collections (7.1), refunds (7.2), checkout (`Incomplete request`, 7.3), payouts. */
export class InvalidFieldsError extends refusedAs('InvalidFieldsError', {
  text({ fields, message }) {
    const named = Object.entries(fields).map(([field, messages]) => `${field}: ${messages.join(' ')}`);
    return `invalid fields: ${(named.join('; ') || quoted(message)).replace(/\.$/, '')}.`;
  },
  hint: 'Correct these fields and send the request again.',
}) {}

/** The card was declined; in the sandbox, a forced `failed` or an unrecognised card (interface 2.3, 7.1). */
export class CardDeclinedError extends refusedAs('CardDeclinedError', {
  text: ({ message }) => `declined: ${quoted(message)}.`,
  hint: 'Let the customer use another card, under a new reference.',
}) {}

/** The service does not know the public key (7.3). */
export class UnknownPublicKeyError extends refusedAs('UnknownPublicKeyError', {
  kind: 'unauthorized',
  hint: 'Copy the public key (pk_…) again from the service.',
}) {}

/** The reference was used before (7.3; decisions 58 and 75). `existing` is the record under it, null when it could not be checked. */
export class DuplicateReferenceError extends RefusedError {
  override readonly name = 'DuplicateReferenceError';
  readonly reference: string;
  readonly existing: { readonly amount: Amount | null; readonly status: string } | null;
  constructor(facts: RefusalFacts, reference: string, existing: DuplicateReferenceError['existing'] = null) {
    super(facts, {
      text: ({ message }) =>
        `the reference ${JSON.stringify(reference)} was used before: ${quoted(message)}. Nothing was done by this request.`,
      hint: 'Check the status of this reference first: the earlier one may be this payment. Only another payment gets another reference.',
    });
    this.reference = reference;
    this.existing = existing;
  }

  /** Returns the same refusal with the record found under the reference. */
  comparedWith(existing: DuplicateReferenceError['existing']): DuplicateReferenceError {
    const { requestLine, httpStatus, serviceMessage: message, fields, earlierUnanswered, reference } = this;
    const facts = { requestLine, httpStatus: httpStatus ?? 0, message, fields, earlierUnanswered };
    return new DuplicateReferenceError(facts, reference, existing);
  }
}

/** The currency is not served (7.3). */
export class UnsupportedCurrencyError extends refusedAs('UnsupportedCurrencyError', {
  hint: 'Use a currency that the service supports for this channel.',
}) {}

/** `callback_url` is not a valid http or https URL (7.3). */
export class InvalidCallbackUrlError extends refusedAs('InvalidCallbackUrlError', {
  hint: 'Give callbackUrl as a full address: https://shop.example/thanks',
}) {}

/** The service found no name for the account (decision 81). */
export class AccountNotVerifiedError extends refusedAs('AccountNotVerifiedError', {
  kind: 'not_found',
  hint: 'Check account number and bank code: tallyhook payouts banks',
}) {}

/** GET by reference: the service has no such payout or collection. Within 15 minutes of the request that proves nothing (decision 74). */
export class RecordNotFoundError extends refusedAs('RecordNotFoundError', {
  kind: 'not_found',
  text: () => 'the service knows no such reference in this environment.',
  hint: 'Check again later: for 15 minutes after a request this proves nothing.',
}) {}
