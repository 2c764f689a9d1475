import { z } from 'zod';
import { ownName } from '../controls/input.ts';
import { durationSchema } from '../world/durations.ts';
import { draw } from '../world/random.ts';
import type { World } from '../world/world.ts';

/**
 * Chaos: faults by rule, seeded, so that the same seed, rules and requests give the same faults. A rule says what to
 * `do`, to what (`events`, `references`, `paths`, `methods`; `*` matches anything) and how often.
 */
const patterns = z.array(z.string().min(1)).min(1);
const common = {
  id: ownName.optional(),
  events: patterns.optional(),
  references: patterns.optional(),
  paths: patterns.optional(),
  methods: patterns.optional(),
  /** Leave the first `after` matches alone, then fire at every `every`-th, with `probability`, at most `limit` times. */
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
    /** How many attempts are signed wrongly before the right key is used. */
    attempts: z.int().min(1).default(1),
    ...common,
  }),
  z.strictObject({ do: z.literal('corrupt'), ...common }),
  z.strictObject({ do: z.literal('stringify'), ...common }),
  z.strictObject({ do: z.literal('numberify'), ...common }),
  z.strictObject({ do: z.literal('zoneless'), ...common }),
] as const;

/** `processed`: whether the request takes effect although its answer is spoilt. */
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
  /** Status endpoints answer as things stood `by` ago, or with another status. */
  z.strictObject({ do: z.literal('lag'), by: durationSchema, ...common }),
  z.strictObject({ do: z.literal('disagree'), status: z.string().min(1).optional(), ...common }),
  /** Lists leave records out, or show one twice. */
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

/** One fault that was planted: what the demo and a puzzled developer compare their findings with. */
export interface PlantedFault {
  readonly at: string;
  readonly rule: string;
  readonly do: Rule['do'];
  /** The webhook, request or record it struck. */
  readonly target: string;
  readonly reference: string | null;
  readonly note: string;
}

export interface ChaosState {
  rules: Rule[];
  /** Matches and firings per rule id. */
  readonly counts: Record<string, { matched: number; fired: number }>;
  log: PlantedFault[];
}

const FAULT_LOG_LIMIT = 100_000;

/** Adds a rule; one with the same id is replaced and counts anew. */
export function addRule(world: World, rule: z.output<typeof ruleSchema>): Rule {
  const { chaos } = world.state;
  const named = { ...rule, id: rule.id ?? freeName(chaos) } as Rule;
  world.changes++;
  chaos.rules = [...chaos.rules.filter(({ id }) => id !== named.id), named];
  chaos.counts[named.id] = { matched: 0, fired: 0 };
  return named;
}

/** rule_1, rule_2, …: never one that was used before, since its counts would be mixed up. */
function freeName({ counts }: ChaosState): string {
  let number = Object.keys(counts).length + 1;
  while (counts[`rule_${number}`]) number++;
  return `rule_${number}`;
}

const has = (rules: readonly { shape: { do: { value: string } } }[], rule: Rule): boolean =>
  rules.some(({ shape }) => shape.do.value === rule.do);
export const isWebhookRule = (rule: Rule): rule is WebhookRule => has(webhookRules, rule);
export const isAnswerRule = (rule: Rule): rule is AnswerRule => has(answerRules, rule);

export interface Target {
  readonly event?: string;
  readonly reference?: string;
  readonly path?: string;
  readonly method?: string;
}

/** Whether a rule strikes this target now. Each call counts as one match, so call it once per target. */
export function strikes(world: World, rule: Rule, target: Target): boolean {
  if (!matches(rule.events, target.event) || !matches(rule.references, target.reference)) return false;
  if (!matches(rule.paths, target.path) || !matches(rule.methods, target.method)) return false;
  const count = world.state.chaos.counts[rule.id];
  if (!count) return false;
  world.changes++;
  const position = count.matched++ - rule.after;
  if (position < 0 || position % rule.every !== 0) return false;
  if (rule.limit !== undefined && count.fired >= rule.limit) return false;
  if (rule.probability < 1 && draw(world.state.seed, 'chaos', rule.id, count.matched) >= rule.probability) return false;
  count.fired++;
  return true;
}

export function noteFault(world: World, rule: Rule, target: string, reference: string | null, note: string): void {
  const { chaos } = world.state;
  chaos.log.push({ at: world.stamp(), rule: rule.id, do: rule.do, target, reference, note });
  if (chaos.log.length > FAULT_LOG_LIMIT) chaos.log.shift();
}

function matches(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  if (!wanted) return true;
  return value !== undefined && wanted.some((pattern) => glob(pattern).test(value));
}

const globs = new Map<string, RegExp>();
function glob(pattern: string): RegExp {
  const known = globs.get(pattern);
  if (known) return known;
  const made = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
  if (globs.size < 1_000) globs.set(pattern, made);
  return made;
}
