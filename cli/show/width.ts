import stringWidth from 'string-width'; // loaded at the start, because yargs loads it there: later would save nothing

/** Printable ASCII, and the two signs of our own texts: one column each. The first other text costs 70 million instructions. */
const PLAIN = /^[ -~…→]*$/;

/** The columns that a text takes on a terminal: two for most East Asian characters and emoji, none for combining marks. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}
