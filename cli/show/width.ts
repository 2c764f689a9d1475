import stringWidth from 'string-width';

const PLAIN = /^[ -~]*$/;

/** The columns that a text takes on a terminal: two for most East Asian characters and emoji, none for combining marks. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}
