import { parse } from 'yaml';
import { z } from 'zod';
import { type RuleInput, ruleSchema } from '../world/chaos-rules.ts';
import { type SettingsInput, settingsSchema } from '../world/settings.ts';

/** The content of a chaos file; `docs/sandbox.md` shows one. */
export interface ChaosFile {
  readonly seed?: number;
  readonly settings?: SettingsInput;
  readonly rules?: readonly RuleInput[];
}

const fileSchema = z.strictObject({
  seed: z
    .int()
    .min(0)
    .max(2 ** 31)
    .optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  rules: z.array(z.unknown()).optional(),
});

/** The content of a chaos file in YAML. Throws one error that lists every problem with its path. */
export function readChaosFile(text: string): ChaosFile {
  const content: unknown = parse(text) ?? {};
  const file = fileSchema.safeParse(content);
  const problems = file.success ? [] : issues(file.error, []);
  const { settings = {}, rules = [] } = content as { settings?: unknown; rules?: unknown };
  if (isMapping(settings)) {
    const checked = settingsSchema.safeParse(settings);
    if (!checked.success) problems.push(...issues(checked.error, ['settings']));
  }
  for (const [position, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const checked = ruleSchema.safeParse(rule);
    if (!checked.success) problems.push(...issues(checked.error, ['rules', position]));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return content as ChaosFile;
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issues(error: z.ZodError, at: readonly PropertyKey[]): string[] {
  return error.issues.map(({ path, message }) => `${[...at, ...path].map(String).join('.') || 'file'}: ${message}`);
}
