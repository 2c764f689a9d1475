import { isRecord, kindOf, namesOf, unknownMember } from '../../domain/misuse.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';

// Checks of what a caller in plain JavaScript can pass against the types. A wrong value is named by its field and kind, never
// quoted: it may be a secret in the wrong place.

export { isRecord, kindOf, namesOf };

/** Requires the object of a call, with `known` members only. `example` is the call as it should be. Throws RequestRefusedError. */
export function requireRequest(value: unknown, known: readonly string[], example: string): void {
  if (!isRecord(value))
    throw new RequestRefusedError('request', `is ${kindOf(value)}, and must be an object: ${example}`);
  requireKnown(value, known);
}

/** Requires options to be missing or an object with `known` members only, and each of `flags` in them a boolean. Throws RequestRefusedError. */
export function requireOptions(value: unknown, known: readonly string[], flags: readonly string[] = []): void {
  if (value === undefined) return;
  if (!isRecord(value))
    throw new RequestRefusedError('options', `is ${kindOf(value)}, and must be an object or left out`);
  requireKnown(value, known);
  for (const flag of flags) {
    const given = value[flag];
    if (given === undefined || typeof given === 'boolean') continue;
    throw new RequestRefusedError(flag, `is ${kindOf(given)}, and must be true, false or left out`);
  }
}

function requireKnown(given: object, known: readonly string[]): void {
  const unknown = unknownMember(given, known);
  if (unknown !== null) throw new RequestRefusedError(unknown.name, unknown.rule);
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
