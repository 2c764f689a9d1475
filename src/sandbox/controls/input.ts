import { z } from 'zod';
import { DIALECT_NAMES } from '../statements/dialects.ts';
import { FILE_FAULTS } from '../statements/file-chaos.ts';
import { STATEMENT_KINDS } from '../statements/statement.ts';
import { ownName } from '../world/chaos-rules.ts';
import { CURRENCIES, ENVIRONMENTS } from '../world/records.ts';
import { DURATION_RULE } from '../world/settings.ts';
import { WEBHOOK_STATES } from '../world/webhook.ts';

/**
 * The schemas of the controls' inputs, over HTTP and in code. An unknown field is refused, not ignored: `settle` with a
 * misspelt `amount` would settle everything.
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
  bank: z.string().optional(),
  wallet: ownName.optional(),
});
export const topUpSchema = z.strictObject({
  ...whose,
  currency: z.enum(CURRENCIES),
  amount: z.string(),
  wallet: ownName.optional(),
});
export const chargebackSchema = z.strictObject({ ...whose, collection: z.string(), amount: z.string().optional() });
const faulty = z.int().min(0).max(100_000).optional();
export const statementSchema = z.strictObject({
  ...whose,
  kind: z.enum(STATEMENT_KINDS),
  from: z.string(),
  to: z.string(),
  dialect: z.enum(DIALECT_NAMES),
  currency: z.enum(CURRENCIES).optional(),
  wallet: ownName.optional(),
  zone: z.string().optional(),
  chaos: z.strictObject(Object.fromEntries(FILE_FAULTS.map((fault) => [fault, faulty]))).optional(),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .optional(),
});
export const urlSchema = z.strictObject({ ...whose, url: z.string().nullable() });
export const move = <const Statuses extends readonly [string, ...string[]]>(statuses: Statuses) =>
  z.strictObject({ ...whose, status: z.enum(statuses) });

export const webhookFilter = z.strictObject({
  state: z.enum(WEBHOOK_STATES).optional(),
  event: z.string().optional(),
  reference: z.string().optional(),
});
