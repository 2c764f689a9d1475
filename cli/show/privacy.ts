import { masked } from './text.ts';

// What identifies a person's account is shown masked, in text and JSON alike, unless --reveal asks for it.

/** Names of fields whose values are account numbers, e-mail addresses or phone numbers, in whatever spelling. */
const SENSITIVE_NAME =
  /account_?(number|no|num|id)$|^account$|^(nu)?iban$|nuban|e_?mail|phone|mobile|msisdn|^tel$|whatsapp/;
/** Bounded as addresses are, so that a megabyte of letters takes no quadratic time. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}\.\p{L}{2,63}/gu;

export function isSensitiveName(name: string): boolean {
  return SENSITIVE_NAME.test(
    name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase(),
  );
}

/** A value under its field's name. */
export function maskedValue(name: string, value: string): string {
  return isSensitiveName(name) ? masked(value) : maskedEmails(value);
}

export function maskedEmails(text: string): string {
  return text.replace(EMAIL, masked);
}

/** String, mark, white space, or a number or word: every valid JSON text is a row of these. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|\s+|[^"{}[\],:\s]+/g;

interface Level {
  readonly object: boolean;
  name: string;
  sensitive: boolean;
}

/**
 * A body as text, with the values under sensitive names masked, however deep, and e-mail addresses wherever they are.
 * Everything else stays as it came: spacing, escapes, order. A body that is no JSON has its e-mails and long digit runs masked.
 */
export function maskedBody(text: string): string {
  if (!isJson(text)) return maskedEmails(text).replace(/\d{8,}/g, masked);
  const levels: Level[] = [];
  let expectsName = false;
  return text.replace(TOKEN, (token) => {
    const level = levels.at(-1);
    const inherited = levels.some(({ sensitive }) => sensitive);
    if (token === '{' || token === '[') {
      levels.push({ object: token === '{', name: '', sensitive: false });
      expectsName = token === '{';
    } else if (token === '}' || token === ']') {
      levels.pop();
      expectsName = false;
    } else if (token === ',') {
      expectsName = level?.object ?? false;
      if (level?.object) level.sensitive = false;
    } else if (token === ':') expectsName = false;
    else if (/^\s/.test(token)) return token;
    else if (expectsName && level !== undefined) {
      level.name = unquoted(token);
      level.sensitive = isSensitiveName(level.name);
    } else return inherited ? maskedToken(token) : maskedEmailsOf(token);
    return token;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

function maskedToken(token: string): string {
  if (token === 'null' || token === 'true' || token === 'false') return token;
  return JSON.stringify(masked(unquoted(token)));
}

function maskedEmailsOf(token: string): string {
  if (!token.startsWith('"')) return token;
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
