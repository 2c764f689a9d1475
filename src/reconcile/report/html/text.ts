import { printableLine } from '../../../domain/text/printable.ts';

// Text on its way into a page. Every text from outside passes `escaped`; nothing else makes it safe.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any value as text of HTML or of an attribute: no markup, no control character, no mark that turns the direction of writing. */
export function escaped(value: unknown): string {
  const text = String(value ?? '');
  return PLAIN.test(text) ? text : safe(text);
}

/** Nearly every text of a page: looking at it once is a third of the work. */
const PLAIN = /^[\w .,:;()+/-]*$/;

function safe(text: string): string {
  return printableLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
