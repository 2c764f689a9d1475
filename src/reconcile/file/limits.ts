/** What a file may cost. A file beyond a limit is refused by name; nothing of it is kept. */
export interface FileLimits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Rows, those outside the table included. */
  readonly rows: number;
  /** Cells of a spreadsheet, which is in memory as a whole, gaps between filled cells included. */
  readonly cells: number;
  /** Bytes of a spreadsheet once unpacked. */
  readonly unpackedBytes: number;
  /** Characters of a row: an opening quote without its end takes the rest of the file into one row. */
  readonly rowCharacters: number;
}

const MEBIBYTE = 1024 * 1024;

export const FILE_LIMITS: FileLimits = {
  bytes: 1024 * MEBIBYTE,
  rows: 10_000_000,
  cells: 2_000_000,
  unpackedBytes: 128 * MEBIBYTE,
  rowCharacters: 1024 * 1024,
};
