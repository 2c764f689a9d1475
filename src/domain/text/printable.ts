// Text from outside, made safe for a terminal and for a log. Pure.

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** What `JSON.stringify` leaves as it is, although a terminal acts on it. */
const ACTIVE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Text from outside, made safe for a terminal: control characters (our own line feeds excepted), bidirectional
 * controls and lone surrogates become U+FFFD, so that a payload can neither forge a line nor send an escape sequence.
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '\uFFFD');
}

/** As `printable`, for a value on one line: line feeds are replaced, too. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\uFFFD');
}

/** JSON text with the characters that a terminal would act on as \u escapes: it parses to the same value. */
export function printableJson(json: string): string {
  return json.replace(ACTIVE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
