import type { z } from 'zod';
import type { ChaosState, PlantedFault, Rule, ruleSchema } from '../world/chaos-rules.ts';
import type { World } from '../world/world.ts';

/** Planted faults kept in the log, to bound memory; the oldest are removed first. */
const FAULT_LOG_LIMIT = 100_000;

/** Adds a rule, or replaces the one with its id; its counts start at zero. Returns the rule with its id. */
export function addRule(world: World, rule: z.output<typeof ruleSchema>): Rule {
  const { chaos } = world.state;
  const named = { ...rule, id: rule.id ?? freeName(chaos) } as Rule;
  world.changes++;
  chaos.rules = [...chaos.rules.filter(({ id }) => id !== named.id), named];
  chaos.counts[named.id] = { matched: 0, fired: 0 };
  return named;
}

/** rule_1, rule_2, …: an id that no rule has had before, so that counts and log are not mixed up. */
function freeName({ counts }: ChaosState): string {
  let number = Object.keys(counts).length + 1;
  while (counts[`rule_${number}`]) number++;
  return `rule_${number}`;
}

export interface Target {
  readonly event?: string;
  readonly reference?: string;
  readonly path?: string;
  readonly method?: string;
}

/** Whether a rule applies to this target now. Each call counts as one match: call it once per target. */
export function applies(world: World, rule: Rule, target: Target): boolean {
  if (!matches(rule.events, target.event) || !matches(rule.references, target.reference)) return false;
  if (!matches(rule.paths, target.path) || !matches(rule.methods, target.method)) return false;
  const count = world.state.chaos.counts[rule.id];
  if (!count) return false;
  world.changes++;
  const position = count.matched++ - rule.after;
  if (position < 0 || position % rule.every !== 0) return false;
  if (rule.limit !== undefined && count.fired >= rule.limit) return false;
  if (rule.probability < 1 && world.draw('chaos', rule.id, count.matched) >= rule.probability) return false;
  count.fired++;
  return true;
}

/** Logs a fault that `rule` has planted. */
export function noteFault(world: World, rule: Rule, fault: Pick<PlantedFault, 'target' | 'reference' | 'note'>): void {
  const { chaos } = world.state;
  chaos.log.push({ at: world.stamp(), rule: rule.id, do: rule.do, ...fault });
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
