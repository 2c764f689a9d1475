import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Database, makeBulkDatabase, openBulkDatabase } from '../test/support/bulk-database.ts';
import { KINDS, type RowKind } from '../test/support/row-kinds.ts';
import { type StatementTime, withTimedStatements } from './rows/timed-statements.ts';
import { median } from './statistics.ts';
import { digits, table } from './table.ts';
import { Workplace } from './workplace.ts';

// What a row costs (docs/performance.md): each statement that writes it, and each of its tables and indexes.

export const ROWS_USAGE = `npm run bench -- rows [options]
  --rows N           rows of each kind (50000)
  --rounds N         rounds; the median is shown (3)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)`;

/** Rows of one transaction. */
const PIECE = 1_000;
/** Statements that take less than this of a row, in microseconds, are left out. */
const LEAST_SHOWN_US = 0.05;

interface Written {
  /** User and system, of a row. */
  readonly cpuUs: number;
  readonly statements: readonly StatementTime[];
}

interface IndexRow {
  readonly name: string;
  readonly sql: string | null;
}

export async function benchRows(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
    },
  });
  const [rows, rounds] = [Number(values.rows), Number(values.rounds)];
  const workplace = new Workplace(values.folder);
  try {
    for (const [name, kind] of Object.entries(KINDS))
      console.log(`${kindText(workplace, { name, kind, rows, rounds })}\n`);
  } finally {
    workplace.close();
  }
}

interface Order {
  readonly name: string;
  readonly kind: RowKind;
  readonly rows: number;
  readonly rounds: number;
}

function kindText(workplace: Workplace, { name, kind, rows, rounds }: Order): string {
  const path = workplace.path('rows.db');
  let before: Sizes = new Map();
  // The first one also compiles the code.
  write(path, kind, { rows, without: null, onPrepared: (database) => (before = sizesOf(database, kind)) });
  const sizes = reading(path, (database) => sizesOf(database, kind));
  const indexes = indexesOf(path, kind);
  const left = indexes.filter(isLeftOut).map((index) => index.name);
  // In turn, so that what else the machine does meets all of them.
  const written = Array.from({ length: rounds }, () => {
    const whole = write(path, kind, { rows, without: null });
    return { whole, without: left.map((index) => whole.cpuUs - write(path, kind, { rows, without: index }).cpuUs) };
  });
  const ofIndex = (index: string) => median(written.map(({ without }) => without[left.indexOf(index)] ?? Number.NaN));
  const ofStatement = (place: number) =>
    median(written.map(({ whole }) => ((whole.statements[place]?.ms ?? 0) * 1_000) / rows));
  const bytes = (of: string) => digits(((sizes.get(of) ?? Number.NaN) - (before.get(of) ?? 0)) / rows, 0);
  const statements = (written[0]?.whole.statements ?? [])
    .map(({ sql }, place) => ({ sql, us: ofStatement(place) }))
    .filter(({ us }) => us >= LEAST_SHOWN_US);
  return table(
    [`a row of kind ${name}`, 'µs', 'bytes'],
    [
      ['all of it, in processor time', digits(median(written.map(({ whole }) => whole.cpuUs)), 1), '-'],
      ...statements.map(({ sql, us }) => [`${sql.slice(0, 60)}, by the clock`, digits(us, 1), '-']),
      ...kind.tables.map((one) => [`table ${one}`, '-', bytes(one)]),
      ...indexes.map((index) => [`index ${index.name}`, digits(ofIndex(index.name), 1), bytes(index.name)]),
    ],
  );
}

interface Writing {
  readonly rows: number;
  /** An index; null: with all of them. */
  readonly without: string | null;
  /** What the rows refer to is there. */
  readonly onPrepared?: (database: Database) => void;
}

/** Writes the rows into a new database without the index. */
function write(path: string, kind: RowKind, { rows, without, onPrepared }: Writing): Written {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  makeBulkDatabase(path, 1).close();
  const database = openBulkDatabase(path);
  try {
    if (without !== null) database.exec(`DROP INDEX ${without}`);
    const times = new Map<string, StatementTime>();
    const writeRows = kind.prepare(withTimedStatements(database, times), rows);
    onPrepared?.(database);
    for (const time of times.values()) time.ms = 0;
    const before = process.cpuUsage();
    for (let from = 0; from < rows; from += PIECE) {
      database.exec('BEGIN IMMEDIATE');
      writeRows(from, Math.min(PIECE, rows - from));
      database.exec('COMMIT');
    }
    const { user, system } = process.cpuUsage(before);
    return { cpuUs: (user + system) / rows, statements: [...times.values()] };
  } finally {
    database.close();
  }
}

function reading<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openBulkDatabase(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Bytes of each table and index. */
type Sizes = ReadonlyMap<string, number>;

function sizesOf(database: Database, { tables }: RowKind): Sizes {
  const sql = `
    SELECT name, sum(pgsize) AS bytes FROM dbstat
    WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?))) GROUP BY name`;
  const found = database.prepare<[string], { name: string; bytes: number }>(sql).all(JSON.stringify(tables));
  return new Map(found.map(({ name, bytes }) => [name, bytes]));
}

function indexesOf(path: string, { tables }: RowKind): IndexRow[] {
  const sql = `
    SELECT name, sql FROM sqlite_schema
    WHERE type = 'index' AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY tbl_name, name`;
  return reading(path, (database) => database.prepare<[string], IndexRow>(sql).all(JSON.stringify(tables)));
}

/** An index that a statement names in its ON CONFLICT, or that a constraint made, cannot be left out: its time is not known. */
const isLeftOut = ({ sql }: IndexRow): boolean => sql?.startsWith('CREATE INDEX') ?? false;
