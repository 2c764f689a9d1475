import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readFields, required } from './fields.ts';
import { canonicalJson, WireNumber } from './json.ts';
import { formatMoney, MINOR, type Money, parseMoney } from './money.ts';
import { type FieldErrors, refuseFields } from './refusal.ts';

const NOTE_LIMIT = 2000;
const KEY_LIMIT = 190;
/** What a refund request must never carry (interface 2.5, decision 46). */
const FORBIDDEN =
  /^(callback_?url|card|card_?(number|data|details|token)|pan|cvv2?|cvc|expiry(_?(month|year|date))?|exp_?(month|year))$/i;

/** A refund request that passed validation (interface 2.5). */
export interface RefundRequest {
  readonly transactionReference: string;
  /** Null asks for the whole remaining refundable amount. */
  readonly amount: Money | null;
  readonly merchantNote: string | null;
  readonly idempotencyKey: string | null;
  /** Tells a retry from another request under the same key, wherever the key stood. */
  readonly digest: string;
}

/** Reads body and `Idempotency-Key` header; throws a 422 that names every field at fault (interface 7.2). */
export function readRefundRequest(body: unknown, headerKey: string | undefined): RefundRequest {
  const { fields, errors } = readFields(refundSchema, body);
  const all: FieldErrors = { ...errors, ...forbiddenFields(body) };
  const bodyKey = fields?.idempotency_key ?? null;
  if (headerKey !== undefined && codePoints(headerKey) > KEY_LIMIT) all.idempotency_key = [TOO_LONG_KEY];
  else if (headerKey !== undefined && bodyKey !== null && headerKey !== bodyKey) {
    all.idempotency_key = ['The idempotency_key differs from the Idempotency-Key header.'];
  }
  if (!fields || Object.keys(all).length > 0) throw refuseFields(all);
  const transactionReference = fields.transaction_reference ?? fields.reference ?? '';
  const amount = fields.amount ?? null;
  const merchantNote = fields.merchant_note ?? null;
  const asked = { transactionReference, amount: amount === null ? null : formatMoney(amount), merchantNote };
  return {
    transactionReference,
    amount,
    merchantNote,
    idempotencyKey: headerKey ?? bodyKey,
    digest: createHash('sha256').update(canonicalJson(asked)).digest('hex'),
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

/** A numeric string or a number; more than two decimals, exponents, signs and "" are refused (decision 36). */
const amountField = z
  .union([z.string(), z.instanceof(WireNumber)], 'The amount must be a number or a numeric string.')
  .transform((value, context) => {
    const text = value instanceof WireNumber ? value.token : value;
    const amount = /^\d{1,15}(\.\d{1,2}0*)?$/.test(text) ? parseMoney(text) : null;
    if (amount === null)
      context.addIssue({ code: 'custom', message: 'The amount must be a number with at most two decimals.' });
    else if (amount < MINOR) context.addIssue({ code: 'custom', message: 'The amount must be at least 0.01.' });
    return amount ?? 0n;
  })
  .nullish();

const refundSchema = z
  .object({
    transaction_reference: referenceField('transaction_reference'),
    reference: referenceField('reference'),
    amount: amountField,
    merchant_note: limited('merchant_note', NOTE_LIMIT),
    idempotency_key: limited('idempotency_key', KEY_LIMIT).transform((key) => (key === '' ? null : key)),
  })
  .superRefine(({ transaction_reference, reference }, context) => {
    const both = transaction_reference && reference;
    if (both && transaction_reference !== reference) {
      for (const path of ['transaction_reference', 'reference']) {
        const message = 'The transaction_reference and reference fields must not differ.';
        context.addIssue({ code: 'custom', path: [path], message });
      }
    }
    if (!transaction_reference && !reference) {
      const message = `${required('transaction_reference').slice(0, -1)} when reference is not present.`;
      context.addIssue({ code: 'custom', path: ['transaction_reference'], message });
    }
  });

function forbiddenFields(body: unknown): FieldErrors {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const forbidden = names.filter((name) => FORBIDDEN.test(name));
  return Object.fromEntries(forbidden.map((name) => [name, [`The ${name} field must not be included.`]]));
}
