import { printableLine } from '../../../domain/text/printable.ts';
import { isZero } from '../decimal.ts';

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

const MINUS = '\u2212';

/** `-1234567.50` as `−1,234,567.50`; text that is no amount stays as it is. */
export function grouped(amount: string): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(amount);
  if (parts === null) return amount;
  const [, sign, whole = '', fraction = ''] = parts;
  return `${sign === '-' ? MINUS : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** The same with `+` before a positive amount: what moves a balance. */
export function signed(amount: string): string {
  return isZero(amount) || amount.startsWith('-') ? grouped(amount) : `+${grouped(amount)}`;
}

/** Whole numbers with grouped digits: 1,234. */
export function counted(count: number): string {
  return grouped(String(count));
}

/** `1 break`, `1,234 breaks`, `2 stories` */
export function countOf(count: number, noun: string): string {
  const plural = noun.endsWith('y') && noun !== 'day' ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${counted(count)} ${count === 1 ? noun : plural}`;
}

/** `refund_fees` as `Refund fees` */
export function worded(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
