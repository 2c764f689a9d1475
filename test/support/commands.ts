import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';

/** The JSON field names of `result` that are missing from the `sections` (headings) of docs/cli.md, and from its Lists. */
export function undocumentedFields(result: unknown, sections: readonly string[]): string[] {
  const commandLine = readFileSync(packageFile('docs/cli.md'), 'utf8');
  const text = [...sections, 'Lists']
    .map((section) => commandLine.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '')
    .join('\n');
  return [...new Set(namesIn(result))].filter((name) => !text.includes(`\`${name}\``));
}

/** Fields whose own keys are data: names of fields, statuses and reasons. */
const MAPS = new Set(['facts', 'details', 'records', 'byState', 'byKind', 'openFindings', 'rows', 'says']);

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...(MAPS.has(name) ? [] : namesIn(inner))]);
}
