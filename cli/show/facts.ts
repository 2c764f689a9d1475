import { print } from './output.ts';

/** Lines of a name and a value, lined up. */
export function printFacts(facts: readonly (readonly [string, string | number | null])[]): void {
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) print(`${name.padEnd(width)}  ${String(value ?? '-').replaceAll('\n', '\ufffd')}`);
}

/** ISO 8601 in UTC with milliseconds, for JSON. */
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
