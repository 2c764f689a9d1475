import { createRequire } from 'node:module';

/** Characters of one column each: nearly all that is ever measured. */
const NARROW = /^[ -~\u00a0-\u00ac\u00ae-\u02ff‐-‧←-↙]*$/;

const require = createRequire(import.meta.url);
let stringWidth: typeof import('string-width').default | undefined;

/** The columns that a text takes on a terminal: two for most East Asian characters and emoji, none for combining marks. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  // Only now: its expressions for emoji take a quarter of the time of a short command to read.
  stringWidth ??= (require('string-width') as typeof import('string-width')).default;
  return stringWidth(text);
}

/** As the package exports it: yargs imports this module in its place. */
export default widthOf;
