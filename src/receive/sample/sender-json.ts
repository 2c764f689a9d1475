/** A number with its exact digits, because a float would not keep `10.10` (decisions part 3). */
export class NumberToken {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type SenderValue =
  | string
  | boolean
  | null
  | NumberToken
  | readonly SenderValue[]
  | { readonly [name: string]: SenderValue };

/**
 * Returns JSON as the service's encoder writes it: compact, `/` as `\/`, characters beyond ASCII as `\uxxxx` (decisions
 * part 1). A receiver that re-encodes a body before verifying its signature fails on this form.
 */
export function senderJson(value: SenderValue): string {
  if (typeof value === 'string') return senderString(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof NumberToken) return value.text;
  if (isList(value)) return `[${value.map(senderJson).join(',')}]`;
  const members = Object.entries(value).map(([name, member]) => `${senderString(name)}:${senderJson(member)}`);
  return `{${members.join(',')}}`;
}

function senderString(text: string): string {
  return JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isList(value: SenderValue): value is readonly SenderValue[] {
  return Array.isArray(value);
}
