import { isRecord, kindOf } from '../../domain/misuse.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';

// Checks of what a caller in plain JavaScript can pass against the types. A wrong value is named by its field and kind, never
// quoted: it may be a secret in the wrong place.

export { isRecord, kindOf };

/** Requires the object of a call. `example` is the call as it should be. Throws RequestRefusedError. */
export function requireRequest(value: unknown, example: string): void {
  if (!isRecord(value))
    throw new RequestRefusedError('request', `is ${kindOf(value)}, and must be an object: ${example}`);
}

/** Requires options to be missing or an object, and each of `flags` in them to be missing or a boolean. Throws RequestRefusedError. */
export function requireOptions(value: unknown, flags: readonly string[] = []): void {
  if (value === undefined) return;
  if (!isRecord(value))
    throw new RequestRefusedError('options', `is ${kindOf(value)}, and must be an object or left out`);
  for (const flag of flags) {
    const given = value[flag];
    if (given === undefined || typeof given === 'boolean') continue;
    throw new RequestRefusedError(flag, `is ${kindOf(given)}, and must be true, false or left out`);
  }
}

/** Requires each of the fields to be missing or a text. Throws RequestRefusedError. */
export function optionalTexts(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || typeof value === 'string') continue;
    throw new RequestRefusedError(name, `is ${kindOf(value)}, and must be a text or left out`);
  }
}

/** Requires a field to be missing or one of the words. Throws RequestRefusedError. */
export function optionalWord(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && words.includes(value))) return;
  const seen = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : kindOf(value);
  throw new RequestRefusedError(name, `is ${seen}, and may be ${words.join(', ')}`);
}
