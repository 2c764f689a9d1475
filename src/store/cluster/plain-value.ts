/*
 * The plain values of the port as text: JSON, with a mark for what JSON does not have. The same value gives the same text on every machine,
 * which the engine's own serializer does not promise: it tells numbers and texts apart by how they lie in memory.
 */

/** The only name in an object that stands for a value of another type. */
const MARK = '$';

type Marked = readonly [kind: 'big' | 'bytes' | 'none' | 'number' | 'object' | 'set' | 'map', value?: unknown];

/** Returns `value` as text. Throws a TypeError for what is no plain value, such as a function. */
export function textOf(value: unknown): string {
  return JSON.stringify(toJson(value));
}

/** Returns the value that `textOf` was given. */
export function plainValueOf(text: string): unknown {
  return fromJson(JSON.parse(text));
}

function marked(...[kind, value]: Marked): { readonly [MARK]: Marked } {
  return { [MARK]: value === undefined ? [kind] : [kind, value] };
}

function toJson(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : marked('number', String(value));
    case 'bigint':
      return marked('big', String(value));
    case 'undefined':
      return marked('none');
    case 'object':
      return value === null ? null : objectToJson(value);
    default:
      throw new TypeError(`A ${typeof value} cannot be kept in an entry.`);
  }
}

function objectToJson(value: object): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Uint8Array) return marked('bytes', Buffer.from(value).toString('base64'));
  if (value instanceof Set) return marked('set', [...value].map(toJson));
  if (value instanceof Map) return marked('map', [...value].map(toJson));
  const plain = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toJson(one)]));
  return Object.hasOwn(plain, MARK) ? marked('object', plain) : plain;
}

function fromJson(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(fromJson);
  const mark = (json as { readonly [MARK]?: Marked })[MARK];
  return mark === undefined ? objectFromJson(json) : fromMarked(mark);
}

function fromMarked([kind, value]: Marked): unknown {
  switch (kind) {
    case 'big':
      return BigInt(value as string);
    case 'bytes':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'none':
      return undefined;
    case 'number':
      return Number(value);
    case 'object':
      return objectFromJson(value as object);
    case 'set':
      return new Set((value as unknown[]).map(fromJson));
    case 'map':
      return new Map((value as unknown[]).map(fromJson) as [unknown, unknown][]);
  }
}

function objectFromJson(json: object): object {
  return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, fromJson(one)]));
}
