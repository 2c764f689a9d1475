import { isJson, JSON_TOKEN } from './json-text.ts';

// Account numbers, names of people, e-mail addresses and phone numbers are masked in text and JSON, except with --reveal.

/** Names of fields that hold account numbers, e-mail addresses or phone numbers, in snake_case. */
const SENSITIVE_NAME =
  /account_?(number|no|num|id)$|^account$|^(nu)?iban$|nuban|e_?mail|phone|mobile|msisdn|^tel$|whatsapp/;
/** Names of fields that hold the name of a person or of an account. */
const PERSON_NAME =
  /^counterparty$|(account|customer|beneficiary|recipient|payer|payee|sender|receiver|holder)_?name$|^(first|middle|last|full|sur)_?name$/;
/** Lengths are bounded as those of addresses are: without bounds, 1 MB of letters would take quadratic time. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}\.\p{L}{2,63}/gu;

/** How the values of a field are masked; null: not at all. */
export function maskOf(name: string): ((value: string) => string) | null {
  const snake = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (SENSITIVE_NAME.test(snake)) return masked;
  return PERSON_NAME.test(snake) ? maskedWords : null;
}

/** `A••• O•••`: enough to recognise a name that is known. Lengths are not shown. */
function maskedWords(text: string): string {
  return text.replace(/\S+/g, (word) => `${[...word][0]}•••`);
}

/** By name of a field: a list asks about the same few names in every row. */
const masks = new Map<string, ReturnType<typeof maskOf>>();

/** The value of a field, masked where the name or the value requires it. */
export function maskedValue(name: string, value: string): string {
  const known = masks.get(name);
  const mask = known === undefined ? maskOf(name) : known;
  if (known === undefined) masks.set(name, mask);
  return (mask ?? maskedEmails)(value);
}

export function maskedEmails(text: string): string {
  return text.includes('@') ? text.replace(EMAIL, masked) : text; // the pattern is slow on text without any
}

/** Masks an account number, e-mail address or phone number: `••••••6789`, `j•••@example.com`. */
export function masked(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${[...text][0]}•••${text.slice(at)}`;
  const characters = [...text];
  const shown = characters.length >= 8 ? 4 : characters.length >= 5 ? 2 : 0;
  return '•'.repeat(characters.length - shown) + characters.slice(characters.length - shown).join('');
}

interface Level {
  readonly object: boolean;
  name: string;
  /** How its values are masked; null: as everywhere. */
  mask: ReturnType<typeof maskOf>;
}

/**
 * Masks the values under sensitive names at any depth, and all e-mail addresses. Spacing, escapes and order stay. In a body
 * that is no JSON, e-mail addresses and runs of 8 or more digits are masked.
 */
export function maskedBody(text: string): string {
  if (!isJson(text)) return maskedEmails(text).replace(/\d{8,}/g, masked);
  const levels: Level[] = [];
  let expectsName = false;
  return text.replace(JSON_TOKEN, (token) => {
    const level = levels.at(-1);
    const inherited = levels.findLast(({ mask }) => mask !== null)?.mask ?? null;
    if (token === '{' || token === '[') {
      levels.push({ object: token === '{', name: '', mask: null });
      expectsName = token === '{';
    } else if (token === '}' || token === ']') {
      levels.pop();
      expectsName = false;
    } else if (token === ',') {
      expectsName = level?.object ?? false;
      if (level?.object) level.mask = null;
    } else if (token === ':') expectsName = false;
    else if (/^\s/.test(token)) return token;
    else if (expectsName && level !== undefined) {
      level.name = unquoted(token);
      level.mask = maskOf(level.name);
    } else return inherited === null ? maskedEmailsOf(token) : maskedToken(token, inherited);
    return token;
  });
}

function maskedToken(token: string, mask: (value: string) => string): string {
  if (token === 'null' || token === 'true' || token === 'false') return token;
  return JSON.stringify(mask(unquoted(token)));
}

function maskedEmailsOf(token: string): string {
  const value = unquoted(token);
  const shown = maskedEmails(value);
  return shown === value ? token : JSON.stringify(shown);
}

function unquoted(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}

/** A text that a bank wrote, with account numbers, phones and e-mail addresses masked. */
export function maskedText(text: string): string {
  return maskedEmails(text).replace(LONG_NUMBER, masked);
}

/** Digits that are no part of a word, such as an account number; a reference has letters. */
const LONG_NUMBER = /(?<![\p{L}\p{N}_.-])\+?\d{10,}(?![\p{L}\p{N}_.-])/gu;
