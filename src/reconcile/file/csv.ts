import { once } from 'node:events';
import { TextDecoder } from 'node:util';
import { CsvError, type Parser, parse } from 'csv-parse';
import type { RowBatch } from './cell.ts';
import { decodedText, wrongMark } from './encoding.ts';
import type { Counter, FileLimits } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';

export interface CsvForm {
  readonly encoding: string;
  readonly delimiter: string;
  readonly quote: string | null;
  /** What to do about bytes that are no text, and about quotes; without it, what to set in the profile. */
  readonly cures?: { readonly encoding: string; readonly quotes: string };
}

/** Reads the rows of a CSV file. Throws StatementFileError for a wrong encoding, a quote without its end, or at a limit. */
export async function* csvRows(
  file: OpenedFile,
  form: CsvForm,
  limits: FileLimits,
  counter: Counter,
): AsyncGenerator<RowBatch> {
  const rows = new CsvRows(file.name, form, limits, counter);
  let bytes = 0;
  let isFirst = true;
  for await (const piece of file.bytes()) {
    if (isFirst) wrongMark(file.name, piece, form.encoding);
    isFirst = false;
    bytes += piece.length;
    const text = rows.decode(piece);
    if (text === null) throw await rows.encodingProblem(file, bytes - piece.length);
    yield { ...(await rows.parse(text)), bytes };
  }
  if (rows.decode(null) === null) throw await rows.encodingProblem(file, bytes);
  yield { ...(await rows.finish()), bytes };
}

class CsvRows {
  readonly #name: string;
  readonly #form: CsvForm;
  readonly #limits: FileLimits;
  readonly #counter: Counter;
  readonly #decoder: TextDecoder;
  readonly #parser: Parser;
  #rows: string[][] = [];
  /** Rows that were handed on. */
  #done = 0;
  /** Characters of the row that has begun, without those of the piece in which it did. */
  #begun = 0;

  constructor(name: string, form: CsvForm, limits: FileLimits, counter: Counter) {
    this.#name = name;
    this.#form = form;
    this.#limits = limits;
    this.#counter = counter;
    this.#decoder = new TextDecoder(form.encoding, { fatal: true });
    this.#parser = parse({
      delimiter: form.delimiter,
      quote: form.quote,
      escape: form.quote,
      // A file may mix the ends of its rows; each of them ends one.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // `5" pipe` without quotes around it is text; after a quote that opens a cell its end must come.
      relax_quotes: true,
      max_record_size: limits.rowCharacters,
    });
    // The parser compares each row with the first, and makes an error of several kilobytes for one of another length, which
    // `relax_column_count` drops. A row before which no row was counted is not compared.
    Object.defineProperty(this.#parser.info, 'records', { get: () => 0, set: () => {} });
    this.#parser.on('readable', () => this.#collect());
    // `parse` and `finish` report it.
    this.#parser.on('error', () => {});
  }

  /** Returns the text of a piece, or null when its bytes are no text of the encoding; null as piece: there is no more. */
  decode(piece: Uint8Array | null): string | null {
    try {
      return piece === null ? this.#decoder.decode() : this.#decoder.decode(piece, { stream: true });
    } catch {
      return null;
    }
  }

  async parse(text: string): Promise<Omit<RowBatch, 'bytes'>> {
    await this.#catching(
      new Promise<void>((resolve, reject) => {
        this.#parser.write(text, (error) => (error ? reject(error) : resolve()));
        this.#collect();
      }),
    );
    // The parser does not count delimiters.
    this.#begun = this.#rows.length > 0 ? 0 : this.#begun + text.length;
    if (this.#begun > this.#limits.rowCharacters) throw this.#tooLong(this.#done + 1);
    return this.#take();
  }

  async finish(): Promise<Omit<RowBatch, 'bytes'>> {
    const ended = once(this.#parser, 'end');
    this.#parser.end();
    await this.#catching(ended);
    return this.#take();
  }

  /** Finds the first bytes that are no text of the encoding; `sound`: so many bytes before them are. */
  async encodingProblem(file: OpenedFile, sound: number): Promise<StatementFileError> {
    const { text, at, bytes } = await decodedText(file, this.#form.encoding, sound);
    await this.parse(text);
    const row = this.#done + 1;
    const hex = bytes.toString('hex').replace(/..(?=.)/g, '$& ');
    return new StatementFileError(
      this.#name,
      { row },
      `has bytes that are no ${this.#form.encoding}: ${hex} at byte ${at + 1}`,
      this.#form.cures?.encoding ??
        'Set file.encoding to the encoding of the file (windows-1252 is usual for old exports), or save it as CSV UTF-8.',
    );
  }

  #collect(): void {
    for (let row = this.#parser.read(); row !== null; row = this.#parser.read()) this.#rows.push(row);
  }

  #take(): Omit<RowBatch, 'bytes'> {
    const batch = { firstRow: this.#done + 1, rows: this.#rows };
    for (const { length } of this.#rows) this.#counter.row(++this.#done, length);
    this.#rows = [];
    return batch;
  }

  async #catching(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      this.#collect();
      throw this.#problem(error, this.#done + this.#rows.length + 1);
    }
  }

  #problem({ code }: CsvError, row: number): StatementFileError {
    const { quote } = this.#form;
    const said = (what: string) => new StatementFileError(this.#name, { row }, what, this.#cure);
    if (code === 'CSV_QUOTE_NOT_CLOSED') return said(`has an opening ${quote} without its end`);
    if (code === 'CSV_MAX_RECORD_SIZE') return this.#tooLong(row);
    return said(`has a ${quote} in a place that is not possible (${code})`);
  }

  #tooLong(row: number): StatementFileError {
    const begun = `it has a ${this.#form.quote ?? 'cell'} without its end, or is no CSV`;
    const what = `has more than ${this.#limits.rowCharacters} characters: ${begun}`;
    return new StatementFileError(this.#name, { row }, what, this.#cure);
  }

  get #cure(): string {
    const { cures, quote } = this.#form;
    if (cures !== undefined) return cures.quotes;
    return `If cells are not enclosed in ${quote}, set file.quote to null; else mend the quotes of this row.`;
  }
}
