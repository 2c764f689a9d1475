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

/** The names of all members of `Members`; it compiles only when `names` has each of them, and no other. */
export function namesOf<Members>(names: Readonly<Record<keyof Members, true>>): readonly string[] {
  return Object.keys(names);
}

/**
 * Returns the first member of `given` that is not in `known`, and what is known; null when all are. Otherwise a misspelt name
 * would leave a default in force without a word.
 */
export function unknownMember(given: object, known: readonly string[]): UnknownMember | null {
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name === undefined) return null;
  const meant = meantBy(name, known);
  const advice = meant === undefined ? '.' : `: did you mean ${meant}?`;
  return {
    name: name.slice(0, LONGEST_SHOWN_NAME).toWellFormed(),
    rule: `is not known here${advice} Known: ${known.join(', ')}`,
  };
}

interface UnknownMember {
  readonly name: string;
  /** The rest of the sentence, without its full stop. */
  readonly rule: string;
}

/** Requires `given` to have known members only. Throws TallyhookError of kind `usage`. */
export function requireKnown(given: object, known: readonly string[]): void {
  const unknown = unknownMember(given, known);
  if (unknown !== null) throw new TallyhookError(`${unknown.name} ${unknown.rule}.`, { kind: 'usage' });
}

const LONGEST_SHOWN_NAME = 80;

/** The known name that is spelt so but for capitals, or that is longer or shorter at its end: `timeout` for `timeoutMs`. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  return known.find((each) => {
    const one = each.toLowerCase();
    return wanted.length > 0 && (one.startsWith(wanted) || wanted.startsWith(one));
  });
}
