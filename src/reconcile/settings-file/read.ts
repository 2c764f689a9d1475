import type { Document, LineCounter } from 'yaml';
import { type Problem, reasonOf, settingsBytes } from '../../config/problems.ts';
import { valueSeen } from '../../config/shown.ts';
import { parseYaml } from '../../config/yaml.ts';

// Files that a person writes for reconciliation, in YAML: profiles and rules. What is wrong is added to `problems`.

/** The settings of a file before they are checked. */
export type Settings = Record<string, unknown>;

export interface SettingsDocument {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Returns the text of a file; null with a problem. `tooLarge` is what to do about a file that is no file of settings. */
export function settingsText(path: string, tooLarge: string, problems: Problem[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(settingsBytes(path));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : reasonOf(error);
    const hint = /larger than/.test(reason) ? `: ${tooLarge}` : '';
    problems.push({ path: 'the file', rule: `cannot be read: ${reason}${hint}` });
    return null;
  }
}

/** Returns the text as a document that can be used; null with a problem for each place that is no YAML. */
export function settingsDocument(text: string, problems: Problem[]): SettingsDocument | null {
  const { document, lines, mistakes } = parseYaml(text);
  problems.push(...mistakes);
  return mistakes.length === 0 ? { document, lines } : null;
}

/** Returns the settings of a document; null with a problem when it is no map. */
export function settingsIn(document: Document.Parsed, problems: Problem[]): Settings | null {
  const root: unknown = document.toJS({ maxAliasCount: -1 }) ?? {}; // aliasMistakes has its own bound
  if (typeof root === 'object' && root !== null && !Array.isArray(root)) return root as Settings;
  problems.push({ path: 'the file', seen: valueSeen(root, { secret: false }), rule: 'must be a map of settings' });
  return null;
}
