import { printableLine } from '../../src/domain/text/printable.ts';
import { namedValueLines } from './named-value.ts';
import { wrapped } from './text.ts';
import { widthOf } from './width.ts';

// Lays out tables. Pure; output.ts prints.

export interface Column<Row> {
  readonly header: string;
  /** Instead of `header` where the room allows it. */
  readonly wideHeader?: string;
  readonly value: (row: Row) => string | number | bigint | null;
  readonly align?: 'left' | 'right';
  /** Where the room is too small, columns with the highest number are left out first. Without one it is never left out. */
  readonly leaveOut?: number;
  /** A long text that may go on in further lines, broken at spaces. */
  readonly wraps?: boolean;
}

export interface Table {
  /** Each row one line or more, the heading first. */
  readonly lines: readonly string[];
  /** Headings of the columns that were left out. */
  readonly leftOut: readonly string[];
}

/** The columns of the terminal, and how a heading is marked. */
interface Shown {
  readonly room: number;
  readonly styled: (header: string) => string;
}

const GAP = '  ';
/** Room for a text that wraps, in characters: below it a sentence reads as a column of single words. */
const NARROWEST_WRAP = 24;

/** One column with its texts. */
interface Laid {
  readonly header: string;
  readonly texts: readonly string[];
  /** Of each text. Measured once: wide characters take long. */
  readonly widths: readonly number[];
  readonly right: boolean;
  readonly wraps: boolean;
  readonly leaveOut: number;
  readonly width: number;
}

/**
 * Lays out rows in `room` columns of a terminal; `styled` marks the headings. What does not fit is left out by column, or
 * wrapped at spaces: no word is broken, so that a reference can be copied. Where the columns that must stay do not fit, each
 * row is a block with a line per column. Linear in the rows.
 */
export function layTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[], { room, styled }: Shown): Table {
  const plain = columns.map((column) => laid(column, rows, room));
  const wide = plain.map((column, index) => withHeader(column, columns[index]?.wideHeader ?? column.header));
  const { kept, leftOut } = leastWidth(wide) <= room ? { kept: wide, leftOut: [] } : fitted(plain, room);
  if (leastWidth(kept) > room) return { lines: blocks(plain, rows.length, { room, styled }), leftOut: [] };
  const placed = withRoom(kept, room);
  const heading = placed.map((column) => padded(styled(column.header), widthOf(column.header), column));
  const lines = [heading.join(GAP).trimEnd()];
  for (let index = 0; index < rows.length; index++) lines.push(...rowLines(placed, index));
  return { lines, leftOut: leftOut.map(({ header }) => header) };
}

function cell(value: string | number | bigint | null, room: number): string {
  const text = printableLine(String(value ?? '-'));
  return room === Number.POSITIVE_INFINITY ? text : text.replace(DIGEST, (digest) => `${digest.slice(0, 12)}…`);
}

/** A sha256: on a terminal its first digits tell it from others. */
const DIGEST = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

function laid<Row>(column: Column<Row>, rows: readonly Row[], room: number): Laid {
  const { value, align, wraps = false, leaveOut = 0 } = column;
  const texts = rows.map((row) => cell(value(row), room));
  const widths = texts.map(widthOf);
  const width = widths.reduce((most, one) => Math.max(most, one), 0);
  return withHeader({ header: '', texts, widths, right: align === 'right', wraps, leaveOut, width }, column.header);
}

function withHeader(column: Laid, heading: string): Laid {
  const header = printableLine(heading);
  return { ...column, header, width: Math.max(column.width, widthOf(header)) };
}

function fitted(columns: readonly Laid[], room: number): { kept: readonly Laid[]; leftOut: readonly Laid[] } {
  const leftOut = new Set<Laid>();
  const inOrder = columns.filter(({ leaveOut }) => leaveOut > 0).sort((one, other) => other.leaveOut - one.leaveOut);
  const keptNow = () => columns.filter((column) => !leftOut.has(column));
  for (const column of inOrder) {
    if (leastWidth(keptNow()) <= room) break;
    leftOut.add(column);
  }
  return { kept: keptNow(), leftOut: columns.filter((column) => leftOut.has(column)) };
}

function leastWidth(columns: readonly Laid[]): number {
  const widths = columns.map(({ wraps, width }) => (wraps ? Math.min(width, NARROWEST_WRAP) : width));
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1);
}

/** Gives the texts that wrap what the others leave. */
function withRoom(columns: readonly Laid[], room: number): readonly Laid[] {
  let spare = Math.max(0, room - leastWidth(columns));
  return columns.map((column) => {
    if (!column.wraps) return column;
    const least = Math.min(column.width, NARROWEST_WRAP);
    const width = Math.min(column.width, least + spare);
    spare -= width - least;
    return { ...column, width };
  });
}

/** A line for each column of each row, and a blank line between two rows. */
function blocks(columns: readonly Laid[], rows: number, { room, styled }: Shown): string[] {
  const nameWidth = Math.max(...columns.map(({ header }) => widthOf(header)));
  return Array.from({ length: rows }, (_, index) => [
    ...(index === 0 ? [] : ['']),
    ...columns.flatMap(({ header, texts }) => namedValueLines(header, texts[index] ?? '', { nameWidth, room, styled })),
  ]).flat();
}

function rowLines(columns: readonly Laid[], index: number): string[] {
  if (columns.every(({ widths, width }) => (widths[index] ?? 0) <= width)) {
    const cells = columns.map((column) => padded(column.texts[index] ?? '', column.widths[index] ?? 0, column));
    return [cells.join(GAP).trimEnd()];
  }
  const cells = columns.map(({ texts, wraps, width }) => {
    const text = texts[index] ?? '';
    return wraps ? wrapped(text, width) : [text];
  });
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, place) => {
        const text = cells[place]?.[line] ?? '';
        return padded(text, widthOf(text), column);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function padded(text: string, width: number, column: Laid): string {
  const space = ' '.repeat(Math.max(0, column.width - width));
  return column.right ? space + text : text + space;
}
