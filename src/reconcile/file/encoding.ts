import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';
import { isZip } from './zip.ts';

/** Marks at the beginning of a file that name its encoding, as TextDecoder calls it. */
export const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the encoding that the first bytes of a file name; null: they name none. */
export function markedEncoding(bytes: Uint8Array): string | null {
  const mark = BYTE_ORDER_MARKS.find(([, values]) => values.every((value, index) => bytes[index] === value));
  return mark?.[0] ?? null;
}

/** Throws StatementFileError when a file begins with the mark of another encoding than its profile says. */
export function wrongMark(name: string, bytes: Uint8Array, encoding: string): void {
  const marked = markedEncoding(bytes);
  const wanted = new TextDecoder(encoding).encoding;
  if (isZip(bytes))
    throw new StatementFileError(name, { row: 1 }, 'begins like a spreadsheet', 'Set file.format to xlsx.');
  if (marked === null || marked === wanted) return;
  const hex = Buffer.from(bytes.subarray(0, marked === 'utf-8' ? 3 : 2))
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
  throw new StatementFileError(
    name,
    { row: 1 },
    `begins with ${hex}, the mark of ${marked}, and the profile says ${encoding}`,
    `Set file.encoding to ${marked}.`,
  );
}

export interface WrongBytes {
  /** The text of the last pieces before them. */
  readonly text: string;
  /** Bytes of the file before them. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Most bytes of a character. */
const LONGEST_CHARACTER = 4;

/** Finds the first bytes behind `sound` that are no text of the encoding, and the text between. */
export async function decodedText(file: OpenedFile, encoding: string, sound: number): Promise<WrongBytes> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let [text, position] = ['', 0];
  /** Bytes of a character that has begun. */
  let begun: number[] = [];
  for await (const piece of file.again()) {
    const known = Math.min(Math.max(sound - position, 0), piece.length);
    decoder.decode(piece.subarray(0, known), { stream: true });
    for (let index = known; index < piece.length; index++) {
      begun.push(piece[index] ?? 0);
      try {
        const more = decoder.decode(piece.subarray(index, index + 1), { stream: true });
        if (more === '') continue;
        text += more;
        begun = [];
      } catch {
        const at = position + index + 1 - begun.length;
        const rest = piece.subarray(index + 1, index + 1 + Math.max(LONGEST_CHARACTER - begun.length, 0));
        return { text, at, bytes: Buffer.from([...begun, ...rest]) };
      }
    }
    position += piece.length;
  }
  // The last character has begun, and the file ends before it does.
  return { text, at: position - begun.length, bytes: Buffer.from(begun) };
}
