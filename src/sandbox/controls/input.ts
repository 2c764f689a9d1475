import { z } from 'zod';
import { CURRENCIES, ENVIRONMENTS, PAYOUT_CURRENCIES, WEBHOOK_STATES } from '../business/records.ts';
import { type FieldErrors, type Refusal, refuse, refuseFields } from '../business/refusal.ts';
import { DURATION_RULE } from '../world/durations.ts';

/** What somebody calls a rule or a wallet: names of such beginnings are those of JavaScript and of the snapshot's own marks. */
export const ownName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^$_]/, 'must not begin with $ or _');

/**
 * What the controls take, over HTTP and in code. A field that is not known is refused rather than left out: `settle`
 * with a misspelt amount would settle everything.
 */
const whose = { merchant: z.string().optional(), environment: z.enum(ENVIRONMENTS).optional() };
export const whoseSchema = z.strictObject(whose);
export const advanceSchema = z.strictObject({ by: z.union([z.string(), z.number()], DURATION_RULE) });
export const settleSchema = z.strictObject({
  ...whose,
  currency: z.enum(CURRENCIES).optional(),
  amount: z.string().optional(),
});
export const balanceSchema = z.strictObject({
  currency: z.enum(CURRENCIES),
  available: z.string().optional(),
  pending: z.string().optional(),
  wallet: ownName.optional(),
});
export const urlSchema = z.strictObject({ ...whose, url: z.string().nullable() });
export const move = <const Statuses extends readonly [string, ...string[]]>(statuses: Statuses) =>
  z.strictObject({ ...whose, status: z.enum(statuses) });

export const webhookFilter = z.strictObject({
  state: z.enum(WEBHOOK_STATES).optional(),
  event: z.string().optional(),
  reference: z.string().optional(),
});

/** A decimal for some of the currencies. */
const texts = (currencies: readonly string[]) =>
  z.strictObject(Object.fromEntries(currencies.map((currency) => [currency, z.string().optional()]))).optional();
const fee = z.strictObject({ percent: z.string(), flat: z.string() });
export const merchantSchema = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  webhookUrl: z.string().optional(),
  liveWebhookUrl: z.string().optional(),
  agreement: z
    .strictObject({ collectionFee: fee.optional(), refundFee: fee.optional(), payoutFees: texts(PAYOUT_CURRENCIES) })
    .optional(),
  balances: texts(CURRENCIES),
  encryption: z.strictObject({ keyHex: z.string(), ivHex: z.string() }).optional(),
});

/** Without the fields that are there as undefined: in code those are as good as left out, and must not hide a default. */
export function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** Reads the input of a control. Throws 422 with every field at fault and the rule it breaks. */
export function readControl<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(asObject(input));
  if (result.success) return result.data;
  throw refuseIssues(result.error);
}

/** The body of a control as an object; throws 422 for anything else. */
export function asObject(input: unknown): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw refuse(422, 'The body must be a JSON object.');
}

/** 422 that names each field with its rule, in `errors` as in the message. */
export function refuseIssues(error: z.ZodError): Refusal {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : null;
    const names = unknown?.map((key) => [...issue.path, key].join('.')) ?? [issue.path.join('.')];
    for (const name of names) {
      const rule = unknown ? 'is not known here' : issue.message.replace(/^Invalid input: /, '');
      errors[name] = [...(errors[name] ?? []), `${name}: ${rule}.`];
    }
  }
  return refuseFields(errors);
}
