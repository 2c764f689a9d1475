// JSON as the service writes it: numbers keep their digits, and webhooks use the sender's escapes.

/** `JSON.rawJSON` and the reviver's source text are newer than the type library. */
const rawJson = (JSON as unknown as { rawJSON: (token: string) => unknown }).rawJSON;
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as unknown as (text: string, reviver: SourceReviver) => unknown;

/** A number as its source text, so that 90071992547409.93 keeps every digit. */
export class WireNumber {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }
  toJSON(): unknown {
    return rawJson(this.token);
  }
}

/** The value of a JSON text, with numbers as `WireNumber`. Throws SyntaxError, or RangeError when nested too deep. */
export function decodeJson(text: string): unknown {
  return parseWithSource(text, (_key, value, context) =>
    typeof value === 'number' ? new WireNumber(context.source ?? String(value)) : value,
  );
}

export function encodeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** JSON with the sender's escapes (decisions part 1): `\/`, and `\uXXXX` for non-ASCII. Other escapes break the HMAC. */
export function encodeWebhookJson(value: unknown): string {
  return JSON.stringify(value).replace(/[/\u0080-\uffff]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON with sorted keys and source numbers: equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  if (value instanceof WireNumber) return value.token;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
