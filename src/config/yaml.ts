import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { type Problem, reasonOf } from './problems.ts';
import { valueSeen } from './shown.ts';

/** Reads a map of settings. Reports positions instead of the parser's messages, because the line may hold a secret. */
export function readYaml(file: string, problems: Problem[]): Record<string, unknown> {
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
    const open = openAliases(document);
    const rule = 'is an alias (*…) of an anchor that is not before it: write what begins with * in quotes';
    for (const offset of open) problems.push({ path: at(offset), rule });
    if (document.errors.length > 0 || open.length > 0) return {};
    const root: unknown = document.toJS() ?? {};
    if (typeof root === 'object' && root !== null && !Array.isArray(root)) return root as Record<string, unknown>;
    problems.push({ path: 'the file', seen: valueSeen(root, { secret: true }), rule: 'must be a map of settings' });
  } catch (error) {
    problems.push({ path: file, rule: `cannot be read: ${reasonOf(error)}` });
  }
  return {};
}

/** The offsets of the aliases without an anchor: the parser names them only in an error that repeats their text. */
function openAliases(document: Document.Parsed): number[] {
  const offsets: number[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) === undefined) offsets.push(alias.range?.[0] ?? 0);
    },
  });
  return offsets;
}
