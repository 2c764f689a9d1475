import { wrapped } from './text.ts';
import { widthOf } from './width.ts';

// A name and a value, for facts and for the rows of a table that is too wide.

const GAP = '  ';
const INDENT = '  ';
/** Room beside the name, in characters: with less, the value stands below it. */
const NARROWEST_VALUE = 12;

interface Layout {
  /** Names are padded to this width. */
  readonly nameWidth: number;
  /** Columns of the terminal; infinite for a file. */
  readonly room: number;
  readonly styled?: (name: string) => string;
}

/**
 * Returns one line, where it fits. Else the value is wrapped at spaces and goes on below itself; where a word of it needs more
 * room, below the name.
 */
export function namedValueLines(
  name: string,
  value: string,
  { nameWidth, room, styled = (text) => text }: Layout,
): string[] {
  const start = `${styled(name)}${' '.repeat(Math.max(0, nameWidth - widthOf(name)))}${GAP}`;
  const beside = room - nameWidth - GAP.length;
  if (widthOf(value) <= beside) return [start + value];
  const lines = wrapped(value, beside);
  if (beside >= NARROWEST_VALUE && lines.every((line) => widthOf(line) <= beside)) {
    const further = ' '.repeat(nameWidth + GAP.length);
    return lines.map((line, index) => (index === 0 ? start : further) + line);
  }
  const below = room - INDENT.length;
  const indented = wrapped(value, below).map((line) => (widthOf(line) <= below ? INDENT + line : line));
  return [styled(name), ...indented];
}
