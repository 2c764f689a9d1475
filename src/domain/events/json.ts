import { isAscii, isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

/** A JSON number as its source digits: `JSON.parse` alone would round 90071992547409.93 and turn 1.10 into 1.1. */
export class NumberToken {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Written as the number with these digits: `JSON.stringify` of a parsed body has its numbers as they were sent. */
  toJSON(): unknown {
    return rawJson(this.source);
  }
}

/** TypeScript's types lack JSON.rawJSON. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };

export type Json = null | boolean | string | NumberToken | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/** Why the bytes are not a JSON document that every parser reads alike. */
export type BodyFault = 'encoding' | 'syntax' | 'depth' | 'size' | 'duplicate_keys';
export type ParsedBody =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly fault: BodyFault };

export const MAX_DEPTH = 64;
/** Most values of a document. A webhook has about 30; reading 1 MiB of values would delay other deliveries by 0.5 s. */
export const MAX_VALUES = 10_000;

/**
 * Reads raw bytes strictly: valid UTF-8 (a leading BOM is dropped), at most 64 levels deep, at most `maxValues` values,
 * no name twice in one object. Never throws.
 */
export function parseBody(bytes: Uint8Array, maxValues = MAX_VALUES): ParsedBody {
  const text = decode(bytes);
  if (text === null) return { ok: false, fault: 'encoding' };
  // Depth is checked first: a reviver overflows the stack near 5,000 levels.
  const shape = scan(text);
  if (shape.depth > MAX_DEPTH) return { ok: false, fault: 'depth' };
  if (shape.values > maxValues) return { ok: false, fault: 'size' };
  let value: Json;
  try {
    value = shape.hasNumbers ? parseKeepingDigits(text) : JSON.parse(text);
  } catch {
    return { ok: false, fault: 'syntax' };
  }
  // JSON.parse keeps the last of two equal names, so a document with duplicates names more members than it yields.
  if (countMembers(value) !== shape.members) return { ok: false, fault: 'duplicate_keys' };
  return { ok: true, value };
}

/** sha256 (hex) of the canonical document: names sorted, strings unescaped, numbers as exact decimals. */
export function canonicalDigest(value: Json): string {
  return sha256(canonical(value));
}

/** sha256 in hex, of text as of its UTF-8 bytes. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberToken);
}

/** Returns an own member, never an inherited one: `constructor` in a body is a name like any other. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the string of a body that is exactly `{ "data": "<string>" }`, else null (decision 86). */
export function encryptedPayload(body: Json): string | null {
  if (!isObject(body) || Object.keys(body).length !== 1) return null;
  const data = member(body, 'data');
  return typeof data === 'string' && data !== '' ? data : null;
}

function decode(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(bytes)) return buffer.toString('latin1');
  if (!isUtf8(bytes)) return null;
  const text = buffer.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

type Reviver = (name: string, value: unknown, context: { source: string }) => unknown;

/** TypeScript's types of JSON.parse lack the reviver's third parameter, which holds the source text. */
const parseKeepingDigits = (text: string): Json =>
  (JSON.parse as (text: string, reviver: Reviver) => Json)(text, keepDigits);

function keepDigits(_name: string, value: unknown, context: { source: string }): unknown {
  return typeof value === 'number' ? new NumberToken(context.source) : value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO_DIGIT = 0x30;

/** One pass outside the strings. Its counts are exact for every text that JSON.parse accepts. */
function scan(text: string): { depth: number; values: number; members: number; hasNumbers: boolean } {
  let [level, depth, opened, commas, members, hasNumbers] = [0, 0, 0, 0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      opened++;
      depth = Math.max(depth, ++level);
    } else if (code === 0x2c) commas++;
    else if (code === 0x7d || code === 0x5d) level--;
    else if (code === 0x3a) members++;
    else if (code >= 0x30 && code <= 0x39) hasNumbers = true;
  }
  return { depth, values: opened + commas, members, hasNumbers };
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function countMembers(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMembers(item), 0);
  if (!isObject(value)) return 0;
  const names = Object.keys(value);
  let count = names.length;
  for (const name of names) {
    const inner = value[name];
    if (typeof inner === 'object' && inner !== null) count += countMembers(inner);
  }
  return count;
}

function canonical(value: Json): string {
  if (value instanceof NumberToken) return canonicalNumber(value.source);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join(',')}}`;
}

/** Most zeros that an exponent is written out as; no id has as many. */
const MAX_ZEROS = 40;

/**
 * Returns the exact digits of a number in a text field, such as an id (decisions 89). Every spelling of a number gives
 * the same text, so the result does not depend on which of two encodings of one content came first.
 */
export function numberText({ source }: NumberToken): string {
  const canonicalText = canonicalNumber(source);
  const [, sign = '', digits = '', exponent = ''] = /^(-?)(\d+)e(-?\d+)$/.exec(canonicalText) ?? [];
  const shift = Number(exponent);
  if (digits === '' || Math.abs(shift) > MAX_ZEROS) return canonicalText;
  if (shift >= 0) return `${sign}${digits}${'0'.repeat(shift)}`;
  const padded = digits.padStart(1 - shift, '0');
  return `${sign}${padded.slice(0, shift)}.${padded.slice(shift)}`;
}

const NUMBER = /^(-?)0*(\d*)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d*))?$/;
/** Longest exponent that is added exactly: a megabyte of digits would take seconds. A longer one is left as it was sent. */
const MOST_EXPONENT_DIGITS = 1_000;

/** One text for `1e3`, `1000` and `1000.0`: sign, significant digits, exponent. Not expanded, so 1e999999999 is cheap. */
function canonicalNumber(source: string): string {
  const parts = NUMBER.exec(source) as RegExpExecArray; // it matches every number of JSON
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponent = ''] = parts;
  const digits = whole + fraction;
  // A loop, because /0+$/ takes quadratic time on a megabyte of zeros that ends in a 1.
  let [first, end] = [0, digits.length];
  while (digits.charCodeAt(end - 1) === ZERO_DIGIT) end--;
  // Zero has one text, with any exponent.
  if (end === 0) return '0';
  while (digits.charCodeAt(first) === ZERO_DIGIT) first++;
  if (exponent.length > MOST_EXPONENT_DIGITS) return source.toLowerCase();
  const moved = digits.length - end - fraction.length;
  return `${sign}${digits.slice(first, end)}e${shifted(exponentSign, exponent === '' ? '0' : exponent, moved)}`;
}

/** The sum of an exponent, as sign and digits, and a number of places; as text. */
function shifted(sign: string, digits: string, moved: number): string {
  const exponent = BigInt(digits);
  return String((sign === '-' ? -exponent : exponent) + BigInt(moved));
}
