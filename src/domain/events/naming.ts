import type { Environment } from '../environment.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { isObject, type Json, type JsonObject, member, NumberToken, numberText } from './json.ts';

// Which record, and which environment, an object of the service names: the same rules for webhooks, answers and list rows.

const MAX_KEY_TEXT = 255;

/** The field in which a record has its reference. */
const REFERENCE = {
  refund: 'refund_reference',
  payout: 'reference',
  collection: 'reference',
} as const satisfies Record<RecordKind, string>;

/** Returns the reference in a record's object, or null when it has no valid one. Every spelling of a number is one text. */
export function referenceOf(data: JsonObject, kind: RecordKind | 'unknown'): string | null {
  for (const name of kind === 'unknown' ? ['reference', 'refund_reference'] : [REFERENCE[kind]]) {
    const value = member(data, name);
    const text = value instanceof NumberToken ? numberText(value) : value; // decision 89: numeric ids are kept as text
    if (typeof text === 'string' && isReference(text)) return text;
  }
  return null;
}

/** Returns whether a text can be a reference: opaque, case-sensitive, 1 to 255 characters (decision 88). */
export function isReference(text: string): boolean {
  return text !== '' && isKeyText(text);
}

/** Returns whether a text is well-formed, of bounded length, and without NUL, which not every SQL engine can store in text. */
export function isKeyText(text: string): boolean {
  return text.length <= MAX_KEY_TEXT && text.isWellFormed() && !text.includes('\0');
}

/** Objects in which an answer may hold its record, by kind (decisions 22, 47, 72). */
const WRAPPER = { refund: 'refund', payout: 'payout', collection: 'transaction' } as const satisfies Record<
  RecordKind,
  string
>;

/**
 * Returns the object of an answer that is its record: of `data.payout` (`refund`, `transaction`), `data`, `payout` and the body
 * the first that names a reference, else the first that there is; null without one, or when it is empty. The body counts only
 * without an object `data` and with a reference: any other `status` of it is that of the envelope, not of a payment. Pure.
 */
export function recordIn(root: JsonObject, kind: RecordKind): JsonObject | null {
  const data = member(root, 'data');
  const outer = isObject(data) ? [member(data, WRAPPER[kind]), data] : [];
  const isBodyRecord = outer.length === 0 && member(root, REFERENCE[kind]) !== undefined;
  const candidates = [...outer, member(root, WRAPPER[kind]), isBodyRecord ? root : undefined].filter(isObject);
  const record = candidates.find((each) => referenceOf(each, kind) !== null) ?? candidates[0];
  return record === undefined || Object.keys(record).length === 0 ? null : record;
}

/** Returns the objects of a document from its root to its record: each of them may name the record or the environment. */
export function objectsToRecord(root: JsonObject, kind: RecordKind | 'unknown'): JsonObject[] {
  const data = member(root, 'data');
  const outer = isObject(data) ? [root, data] : [root];
  if (kind === 'unknown') return outer;
  const inner = outer.map((each) => member(each, WRAPPER[kind])).filter((each) => isObject(each));
  return [...outer, ...inner];
}

/** Spellings of the two environments in `domain`; any other value names neither. */
const DOMAINS: ReadonlyMap<string, Environment> = new Map([
  ['test', 'test'],
  ['sandbox', 'test'],
  ['live', 'live'],
  ['production', 'live'],
]);

/**
 * Returns why the `domain` of one of the objects, in any letter case, does not name the environment of the key: a clause for a
 * person (decision 16). Null when each names it, or is missing, null or empty. A value that names no environment, also one that is
 * not text, may be a new spelling of the other one: nothing is taken from it. Pure.
 */
export function environmentFault(objects: readonly JsonObject[], environment: Environment): string | null {
  if (objects.flatMap(domainsIn).every((one) => one === environment)) return null;
  const what = namesOtherEnvironment(objects, environment)
    ? 'it is about the other environment'
    : `its \`domain\` is not "${environment}"`;
  return `a key of ${environment} asked, and ${what}`;
}

/** Whether the `domain` of one of the objects is a spelling of the other environment (decision 16). Pure. */
export function namesOtherEnvironment(objects: readonly JsonObject[], environment: Environment): boolean {
  return objects.flatMap(domainsIn).some((one) => one !== null && one !== environment);
}

/** The environments that the object names; null for a `domain` that names none. */
function domainsIn(object: JsonObject): (Environment | null)[] {
  return valuesNamed(object, 'domain').flatMap((domain) => {
    const text = typeof domain === 'string' ? domain.trim().toLowerCase() : domain;
    if (text === '') return [];
    return [typeof text === 'string' ? (DOMAINS.get(text) ?? null) : null];
  });
}

/** Returns the values, without null, of the fields that have this name in any letter case. */
export function valuesNamed(object: JsonObject, fieldName: string): Json[] {
  const values: Json[] = [];
  for (const name of Object.keys(object)) {
    if (name.length !== fieldName.length || name.toLowerCase() !== fieldName) continue;
    const value = object[name] ?? null;
    if (value !== null) values.push(value);
  }
  return values;
}
