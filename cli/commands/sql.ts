import { TallyhookError } from '../../src/domain/error.ts';
import { masked, maskedBody, maskedEmails, maskOf } from '../../src/domain/text/privacy.ts';
import type { QueryColumn, QueryResult, QueryValue } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { StoreError } from '../../src/store/error.ts';
import { configFrom } from '../context/config.ts';
import type { RevealingArguments } from '../context/revealing.ts';
import { stopAtOnce } from '../context/stop-signal.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { lengthOption } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { note, printJson, printTable } from '../show/output.ts';
import type { Shown } from '../show/record.ts';

interface SqlArguments {
  readonly config: string | undefined;
  readonly statement: string;
  readonly limit: number;
  readonly timeout: number;
}

/** `tallyhook sql "SELECT …"`: queries the tables of docs/data-model.md, read-only, with the bundled SQLite. */
export function addSqlCommand(cli: Cli): Cli {
  return cli.command(
    'sql <statement>',
    SUMMARY.sql,
    (command) =>
      command
        .positional('statement', { type: 'string', demandOption: true, describe: 'One SELECT' })
        .option(
          'limit',
          wholeNumberOption('limit', { least: 1, most: 1_000_000, standard: 1_000, describe: 'Rows at most' }),
        )
        .option(
          'timeout',
          lengthOption('timeout', { standard: '60s', describe: 'How long it may take', mayBeZero: false }),
        )
        .options(REVEAL_OPTION)
        .epilogue('Account numbers are masked by their column; what an expression makes of them is shown whole.')
        .example('$0 sql "SELECT state, count(*) FROM events GROUP BY state"', 'Events by state'),
    async (argv) => {
      const result = await queried(argv);
      await enterWhole(result, argv);
      const { columns, rows, truncated } = result;
      const names = columns.map(({ name }) => name);
      if (argv.json) {
        const values = rows.map((row) => row.map((value, index) => jsonValue(value, columns[index], argv)));
        printJson({ columns: names, rows: values, truncated });
      } else {
        printTable(
          rows,
          columns.map((column, index) => ({
            header: column.name,
            value: (row) => textValue(row[index] ?? null, column, argv),
            align: rows.every((row) => typeof row[index] === 'bigint') ? 'right' : 'left',
          })),
        );
      }
      if (truncated) note(`Only the first ${argv.limit} rows; a higher --limit shows more.`);
    },
  );
}

/** Enters what is shown whole: with --reveal, of an expression, which no column says how to mask, and of bytes. */
async function enterWhole({ columns, rows }: QueryResult, argv: WholeArguments): Promise<void> {
  const { revealing, reveal, statement } = argv;
  if (revealing === undefined || rows.length === 0) return;
  const isMasked = (row: readonly QueryValue[]) =>
    row.every((value, at) => columns[at]?.origin != null && !(value instanceof Uint8Array));
  if (!reveal && rows.every(isMasked)) return;
  const key = `sql:${statement}`;
  await revealing.rows(revealing.isBounded ? rows.map((_, at) => `${key} (${at + 1})`) : [key]);
}

interface WholeArguments extends RevealingArguments {
  readonly reveal: boolean;
  readonly statement: string;
}

async function queried({ statement: sql, limit, timeout: timeoutMs, ...argv }: SqlArguments): Promise<QueryResult> {
  const store = storeOf(await configFrom(argv));
  const stop = stopAtOnce();
  try {
    return await store.query({ sql, limit, timeoutMs }, stop.signal);
  } catch (error) {
    const isLate = error instanceof TallyhookError && !(error instanceof StoreError) && error.kind === 'failed';
    if (!isLate || stop.signal.aborted) throw error;
    const hint =
      'Read less (WHERE id > …, LIMIT), or allow more: --timeout 10m. Until it ends, the log of serve grows.';
    throw new TallyhookError(error.message, { kind: 'failed', hint, cause: error });
  } finally {
    stop.dispose();
  }
}

/** A value for JSON. Whole numbers beyond 2^53 are text, because most readers of JSON would round them. */
function jsonValue(value: QueryValue, column: QueryColumn | undefined, shown: Shown): string | number | null {
  if (value === null) return null;
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return textValue(value, column, shown);
}

function textValue(value: QueryValue, column: QueryColumn | undefined, { reveal }: Shown): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  const text = String(value);
  if (reveal || typeof value !== 'string') return text;
  const mask = maskOfColumn(column);
  if (mask !== null) return mask(text);
  if (FREE_TEXTS.has(column?.origin ?? '')) return maskedEmails(text).replace(LONG_NUMBER, masked);
  return /^\s*[{[]/.test(text) ? maskedBody(text) : maskedEmails(text);
}

/** Sentences, in which account numbers stand between words. */
const FREE_TEXTS = new Set(['findings.detail', 'imported_lines.text', 'imported_lines.counterparty']);
/** Account numbers in a sentence. Amounts have a decimal point and do not match. */
const LONG_NUMBER = /(?<![\d.])\d{5,}(?![\d.])/g;

/** The merchant's own names for the accounts of statements, such as `wallet-main`. */
const OWN_NAMES = 'accounts.name';

function maskOfColumn(column: QueryColumn | undefined): ReturnType<typeof maskOf> {
  if (column === undefined || column.origin === OWN_NAMES) return null;
  return maskOf(column.origin?.split('.').at(-1) ?? '') ?? maskOf(column.name);
}
