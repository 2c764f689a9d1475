import { TallyhookError } from '../../src/domain/error.ts';
import type { QueryResult, QueryValue } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { StoreError } from '../../src/store/error.ts';
import { configFrom } from '../context/config.ts';
import { stopAtOnce } from '../context/stop-signal.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { lengthOption } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { note, printJson, printTable } from '../show/output.ts';

interface SqlArguments {
  readonly config: string | undefined;
  readonly statement: string;
  readonly limit: number;
  readonly timeout: number;
  readonly reveal: boolean;
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
        .option('reveal', REVEAL_OPTION.reveal)
        .epilogue(
          'The statement itself sees masked account numbers, names and e-mail addresses, unless --reveal asks for them.',
        )
        .example('$0 sql "SELECT state, count(*) FROM events GROUP BY state"', 'Events by state'),
    async (argv) => {
      const { columns, rows, truncated } = await queried(argv);
      if (argv.json) {
        printJson({ columns, rows: rows.map((row) => row.map(jsonValue)), truncated });
      } else {
        printTable(
          rows,
          columns.map((header, index) => ({
            header,
            value: (row) => textValue(row[index] ?? null),
            align: rows.every((row) => typeof row[index] === 'bigint') ? 'right' : 'left',
          })),
        );
      }
      if (truncated) note(`Only the first ${argv.limit} rows; a higher --limit shows more.`);
    },
  );
}

async function queried({
  statement: sql,
  limit,
  timeout: timeoutMs,
  reveal,
  ...argv
}: SqlArguments): Promise<QueryResult> {
  const store = storeOf(await configFrom(argv));
  const stop = stopAtOnce();
  try {
    return await store.query({ sql, limit, timeoutMs, reveal }, stop.signal);
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
function jsonValue(value: QueryValue): string | number | null {
  if (value === null) return null;
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return textValue(value);
}

function textValue(value: QueryValue): string {
  if (value === null) return 'NULL';
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
