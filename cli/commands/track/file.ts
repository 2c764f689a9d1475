import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { TextDecoderStream } from 'node:stream/web';
import { CsvError, parse } from 'csv-parse';
import { didYouMean } from '../../../src/config/did-you-mean.ts';
import { reasonOf } from '../../../src/config/problems.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import type { Expected } from '../../../src/domain/expectations/expectation-input.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { UsageError } from '../../options/options.ts';
import { type ExpectationText, type ReadTime, readExpectation } from '../../show/expectation.ts';

/** Columns of a file, in any order; only `reference` is required. */
const COLUMNS = ['reference', 'amount', 'currency', 'due'] as const;
type Column = (typeof COLUMNS)[number];

const MOST_ROWS = 1_000_000;
const MOST_PROBLEMS_SHOWN = 20;
/** Bytes of a row, 16 KiB: more than any valid row has. */
const LONGEST_ROW = 16 * 1024;

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads a CSV file (RFC 4180, UTF-8) of references to expect. Checks all rows before it returns.
 *
 * @throws UsageError with the line and value of each mistake, the first 20 of them
 */
export async function readExpectations(
  file: string,
  facts: { readonly kind: RecordKind; readonly environment: Environment },
  readTime: ReadTime,
): Promise<Expected[]> {
  const expected: Expected[] = [];
  const problems = new Problems(file);
  const lineOf = new Map<string, number>();
  let columns: readonly Column[] | null = null;
  try {
    for await (const { record, info } of rowsOf(file)) {
      if (columns === null) {
        columns = columnsOf(file, record);
        continue;
      }
      if (expected.length === MOST_ROWS) throw new UsageError(`${file} has more than ${MOST_ROWS} rows: split it.`);
      if (record.length !== columns.length) {
        problems.add(info.lines, `it has ${record.length} values for ${columns.length} columns.`);
        continue;
      }
      const text = textOf(record, columns);
      const { expected: one, mistakes } = readExpectation(text, facts, readTime);
      for (const { message } of mistakes) problems.add(info.lines, message);
      const earlier = text.reference === '' ? undefined : lineOf.get(text.reference);
      if (earlier !== undefined) problems.add(info.lines, `${shown(text.reference)} is on line ${earlier} already.`);
      lineOf.set(text.reference, info.lines);
      if (one !== null) expected.push(one);
    }
  } catch (error) {
    throw readError(file, error);
  }
  problems.throwIfAny();
  if (expected.length === 0) throw new UsageError(`${file} has no rows.`, HEADER_HINT);
  return expected;
}

/** The references of the same file, to forget them: its other columns are checked and not used. */
export async function readReferences(file: string, readTime: ReadTime): Promise<string[]> {
  const rows = await readExpectations(file, { kind: 'payout', environment: 'test' }, readTime);
  return rows.map(({ reference }) => reference);
}

const HEADER_HINT = `The first line names the columns, separated by commas: ${COLUMNS.join(',')}`;

const CELLS_HINT = 'Amounts are plain digits such as 1500.50, due dates such as 2026-11-30, the whole day in timeZone.';

function rowsOf(file: string): AsyncIterable<Row> {
  const text = Readable.toWeb(createReadStream(file)).pipeThrough(new TextDecoderStream('utf-8', { fatal: true }));
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_ROW });
  return Readable.fromWeb(text).compose(parser) as unknown as AsyncIterable<Row>;
}

function columnsOf(file: string, header: readonly string[]): Column[] {
  const names = header.map((name) => name.trim().toLowerCase());
  for (const [index, name] of names.entries()) {
    const known = COLUMNS.some((column) => column === name);
    if (known && names.indexOf(name) === index) continue;
    const meant = didYouMean(name, COLUMNS);
    const rule = known ? 'occurs twice' : 'is an unknown column';
    const suggestion = known ? '' : hintOn(name, meant);
    throw new UsageError(`${file}: line 1: ${shown(header[index] ?? '')} ${rule}.${suggestion}`, HEADER_HINT);
  }
  if (!names.includes('reference'))
    throw new UsageError(`${file}: line 1: the column reference is missing.`, HEADER_HINT);
  return names as Column[];
}

function hintOn(name: string, meant: string | undefined): string {
  const other = /[;\t|]/.exec(name)?.[0];
  if (other !== undefined) return ` Is ${other === '\t' ? 'a tab' : other} the delimiter? It must be a comma.`;
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

function textOf(record: readonly string[], columns: readonly Column[]): ExpectationText {
  const cell = (name: Column) => record[columns.indexOf(name)] ?? '';
  return { reference: cell('reference'), amount: cell('amount'), currency: cell('currency'), due: cell('due') };
}

class Problems {
  readonly #file: string;
  readonly #shown: string[] = [];
  readonly #lines = new Set<number>();
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number, problem: string): void {
    this.#count++;
    this.#lines.add(line);
    if (this.#shown.length < MOST_PROBLEMS_SHOWN) this.#shown.push(`  line ${line}: ${problem}`);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#shown.length;
    const lines = more > 0 ? [...this.#shown, `  and ${more} more`] : this.#shown;
    const rows = this.#lines.size;
    const what = rows === 1 ? '1 row is' : `${rows} rows are`;
    throw new UsageError(`${this.#file}: ${what} wrong, and nothing was done:\n${lines.join('\n')}`, CELLS_HINT);
  }
}

function readError(file: string, error: unknown): unknown {
  if (error instanceof TallyhookError) return error;
  if (error instanceof CsvError) {
    const { lines } = error as CsvError & { readonly lines?: number };
    const where = lines === undefined ? '' : ` line ${lines}:`;
    return new UsageError(`${file}:${where} it is no CSV (${error.code}).`, HEADER_HINT);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new UsageError(`${file} is not UTF-8.`, 'Save it again as CSV UTF-8.');
  }
  if (code === undefined) return error;
  return new UsageError(
    `Cannot read ${file}: ${reasonOf(error)}.`,
    'A REFERENCE that ends in .csv is taken for a file.',
  );
}

const shown = (text: string) => JSON.stringify(text.slice(0, 80).toWellFormed());
