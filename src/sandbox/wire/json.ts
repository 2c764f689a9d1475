/** JSON as the service speaks it: numbers keep their own digits, and webhooks use the sender's escapes. */

/** `JSON.rawJSON` and the reviver's source text are newer than the type library. */
const rawJson = (JSON as unknown as { rawJSON: (token: string) => unknown }).rawJSON;
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as unknown as (text: string, reviver: SourceReviver) => unknown;

/** A number by its source token, so that 90071992547409.93 neither loses nor gains a digit on its way through. */
export class WireNumber {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }
  toJSON(): unknown {
    return rawJson(this.token);
  }
}

/** Parses a request body; numbers come back as `WireNumber`. Throws SyntaxError, or RangeError when nested too deep. */
export function decodeJson(text: string): unknown {
  return parseWithSource(text, (_key, value, context) =>
    typeof value === 'number' ? new WireNumber(context.source ?? String(value)) : value,
  );
}

export function encodeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** The sender's dialect (decisions part 1): `/` as `\/`, non-ASCII as `\uXXXX`. A re-serialised body breaks its HMAC. */
export function encodeWebhookJson(value: unknown): string {
  return JSON.stringify(value).replace(/[/\u0080-\uffff]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same content always gives the same text: keys sorted, numbers by token. */
export function canonicalJson(value: unknown): string {
  if (value instanceof WireNumber) return value.token;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
