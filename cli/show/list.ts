import type { Count, Page } from '../../src/store/records.ts';
import { type RevealingArguments, revealed } from '../context/revealing.ts';
import { type StopSignal, stopSignal } from '../context/stop-signal.ts';
import type { CsvForm } from './csv.ts';
import { answeredNo, type Column, jsonLines, note, printTable, writeText } from './output.ts';

// What every list prints: the rows as a table, CSV or JSON, and how many of all rows they are.

/** What is known of a list once its rows are read. */
export interface ListEnd {
  /** There are rows beyond those that were shown. */
  readonly more: boolean;
  /** All rows that match; null: unknown, or too many to count. */
  readonly total: Count;
}

/** The rows of a list, some at a time. */
export type Pages<Row> = AsyncGenerator<readonly Row[], ListEnd, undefined>;

export interface ListOutput<Row> {
  readonly json: (row: Row) => unknown;
  /** The name of the list in its JSON document. Default: `items`. */
  readonly name?: string;
  readonly columns: readonly Column<Row>[];
  /** Instead of a table without rows: `No refunds match.` */
  readonly empty: string;
  /** Further fields of the JSON document, once the rows are read. */
  readonly besides?: () => Record<string, unknown>;
  /** The options that show more, for the note. Default: `--limit 1000 or --all`. */
  readonly further?: string;
  /** Called with each row that is shown. */
  readonly seen?: (row: Row) => void;
  /** How the audit names a row that is shown whole. */
  readonly keyOf?: (row: Row) => string;
}

/** The arguments and the forms of a list: one with `--format` needs a CSV form. */
export type ListForms<Row> =
  | readonly [argv: ListArguments, output: ListOutput<Row>]
  | readonly [argv: FormatArguments, output: ListOutput<Row> & { readonly csv: CsvForm<Row> }];

export interface ListArguments extends RevealingArguments {
  readonly json: boolean | undefined;
  readonly format?: undefined;
}

export interface FormatArguments extends RevealingArguments {
  readonly json: boolean | undefined;
  readonly format: 'table' | 'csv';
}

/** Rows in memory at a time: with --all a list may have any number. */
const AT_ONCE = 1_000;

/** Reads a list page by page, up to `limit` rows and one to know whether there are more; counts all only if there are. */
export async function* pagesOf<Row extends { readonly id: number }>(
  page: Page,
  read: (page: Page) => Promise<readonly Row[]>,
  count: () => Promise<Count>,
): Pages<Row> {
  let { limit: left, afterId } = page;
  let shown = 0;
  for (;;) {
    const size = Math.min(AT_ONCE, left);
    const from = { order: page.order, limit: size + 1, ...(afterId !== undefined && { afterId }) };
    const rows = await read(from);
    yield rows.slice(0, size);
    shown += Math.min(rows.length, size);
    left -= size;
    const more = rows.length > size;
    if (!more && page.afterId === undefined) return { more, total: shown };
    if (!more || left === 0) return { more, total: await count() };
    afterId = rows[size - 1]?.id;
  }
}

/** A list that is read already; without `end` it is whole. */
export async function* wholeList<Row>(
  rows: readonly Row[],
  end: ListEnd = { more: false, total: rows.length },
): Pages<Row> {
  yield rows;
  return end;
}

/**
 * Prints a list. Its JSON is one document for all lists (docs/cli.md): `items`, `shown`, `total`, `more`. A note on stderr
 * says when there is more. A document that is printed in parts is whole also after Ctrl-C, and then has fewer rows.
 */
export async function printList<Row>(
  pages: Pages<Row>,
  ...forms: ListForms<Row>
): Promise<ListEnd & { readonly shown: number }> {
  const [argv, output] = forms;
  const isTable = !argv.json && argv.format !== 'csv';
  const stop = isTable ? null : stopSignal('the list ends after the current rows; what is written is whole');
  try {
    const { revealing } = argv;
    const { keyOf } = output;
    const named = revealing === undefined || keyOf === undefined ? pages : revealed(pages, revealing, keyOf);
    return await printPages(named, printerOf(forms), { ...output, stop });
  } finally {
    stop?.dispose();
  }
}

async function printPages<Row>(
  pages: Pages<Row>,
  print: Printer<Row>,
  { seen, further, stop }: Pick<ListOutput<Row>, 'seen' | 'further'> & { readonly stop: StopSignal | null },
): Promise<ListEnd & { readonly shown: number }> {
  let shown = 0;
  for (;;) {
    const isStopped = shown > 0 && stop?.signal.aborted === true;
    const { value, done } = isStopped ? await pages.return({ more: true, total: null }) : await pages.next();
    if (done) {
      const end = { shown, ...value };
      await print.end(end);
      if (end.more) note(restText(end, further));
      if (isStopped) answeredNo();
      return end;
    }
    for (const row of value) seen?.(row);
    await print.rows(value);
    shown += value.length;
  }
}

/** `50 of 78 shown; --limit 1000 or --all` */
function restText(
  { shown, total }: { readonly shown: number; readonly total: Count },
  further = shown < 1_000 ? '--limit 1000 or --all' : '--all',
): string {
  return `${total === null ? `${shown} shown, and there are more` : `${shown} of ${total} shown`}; ${further}`;
}

interface Printer<Row> {
  rows(rows: readonly Row[]): Promise<void>;
  end(end: ListEnd & { readonly shown: number }): Promise<void>;
}

function printerOf<Row>([argv, output]: ListForms<Row>): Printer<Row> {
  if (argv.json) return jsonPrinter(output);
  return argv.format === 'csv' && 'csv' in output ? csvPrinter(output.csv) : tablePrinter(output);
}

/** How a list in a document ends on several lines. */
const LIST_END = '\n  ]\n}';

/** Page by page: as one text, a long list would exceed what a string can hold. */
function jsonPrinter<Row>({ json, besides, name = 'items' }: ListOutput<Row>): Printer<Row> {
  const begin = `{\n  "${name}": [\n    `;
  let before = begin;
  return {
    async rows(rows) {
      if (rows.length === 0) return;
      const items = jsonLines({ [name]: rows.map(json) }).slice(begin.length, -LIST_END.length);
      await writeText(before + items);
      before = ',\n    ';
    },
    async end({ shown, total, more }) {
      const facts = jsonLines({ shown, total, more, ...besides?.() }).slice('{\n'.length);
      await writeText(`${shown === 0 ? `{\n  "${name}": [],\n` : '\n  ],\n'}${facts}\n`);
    },
  };
}

function csvPrinter<Row>({ header, lines }: CsvForm<Row>): Printer<Row> {
  let before = header;
  return {
    async rows(rows) {
      await writeText(before + lines(rows));
      before = '';
    },
    async end() {},
  };
}

/** Keeps the texts of the rows, not the rows: the widths are known at the end. */
function tablePrinter<Row>({ columns, empty }: ListOutput<Row>): Printer<Row> {
  const texts: ReturnType<Column<Row>['value']>[][] = [];
  return {
    async rows(rows) {
      for (const row of rows) texts.push(columns.map(({ value }) => value(row)));
    },
    async end() {
      const shown = columns.map((column, index) => ({
        ...column,
        value: (row: (typeof texts)[number]) => row[index] ?? null,
      }));
      printTable(texts, shown, empty);
    },
  };
}
