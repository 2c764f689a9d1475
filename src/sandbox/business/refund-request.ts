import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readFields, required } from '../wire/fields.ts';
import { canonicalJson, WireNumber } from '../wire/json.ts';
import { type FieldErrors, refuseFields } from '../wire/refusal.ts';
import { formatMoney, MINOR, type Money, parseMoney } from '../world/money.ts';

/** Most code points of a note and of an idempotency key (interface 2.5, decision 45). */
const NOTE_LIMIT = 2000;
const KEY_LIMIT = 190;
/** Field names that a refund request must not contain (interface 2.5, decision 46); the card helper has `data` and `number`. */
const FORBIDDEN =
  /^(callback_?url|card|card_?(number|data|details|token)|number|data|pan|cvv2?|cvc|expiry(_?(month|year|date))?|exp_?(month|year))$/i;

/** A refund request that passed validation (interface 2.5). */
export interface RefundRequest {
  readonly transactionReference: string;
  /** Null: the whole remaining refundable amount. */
  readonly amount: Money | null;
  readonly merchantNote: string | null;
  readonly idempotencyKey: string | null;
  /** Differs for different requests under one key; the same whether the key was in the header or in the body. */
  readonly digest: string;
}

/** The refund request in body and `Idempotency-Key` header. Throws a 422 that names every wrong field (interface 7.2). */
export function readRefundRequest(body: unknown, headerKey: string | undefined): RefundRequest {
  const { fields, errors } = readFields(refundSchema, body);
  const sent = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const all: FieldErrors = {
    ...referenceErrors(sent),
    ...keyErrors(sent, headerKey),
    ...errors,
    ...forbiddenFields(sent),
  };
  if (!fields || Object.keys(all).length > 0) throw refuseFields(all);
  const transactionReference = fields.transaction_reference ?? fields.reference ?? '';
  const amount = fields.amount ?? null;
  const merchantNote = fields.merchant_note ?? null;
  const content = { transactionReference, amount: amount === null ? null : formatMoney(amount), merchantNote };
  return {
    transactionReference,
    amount,
    merchantNote,
    idempotencyKey: headerKey ?? fields.idempotency_key ?? null,
    digest: createHash('sha256').update(canonicalJson(content)).digest('hex'),
  };
}

const codePoints = (text: string): number => [...text].length;
const TOO_LONG_KEY = `The idempotency_key may not be longer than ${KEY_LIMIT} characters.`;
const limited = (name: string, limit: number) =>
  z
    .string(`The ${name} must be a string.`)
    // decision 45: a character is a code point
    .refine((text) => codePoints(text) <= limit, `The ${name} may not be longer than ${limit} characters.`)
    .nullish();

const referenceField = (name: string) =>
  z
    .string(`The ${name} must be a string.`)
    .max(255, `The ${name} may not be longer than 255 characters.`)
    .nullish()
    .transform((text) => (text === '' ? null : text));

const NUMBER = /^\d{1,15}(\.\d{1,2}0*)?$/;
const NUMERIC_TEXT = /^\d{1,15}(\.\d{1,2})?$/;

/** A number or numeric string; more than two decimals, exponents, signs and "" are refused (decision 36). */
const amountField = z
  .union([z.string(), z.instanceof(WireNumber)], 'The amount must be a number or a numeric string.')
  .transform((value, context) => {
    // the number 1.500 is 1.5; the text "1.500" has three decimals
    const [text, rule] = value instanceof WireNumber ? [value.token, NUMBER] : [value, NUMERIC_TEXT];
    const amount = rule.test(text) ? parseMoney(text) : null;
    if (amount === null)
      context.addIssue({
        code: 'custom',
        message: 'The amount must be a number with at most 15 digits and two decimals.',
      });
    else if (amount < MINOR) context.addIssue({ code: 'custom', message: 'The amount must be at least 0.01.' });
    return amount ?? 0n;
  })
  .nullish();

const refundSchema = z.object({
  transaction_reference: referenceField('transaction_reference'),
  reference: referenceField('reference'),
  amount: amountField,
  merchant_note: limited('merchant_note', NOTE_LIMIT),
  idempotency_key: limited('idempotency_key', KEY_LIMIT).transform((key) => (key === '' ? null : key)),
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The errors of the two reference fields: one is required, both must agree (decision 30). Reported beside all other errors. */
function referenceErrors({ transaction_reference, reference }: Readonly<Record<string, unknown>>): FieldErrors {
  if (!isGiven(transaction_reference) && !isGiven(reference)) {
    return {
      transaction_reference: [`${required('transaction_reference').slice(0, -1)} when reference is not present.`],
    };
  }
  const differ = typeof transaction_reference === 'string' && typeof reference === 'string';
  if (!differ || !isGiven(transaction_reference) || !isGiven(reference) || transaction_reference === reference)
    return {};
  const message = 'The transaction_reference and reference fields must not differ.';
  return { transaction_reference: [message], reference: [message] };
}

/** The errors of the header's key: it has the same limit as the body's and must agree with it (decision 31). */
function keyErrors({ idempotency_key }: Readonly<Record<string, unknown>>, headerKey: string | undefined): FieldErrors {
  if (headerKey === undefined) return {};
  if (codePoints(headerKey) > KEY_LIMIT) return { idempotency_key: [TOO_LONG_KEY] };
  const differs = isGiven(idempotency_key) && typeof idempotency_key === 'string' && idempotency_key !== headerKey;
  return differs ? { idempotency_key: ['The idempotency_key differs from the Idempotency-Key header.'] } : {};
}

function forbiddenFields(sent: Readonly<Record<string, unknown>>): FieldErrors {
  const forbidden = Object.keys(sent).filter((name) => FORBIDDEN.test(name));
  const encrypted = ' It is read for a merchant with payload encryption only.';
  return Object.fromEntries(
    forbidden.map((name) => [name, [`The ${name} field must not be included.${name === 'data' ? encrypted : ''}`]]),
  );
}
