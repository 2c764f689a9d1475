import { closeSync, openSync, writeSync } from 'node:fs';
import { type Database, makeBulkDatabase, openBulkDatabase } from '../../test/support/bulk-database.ts';

/*
 * A month of business by SQL: records as they are after a webhook and an answer of the service that agree, and a wallet
 * statement as a file. 80 of 100 records are collections, 15 payouts and 5 refunds. In three of `every` something is wrong: no
 * line, another amount, or another reference.
 */

/** Everything became known then: after the month. */
const KNOWN_MS = Date.UTC(2026, 10, 10, 9);
const DAYS = 31;
const STATEMENT_HEAD = 'date,reference,type,amount,fee\n';
/** Rows written to the file at a time. */
const AT_ONCE = 20_000;

export const FROM = '2026-10-01';
export const TO = '2026-10-31';
/** The day after, on which the new lines are. */
export const NEXT = '2026-11-01';
export const NEXT_DAY = { fromDay: DAYS + 1, toDay: DAYS + 1 };

export const PROFILE = `version: 1
name: bench
kind: wallet
account: main
environment: test
currency: NGN
zone: UTC
columns: { date: date, reference: reference, type: type }
dateFormat: yyyy-MM-dd
amount: { signed: amount }
fee: fee
types: { collection: collection, payout: payout, refund: refund }
`;

/** Numbers of records, and of the days of the month on which they are. */
export interface Part {
  readonly first: number;
  readonly last: number;
  readonly fromDay: number;
  readonly toDay: number;
  /** Among how many records three are wrong; 1000 unless told. */
  readonly every?: number;
}

export const WHOLE_MONTH = { fromDay: 1, toDay: DAYS };

/** Makes an empty database. */
export function makeDatabase(path: string): void {
  const database = makeBulkDatabase(path, KNOWN_MS);
  const proven = database.prepare(
    "INSERT INTO proven_endpoints (environment, endpoint, proven_at) VALUES ('test', ?, 1)",
  );
  for (const kind of ['payout', 'collection']) proven.run(kind);
  database.close();
}

/** Adds records to a database, writes the lines of a statement about them to a file, and the records to another. */
export function fillPart(path: string, part: Part, files: { readonly lines: string; readonly records: string }): void {
  const database = openBulkDatabase(path);
  makeRows(database, part);
  for (const [kind, columns] of Object.entries(COLUMNS)) insertRecords(database, kind, columns);
  writeRows(database, files.lines, STATEMENT_HEAD, lines(part.every ?? 1_000));
  writeRows(database, files.records, 'reference,amount\n', RECORDS);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Moves what the log holds into the database file, so that a copy of the file is whole. */
export function emptyLog(path: string): void {
  const database = openBulkDatabase(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

/** References have no order, as those of a service. */
function makeRows(database: Database, { first, last, fromDay, toDay }: Part): void {
  database.exec('CREATE TEMP TABLE business (n INTEGER PRIMARY KEY, kind, reference, day, at, amount, fee)');
  database
    .prepare(`
      INSERT INTO business
      WITH RECURSIVE number (n) AS (SELECT @first UNION ALL SELECT n + 1 FROM number WHERE n < @last),
      dated AS (
        SELECT n, CASE WHEN n % 100 < 80 THEN 'collection' WHEN n % 100 < 95 THEN 'payout' ELSE 'refund' END AS kind,
               @fromDay + (n - @first) * (@toDay - @fromDay + 1) / (@last - @first + 1) AS day,
               (1000 + n * 7919 % 800000) * 10 AS amount
        FROM number)
      SELECT n, kind, printf('%s-%08X', upper(substr(kind, 1, 3)), n * 2654435761 % 4294967296), date('${FROM}', (day - 1) || ' days'),
             printf('%sT%02d:%02d:%02dZ', date('${FROM}', (day - 1) || ' days'), n / 3600 % 22, n / 60 % 60, n % 60), amount, amount * 15 / 1000
      FROM dated`)
    .run(
      Object.fromEntries(Object.entries({ first, last, fromDay, toDay }).map(([name, value]) => [name, BigInt(value)])),
    );
}

const MONEY = (name: string) => [
  ...['', 'reported_', 'confirmed_'].map((by) => [`${by}${name}_minor`, 'fee']),
  ...['', 'reported_', 'confirmed_'].map((by) => [`${by}${name}_exact`, "printf('%d.%02d', fee / 100, fee % 100)"]),
];
const TIMES = (...names: string[]) =>
  names.flatMap((name) => [
    [name, 'at'],
    [`${name}_utc`, 'at'],
  ]);
const SHARED = [
  ...[
    ['environment', "'test'"],
    ['reference', 'reference'],
    ['reported', "'success'"],
    ['reported_time', 'at'],
  ],
  ...[
    ['confirmed', "'success'"],
    ['confirmed_at', `${KNOWN_MS}`],
    ['first_seen_at', `${KNOWN_MS}`],
  ],
  ...[
    ['changed_at', `${KNOWN_MS}`],
    ['amount_minor', 'amount'],
    ['reported_amount_minor', 'amount'],
  ],
  ...[
    ['confirmed_amount_minor', 'amount'],
    ['currency', "'NGN'"],
    ['reported_currency', "'NGN'"],
  ],
  ...[['confirmed_currency', "'NGN'"], ...TIMES('updated_at')],
];
const COLUMNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  collection: [
    ...SHARED,
    ...MONEY('fees'),
    ...TIMES('created_at', 'paid_at'),
    ...['requested_amount_minor', 'reported_requested_amount_minor', 'confirmed_requested_amount_minor'].map((name) => [
      name,
      'amount',
    ]),
    ['channel', "'bank_transfer'"],
  ],
  payout: [...SHARED, ...MONEY('fee'), ...TIMES('created_at', 'paid_at')],
  refund: [
    ...SHARED,
    ...MONEY('fee'),
    ...TIMES('requested_at', 'completed_at'),
    ['transaction_reference', "'TX-' || n"],
    ['total_reserved_minor', 'amount + fee'],
    ['total_reserved_exact', "printf('%d.%02d', (amount + fee) / 100, (amount + fee) % 100)"],
    ['funding_status', "'released'"],
  ],
};

function insertRecords(database: Database, kind: string, columns: readonly (readonly string[])[]): void {
  const names = columns.map(([name]) => name);
  const values = columns.map(([, value]) => value);
  database
    .prepare(`INSERT INTO ${kind}s (${names}) SELECT ${values} FROM business WHERE kind = ? ORDER BY n`)
    .run(kind);
}

const AMOUNT = (minor: string) =>
  `printf('%s%d.%02d', iif(${minor} < 0, '-', ''), abs(${minor}) / 100, abs(${minor}) % 100)`;
/** Within a day in no order. */
const lines = (every: number) => `
  WITH moved AS (
    SELECT n, day, kind, fee, CASE n % ${every} WHEN 3 THEN 'X-' || n ELSE reference END AS reference,
           iif(kind = 'collection', amount - fee, -amount - fee) + iif(n % ${every} = 2, 100, 0) AS moved
    FROM business WHERE n % ${every} <> 1)
  SELECT day || ',' || reference || ',' || kind || ',' || ${AMOUNT('moved')} || ',' || ${AMOUNT('fee')} || char(10) FROM moved
  ORDER BY day, n * 2654435761 % 4294967296`;
const RECORDS = `SELECT reference || ',' || ${AMOUNT("iif(kind = 'collection', amount - fee, -amount - fee)")} || char(10) FROM business ORDER BY n`;

function writeRows(database: Database, path: string, head: string, sql: string): void {
  const file = openSync(path, 'w');
  let text = head;
  let rows = 0;
  for (const row of database.prepare<[], string>(sql).pluck().iterate()) {
    text += row;
    if (++rows % AT_ONCE !== 0) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}
