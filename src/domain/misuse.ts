import { TallyhookError } from './error.ts';

// Checks of what a caller in plain JavaScript can pass against the types. A wrong value is named by its kind, never quoted: it may
// be a secret in the wrong place.

/** Returns the kind of a value in words: `a number`, `null`, `a list`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Whether a value has members to read: no list, no text, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Requires `fits`. `cure` says what to write. Throws TallyhookError of kind `usage`. */
export function requireArgument(name: string, value: unknown, fits: boolean, cure: string): void {
  if (!fits) throw new TallyhookError(`${name} is ${kindOf(value)}, and must be ${cure}.`, { kind: 'usage' });
}

/** Requires an object with members, such as options. `example` is the call as it should be. */
export function requireObject(name: string, value: unknown, example: string): void {
  requireArgument(name, value, isRecord(value), `an object: ${example}`);
}

export function requireText(name: string, value: unknown): void {
  requireArgument(name, value, typeof value === 'string', 'a text');
}
