import { UsageError } from '../../options/options.ts';

/**
 * Reads saved headers: a JSON object, a JSON list of [name, value] pairs, or `Name: value` lines (also with the request line
 * that curl and proxies print first, and with `< ` or `> ` in front).
 */
export function parseHeaders(text: string): Record<string, unknown> {
  const trimmed = text.trim();
  return /^[{[]/.test(trimmed) ? fromJson(trimmed) : fromLines(trimmed);
}

function fromJson(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The headers file begins like JSON but is not valid: ${(error as Error).message}`);
  }
  const pairs: unknown[] = Array.isArray(parsed) ? parsed : Object.entries(Object(parsed));
  return collect(pairs.map((pair) => (Array.isArray(pair) ? [String(pair[0]), pair[1]] : ['', undefined])));
}

function fromLines(text: string): Record<string, unknown> {
  const lines = text.split(/\r?\n/).map((line) => /^(?:[<>] )?([^\s:]+):(.*)$/.exec(line));
  // Removes only the spaces around a value, which HTTP allows; the diagnosis reports anything else.
  return collect(lines.map((match) => (match === null ? ['', undefined] : [match[1] ?? '', (match[2] ?? '').trim()])));
}

/** A name that occurs twice keeps both values, so that the diagnosis finds the repetition. */
function collect(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const headers: Record<string, unknown> = Object.create(null);
  for (const [name, value] of pairs) {
    if (name === '') continue;
    headers[name] = name in headers ? [headers[name], value].flat() : value;
  }
  return headers;
}
