import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';

/**
 * The JSON field names of `result` that are missing from the `sections` (headings) of docs/cli.md, from the sections whose fields these
 * say that they have ("as in [`health`](#health)"), and from its Lists.
 */
export function undocumentedFields(result: unknown, sections: readonly string[]): string[] {
  const commandLine = readFileSync(packageFile('docs/cli.md'), 'utf8');
  const known = commandLine.split('\n## ').map((text) => [anchorOf(text.split('\n')[0] ?? ''), text] as const);
  const textOf = (anchor: string) => known.find(([one]) => one === anchor)?.[1] ?? '';
  const own = [...sections, 'Lists'].map((section) => textOf(anchorOf(section))).join('\n');
  const linked = [...own.matchAll(/(?:as\s+(?:in|of)|fields\s+of)\s+\[[^\]]+\]\(#([\w-]+)\)/g)].map(([, anchor = '']) =>
    textOf(anchor),
  );
  const text = [own, ...linked].join('\n');
  return [...new Set(namesIn(result))].filter((name) => !text.includes(`\`${name}\``));
}

/** The anchor of a heading, as common Markdown viewers form it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Fields whose own keys are data: names of fields, statuses and reasons. */
const MAPS = new Set(['facts', 'details', 'records', 'byState', 'byKind', 'openFindings', 'rows', 'says']);

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...(MAPS.has(name) ? [] : namesIn(inner))]);
}
