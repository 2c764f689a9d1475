import type { z } from 'zod';
import { didYouMean } from '../../config/did-you-mean.ts';
import type { JsonSchema } from '../../config/json-schema.ts';
import type { Problem } from '../../config/problems.ts';
import { valueSeen } from '../../config/shown.ts';

/** A rule about several settings that a file breaks. */
export interface BrokenRule {
  readonly path: readonly PropertyKey[];
  readonly rule: string;
}

/** Returns the line on which a setting stands, from 1. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/**
 * Returns every mistake in the settings of a file: those that the schema found, and rules about several settings. A setting that the
 * schema refuses is not named twice. With `lineOf` each is named with its line, in their order.
 */
export function settingProblems(
  settings: object,
  issues: readonly z.core.$ZodIssue[],
  broken: readonly BrokenRule[],
  schema: () => JsonSchema,
  lineOf?: LineOf,
): Problem[] {
  const seen = (path: readonly PropertyKey[]) => valueSeen(settingAt(settings, path), { secret: false });
  const advised = (problem: Unplaced, word: unknown, known: () => readonly string[]): Unplaced => {
    const suggestion = typeof word === 'string' ? didYouMean(word, known()) : undefined;
    return suggestion === undefined ? problem : { ...problem, suggestion };
  };
  // Making the schema takes milliseconds, and a file of a megabyte has 100,000 unknown names.
  let described: JsonSchema | undefined;
  const found = issues.flatMap((issue): Placed[] => {
    const { path } = issue;
    if (issue.code === 'unrecognized_keys') {
      described ??= schema();
      const names = namesAt(described, path);
      const known = () => names;
      return issue.keys.map((key) => ({ at: [...path, key], ...advised({ rule: 'is not a setting' }, key, known) }));
    }
    const words = () =>
      issue.code === 'invalid_value' ? issue.values.filter((value) => typeof value === 'string') : [];
    return [{ at: path, ...advised({ seen: seen(path), rule: issue.message }, settingAt(settings, path), words) }];
  });
  const reported = new Set(found.map(({ at }) => pathOf(at)));
  const rules = broken.filter(({ path }) => !reported.has(pathOf(path)));
  const placed: Placed[] = [...found, ...rules.map(({ path, rule }) => ({ at: path, seen: seen(path), rule }))];
  if (lineOf === undefined) return placed.map(({ at, ...problem }) => ({ path: pathOf(at), ...problem }));
  return placed
    .map((problem) => ({ line: lineOf(problem.at), ...problem }))
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, at, ...problem }) => ({ path: `line ${line}, ${pathOf(at)}`, ...problem }));
}

type Unplaced = Omit<Problem, 'path'>;
type Placed = Unplaced & { readonly at: readonly PropertyKey[] };

/** Returns the value at a path, or undefined where the path ends early. */
export function settingAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((node, step) => (Object(node) as Record<PropertyKey, unknown>)[step], tree);
}

/** Returns the names allowed at a path such as ['file'], for "did you mean". */
function namesAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  let node: JsonSchema | undefined = schema;
  for (const step of path) {
    const list: JsonSchema | undefined = node === undefined ? undefined : notNull(node);
    node = typeof step === 'number' ? list?.items : list?.properties?.[String(step)];
  }
  return Object.keys((node === undefined ? undefined : notNull(node))?.properties ?? {});
}

/** A setting that may be null has its map beside null. */
function notNull(schema: JsonSchema): JsonSchema {
  const forms = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [];
  return forms.find(({ properties }) => properties !== undefined) ?? schema;
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}
