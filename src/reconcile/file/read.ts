import type { StatementLine, StatementTotals, UnparsedRow } from '../../domain/statements/statement.ts';
import { MOST_ROWS_KEPT, type StatementFile } from '../../store/statements.ts';
import type { Profile } from '../profile/load.ts';
import type { RowBatch } from './cell.ts';
import { type CsvForm, csvRows } from './csv.ts';
import { Counter, FILE_LIMITS, type FileLimits } from './limits.ts';
import { LineReader } from './lines.ts';
import { type OpenedFile, openFile } from './opened-file.ts';
import { type SheetForm, xlsxRows } from './xlsx.ts';

/** Rows that were read, at most `MOST_ROWS_KEPT` of them, in the order of the file. */
export interface StatementChunk {
  readonly lines: readonly StatementLine[];
  readonly unparsed: readonly UnparsedRow[];
  /** Bytes of the file that have been read, for progress. */
  readonly bytes: number;
}

/** What is known after the last row. */
export interface StatementEnd {
  readonly file: StatementFile;
  readonly totals: StatementTotals;
}

export interface StatementReading {
  /** To be read once, to its end. Throws StatementFileError for a file that is not as its profile says. */
  readonly chunks: AsyncIterable<StatementChunk>;
  /** Throws unless every chunk has been read. */
  readonly end: () => StatementEnd;
}

export interface ReadOrder {
  readonly path: string;
  readonly profile: Profile;
  readonly limits?: Partial<FileLimits>;
  /** What `statementFile` said of it before: another content is refused, because it has changed since. */
  readonly expected?: StatementFile;
}

/**
 * Reads the name, size and digest of a file, which an import needs before the first line.
 *
 * @throws StatementFileError when it cannot be read, is too large, or changes meanwhile
 */
export async function statementFile(path: string, limits: Partial<FileLimits> = {}): Promise<StatementFile> {
  await using file = await openFile(path, { ...FILE_LIMITS, ...limits });
  return await file.finish();
}

/**
 * Reads a statement line by line, in memory that does not grow with it (of a workbook the texts that cells share are). A row that cannot
 * be read is named and the rest goes on; what concerns the whole file is thrown as StatementFileError. Nothing is guessed.
 */
export function readStatement(order: ReadOrder): StatementReading {
  let ended: StatementEnd | null = null;
  async function* chunks(): AsyncGenerator<StatementChunk> {
    const limits = { ...FILE_LIMITS, ...order.limits };
    const { profile, expected } = order;
    await using file = await openFile(order.path, limits);
    const reader = new LineReader(profile, file.name);
    for await (const batch of fileRows(file, profile.file, limits)) {
      reader.take(batch);
      yield* cut(reader, batch.bytes);
    }
    const totals = reader.finish();
    yield* cut(reader, file.size);
    ended = { file: await file.finish(expected), totals };
  }
  return {
    chunks: chunks(),
    end: () => {
      if (ended === null) throw new TypeError('The statement has not been read to its end.');
      return ended;
    },
  };
}

/** How a file is read, as its profile says it. */
type FileForm = CsvForm & SheetForm & { readonly format: 'csv' | 'xlsx' };

/** Reads the rows of a file in its declared form. Throws StatementFileError at a limit, or for a file that is not in this form. */
export function fileRows(file: OpenedFile, form: FileForm, limits: FileLimits): AsyncIterable<RowBatch> {
  const counter = new Counter(file.name, limits);
  const rows = form.format === 'csv' ? csvRows(file, form, limits, counter) : xlsxRows(file, form, counter);
  return counter.timed(rows);
}

/** Returns what the reader has ready, in pieces that a store keeps in one transaction. */
function* cut(reader: LineReader, bytes: number): Generator<StatementChunk> {
  const { lines, unparsed } = reader.ready();
  let [fromLine, fromUnparsed] = [0, 0];
  while (fromLine < lines.length || fromUnparsed < unparsed.length) {
    const some = lines.slice(fromLine, fromLine + MOST_ROWS_KEPT);
    const others = unparsed.slice(fromUnparsed, fromUnparsed + MOST_ROWS_KEPT - some.length);
    fromLine += some.length;
    fromUnparsed += others.length;
    yield { lines: some, unparsed: others, bytes };
  }
}
