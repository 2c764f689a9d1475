// Texts inside an XLSX file. XML holds no control characters and changes line ends, so the format has an escape of its own,
// `_x000D_`, which readers take back.

/** Characters of a cell, above which spreadsheet programs call the file damaged. */
const MOST_CHARACTERS = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
const CONTROLS = /[\0-\x08\x0b-\x1f]/g;
const LIKE_AN_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** What readers take back no escape of. The writer drops it too, some of it with its neighbour. */
const NOT_KEPT = /[\x7f-\x84\x86-\x9f\p{Cs}\p{Noncharacter_Code_Point}\uFFFD]/gu;
/** One of them. */
const DROPPED = '\uFFFF';

/** Returns a text as the writer of an XLSX file takes it. */
export function xlsxText(text: string): string {
  const escaped = shortened(text).replace(NOT_KEPT, '').replace(LIKE_AN_ESCAPE, escapeOf).replace(CONTROLS, escapeOf);
  // The writer looks each text up in a plain object before it adds it, where `constructor` is found from the beginning.
  return escaped in Object.prototype ? `${escaped}${DROPPED}` : escaped;
}

/** Returns the text, cut where a cell ends. */
export function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

function escapeOf(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
