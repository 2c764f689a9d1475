import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { aliasMistakes, sharedPaths } from './aliases.ts';
import { type Problem, reasonOf } from './problems.ts';
import { valueSeen } from './shown.ts';

/**
 * Reads a map of settings. Reports positions instead of the parser's messages, because the line may hold a secret. Adds to `hidden`
 * the paths (`pathKey`) whose value no message may show.
 */
export function readYaml(file: string, problems: Problem[], hidden: Set<string>): Record<string, unknown> {
  try {
    const lineCounter = new LineCounter();
    const text = readFileSync(file, 'utf8');
    // With a lower level the parser would print a warning that repeats a key.
    const document = parseDocument(text, { prettyErrors: false, lineCounter, logLevel: 'error' });
    const at = (offset: number): string => {
      const { line, col } = lineCounter.linePos(offset);
      return `line ${line}, column ${col}`;
    };
    for (const { code, pos } of [...document.errors, ...document.warnings]) {
      const mistake = code.toLowerCase().replaceAll('_', ' ');
      // Example: `sweep: * * * * *`.
      const advice = code === 'BAD_ALIAS' ? ': write what begins with * in quotes' : '';
      problems.push({ path: at(pos[0]), rule: `is not valid YAML (${mistake})${advice}` });
    }
    const mistakes = aliasMistakes(document);
    for (const { offset, rule } of mistakes) problems.push({ path: at(offset), rule });
    if (document.errors.length > 0 || mistakes.length > 0) return {};
    const root: unknown = document.toJS() ?? {};
    for (const path of sharedPaths(document)) hidden.add(path);
    if (typeof root === 'object' && root !== null && !Array.isArray(root)) return root as Record<string, unknown>;
    problems.push({ path: 'the file', seen: valueSeen(root, { secret: true }), rule: 'must be a map of settings' });
  } catch (error) {
    problems.push({ path: file, rule: `cannot be read: ${reasonOf(error)}` });
  }
  return {};
}
