import { z } from 'zod';
import { MINOR, parseMoney } from '../world/money.ts';
import type { FieldErrors } from './refusal.ts';

// The request fields as the service validates them: every message names its field, and all wrong fields are reported at once.

const MAX_TEXT = 255;
const OPAQUE = /^[^\p{Cc}\p{Cs}]*$/u;
/** A phone number: 9 to 15 digits, with or without a plus. */
export const PHONE = /^\+?\d{9,15}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const AMOUNT = /^\d{1,15}(\.\d{1,2})?$/;
const STRICT_AMOUNT = /^\d{1,15}\.\d{2}$/;

export const requiredText = (name: string, max = MAX_TEXT) =>
  z
    .string({
      error: ({ input }) => (input === undefined || input === null ? required(name) : `The ${name} must be a string.`),
    })
    .refine((text) => text.trim() !== '', { error: required(name), abort: true })
    .max(max, `The ${name} may not be longer than ${max} characters.`);

export const optionalText = (name: string, max = MAX_TEXT) =>
  z
    .string(`The ${name} must be a string.`)
    .max(max, `The ${name} may not be longer than ${max} characters.`)
    .nullish()
    .transform((text) => text ?? null);

/** A merchant's reference: any text without control characters, case-sensitive (decision 88). */
export const referenceText = (name = 'reference') =>
  requiredText(name).regex(OPAQUE, `The ${name} contains characters that are not allowed.`);

export const emailText = (name = 'email') =>
  requiredText(name).regex(EMAIL, `The ${name} must be a valid email address.`);

/** A positive decimal sent as a string (interface 2.1, decision 52). */
export const amountText = (strict = false) =>
  requiredText('amount')
    .regex(strict ? STRICT_AMOUNT : AMOUNT, {
      error: strict
        ? 'The amount must have at most 15 digits and exactly two decimals.'
        : 'The amount must be a decimal with at most 15 digits and two decimals.',
      abort: true,
    })
    .transform((text) => parseMoney(text) ?? 0n)
    .refine((amount) => amount >= MINOR, 'The amount must be at least 0.01.');

export const oneOf = <const Values extends readonly [string, ...string[]]>(name: string, values: Values) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined || input === null || input === ''
        ? required(name)
        : `The selected ${name} is invalid. Use one of: ${values.join(', ')}.`,
  });

export const required = (name: string): string => `The ${name} field is required.`;

/** The fields of a body by its schema, or the errors by field name; nested names have dots (`data.cvv`). */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { fields: z.output<Schema>; errors: null } | { fields: null; errors: FieldErrors } {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const result = schema.safeParse(isObject ? body : {});
  if (result.success) return { fields: result.data, errors: null };
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const name = issue.path.join('.');
    const messages = errors[name] ?? [];
    messages.push(issue.message);
    errors[name] = messages;
  }
  return { fields: null, errors };
}
