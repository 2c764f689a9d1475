import { z } from 'zod';
import { durationSchema } from './settings.ts';

/** The name of a rule or a wallet. `__proto__` and the marks `$map` and `$money` of a snapshot must not occur as one. */
export const ownName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^$_]/, 'must not begin with $ or _');

/**
 * The chaos rules: each plants one kind of fault (`do`) in the webhooks, answers or records that match its patterns
 * (`events`, `references`, `paths`, `methods`; `*` matches any text). Same seed, rules and requests: same faults.
 */
const patterns = z.array(z.string().min(1)).min(1);
const common = {
  id: ownName.optional(),
  events: patterns.optional(),
  references: patterns.optional(),
  paths: patterns.optional(),
  methods: patterns.optional(),
  /** Skips the first `after` matches, then applies to every `every`-th with `probability`, at most `limit` times. */
  after: z.int().min(0).default(0),
  every: z.int().min(1).default(1),
  probability: z.number().min(0).max(1).default(1),
  limit: z.int().min(1).optional(),
};

const webhookRules = [
  z.strictObject({ do: z.literal('drop'), ...common }),
  z.strictObject({ do: z.literal('delay'), by: durationSchema, ...common }),
  z.strictObject({
    do: z.literal('duplicate'),
    times: z.int().min(1).max(100).default(1),
    gap: durationSchema.default(0),
    ...common,
  }),
  z.strictObject({ do: z.literal('reorder'), hold: durationSchema.default(60_000), ...common }),
  z.strictObject({ do: z.literal('tie'), ...common }),
  z.strictObject({ do: z.literal('variant'), ...common }),
  z.strictObject({
    do: z.literal('wrong_key'),
    key: z.enum(['old', 'other_environment']).default('old'),
    /** Number of attempts signed with the wrong key before the right one is used. */
    attempts: z.int().min(1).default(1),
    ...common,
  }),
  z.strictObject({ do: z.literal('corrupt'), ...common }),
  z.strictObject({ do: z.literal('stringify'), ...common }),
  z.strictObject({ do: z.literal('numberify'), ...common }),
  z.strictObject({ do: z.literal('zoneless'), ...common }),
] as const;

/** `processed`: whether the request takes effect although its answer is faulty. */
const answerRules = [
  z.strictObject({ do: z.literal('slow'), by: durationSchema, ...common }),
  z.strictObject({ do: z.literal('cut'), processed: z.boolean().default(true), ...common }),
  z.strictObject({ do: z.literal('truncate'), processed: z.boolean().default(true), ...common }),
  z.strictObject({ do: z.literal('garbage'), processed: z.boolean().default(true), ...common }),
  z.strictObject({
    do: z.literal('html'),
    status: z.int().min(200).max(599).default(200),
    processed: z.boolean().default(false),
    ...common,
  }),
  z.strictObject({
    do: z.literal('rate_limit'),
    retry_after: z.int().min(0).optional(),
    processed: z.boolean().default(false),
    ...common,
  }),
  z.strictObject({
    do: z.literal('server_error'),
    status: z.int().min(500).max(599).default(503),
    processed: z.boolean().default(false),
    ...common,
  }),
] as const;

const recordRules = [
  /** Status endpoints answer the record as it was `by` ago, or with another status. */
  z.strictObject({ do: z.literal('lag'), by: durationSchema, ...common }),
  z.strictObject({ do: z.literal('disagree'), status: z.string().min(1).optional(), ...common }),
  /** Lists omit records, or contain one twice. */
  z.strictObject({ do: z.literal('forget'), ...common }),
  z.strictObject({ do: z.literal('repeat'), ...common }),
] as const;

const webhookRule = z.discriminatedUnion('do', webhookRules);
const answerRule = z.discriminatedUnion('do', answerRules);
const allRules = [...webhookRules, ...answerRules, ...recordRules] as const;
export const RULE_NAMES = allRules.map(({ shape }) => shape.do.value);
export const ruleSchema = z.discriminatedUnion('do', allRules, {
  error: ({ code }) => (code === 'invalid_union' ? `must be one of: ${RULE_NAMES.join(', ')}` : undefined),
});

export type RuleInput = z.input<typeof ruleSchema>;
export type Rule = z.output<typeof ruleSchema> & { readonly id: string };
export type WebhookRule = z.output<typeof webhookRule> & { readonly id: string };
export type AnswerRule = z.output<typeof answerRule> & { readonly id: string };

/** One planted fault. The demo, and developers, compare the receiver's findings with it. */
export interface PlantedFault {
  readonly at: string;
  readonly rule: string;
  readonly do: Rule['do'];
  /** The event, request or path that has the fault. */
  readonly target: string;
  readonly reference: string | null;
  readonly note: string;
}

export interface ChaosState {
  rules: Rule[];
  /** Matches and applications per rule id. */
  readonly counts: Record<string, { matched: number; fired: number }>;
  log: PlantedFault[];
}

const has = (rules: readonly { shape: { do: { value: string } } }[], rule: Rule): boolean =>
  rules.some(({ shape }) => shape.do.value === rule.do);
export const isWebhookRule = (rule: Rule): rule is WebhookRule => has(webhookRules, rule);
export const isAnswerRule = (rule: Rule): rule is AnswerRule => has(answerRules, rule);
