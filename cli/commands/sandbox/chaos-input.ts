import { readFileSync } from 'node:fs';
import { didYouMean } from '../../../src/config/did-you-mean.ts';
import { type Problem, problemLine, reasonOf } from '../../../src/config/problems.ts';
import { parseYaml } from '../../../src/config/yaml.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type ChaosFile, readChaosFile } from '../../../src/sandbox/chaos/file.ts';
import { RULE_NAMES } from '../../../src/sandbox/world/chaos-rules.ts';
import { UsageError } from '../../options/options.ts';

// Chaos rules as a person writes them: one on the command line, several in a file.

/** One rule, written in YAML. */
export function readRule(text: string): object {
  const { document, mistakes, isBroken } = parseYaml(text);
  if (isBroken) throw new UsageError(`The rule cannot be read:${linesOf(mistakes)}`, RULE_EXAMPLE);
  const rule: unknown = document.toJS();
  if (typeof rule === 'object' && rule !== null && !Array.isArray(rule)) {
    requireKnown(rule);
    return rule;
  }
  throw new UsageError(`The rule is ${JSON.stringify(text)}: it must be a mapping with \`do\`.`, RULE_EXAMPLE);
}

/** @throws UsageError when the rule does what none does */
function requireKnown(rule: object): void {
  const wanted = 'do' in rule ? rule.do : undefined;
  if (typeof wanted !== 'string' || RULE_NAMES.some((name) => name === wanted)) return;
  const meant = didYouMean(wanted, RULE_NAMES);
  const message = `The rule's do is ${JSON.stringify(wanted)}: it must be one of: ${RULE_NAMES.join(', ')}.`;
  throw new UsageError(message, meant === undefined ? RULE_EXAMPLE : `Did you mean ${meant}?`);
}

const RULE_EXAMPLE = "For example: '{do: drop, probability: 0.1}'";

/** The chaos file at `path`; what is wrong with it is listed whole, as wrong configuration. */
export function chaosFileAt(path: string): ChaosFile {
  const text = textOf(path);
  const { mistakes, isBroken } = parseYaml(text);
  if (isBroken) throw new TallyhookError(`${path} cannot be read:${linesOf(mistakes)}`, { kind: 'configuration' });
  try {
    return readChaosFile(text);
  } catch (error) {
    const hint = 'docs/sandbox.md describes every rule and setting.';
    throw new TallyhookError(`${path}: ${(error as Error).message}`, { kind: 'configuration', hint, cause: error });
  }
}

function linesOf(mistakes: readonly Problem[]): string {
  return mistakes.map((mistake) => `\n  ${problemLine(mistake)}`).join('');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const hint = 'Give the path of a chaos file; docs/sandbox.md describes every rule and setting.';
    throw new TallyhookError(`Cannot read ${path}: ${reasonOf(cause)}.`, { kind: 'configuration', hint, cause });
  }
}
