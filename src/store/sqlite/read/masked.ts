import { randomBytes } from 'node:crypto';
import SQLite, { type ColumnDefinition } from 'better-sqlite3';
import { masked, maskedBody, maskedEmails, maskOf } from '../../../domain/text/privacy.ts';
import { BUSY_TIMEOUT_MS, type Database } from '../engine/database.ts';

/**
 * A connection that cannot write, on which the name of each table and view means a view of it: what proves a login is NULL there, and personal data is
 * masked unless `reveal`. So a condition, a join or an expression sees what is shown, and nothing else. The file itself is attached under a random name,
 * which no statement can know.
 */
export function openMasked(file: string, { reveal }: { readonly reveal: boolean }): Database {
  const database = new SQLite(emptyMain(), { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const hidden = `file_${randomBytes(16).toString('hex')}`;
    database.prepare(`ATTACH ? AS ${hidden}`).run(file);
    const indexed = new Set(database.prepare<[], string>(INDEXED(hidden)).pluck().all());
    for (const name of database.prepare<[], string>(NAMES(hidden)).pluck().all()) {
      const source = `${hidden}."${name}"`;
      const shown = database
        .prepare(`SELECT * FROM ${source}`)
        .columns()
        .map((column, at) => {
          const mask = isSecret(column) ? hide : reveal ? null : maskOfColumn(column, indexed);
          if (mask === null) return `"${column.name}"`;
          const called = `mask_${name}_${at}`;
          database.function(called, { deterministic: true, safeIntegers: true }, (value) => applied(mask, value));
          const call = `${called}("${column.name}")`;
          const value = mask === maskText ? `iif(${MAY_MASK(column.name)}, ${call}, "${column.name}")` : call;
          return `${value} AS "${column.name}"`;
        });
      database.exec(`CREATE TEMP VIEW "${name}" AS SELECT ${shown.join(', ')} FROM ${source}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const NAMES = (schema: string) =>
  `SELECT name FROM ${schema}.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`;
const INDEXED = (schema: string) => `
  SELECT DISTINCT owner.name || '.' || part.name FROM ${schema}.sqlite_schema owner, pragma_index_list(owner.name, '${schema}') list,
    pragma_index_info(list.name, '${schema}') part
  WHERE owner.type = 'table'`;

/** A main database with the tables that the engine keeps for itself, empty: a name that no view has is looked up in the file. */
function emptyMain(): Buffer {
  const database = new SQLite(':memory:');
  try {
    database.exec('CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT); ANALYZE; DROP TABLE counted');
    return database.serialize();
  } finally {
    database.close();
  }
}

/** What `maskText` may change has one of these: looking for them is cheaper than the call, for columns such as a status. */
const MAY_MASK = (column: string) => ['@', '{', '['].map((sign) => `instr("${column}", '${sign}')`).join(' OR ');

type Mask = (text: string) => string | null;

const hide: Mask = () => null;
const maskText: Mask = (text) => (/^\s*[{[]/.test(text) ? maskedBody(text) : maskedEmails(text));
const maskSentence: Mask = (text) => maskedEmails(text).replace(LONG_NUMBER, masked);
/** Account numbers in a sentence. Amounts have a decimal point and do not match. */
const LONG_NUMBER = /(?<![\d.])\d{5,}(?![\d.])/g;

function applied(mask: Mask, value: unknown): unknown {
  if (value instanceof Uint8Array) return mask(Buffer.from(value).toString('utf8'));
  return typeof value === 'string' ? mask(value) : value;
}

/** What proves a login. No statement sees it. */
const isSecret = ({ table, column }: ColumnDefinition) =>
  ['credentials.value', 'sessions.digest', 'user_tokens.digest'].includes(`${table}.${column}`);

/** Sentences and bare values, in which account numbers are not named. */
const SENTENCES: readonly string[] = [
  ...['payouts.narration', 'findings.detail', 'exception_comments.text'],
  ...['imported_lines.text', 'imported_unparsed.value'],
  ...['kept_breaks.ours', 'kept_breaks.theirs', 'exceptions.ours', 'exceptions.theirs'],
  ...['exception_log.ours', 'exception_log.theirs', 'exception_resolutions.ours', 'exception_resolutions.theirs'],
];
/** Deliveries as they were packed for the log: no name says which of these bytes is an account number. */
const PACKED = 'aside.bytes';
const BODIES: readonly string[] = ['events.body', 'variants.body', 'outbox.payload'];

/** Null for what is shown as it is: numbers, digests, and what is looked up by an index, such as a reference. */
function maskOfColumn({ name, table, column, type }: ColumnDefinition, indexed: ReadonlySet<string>): Mask | null {
  const origin = `${table}.${column}`;
  if (origin === PACKED) return hide;
  if (BODIES.includes(origin)) return maskedBody;
  if (type === 'BLOB' || type === 'INTEGER' || type === 'REAL') return null;
  // The merchant's own names for the accounts of statements, such as `wallet-main`.
  if (column === 'account' || origin === 'accounts.name') return null;
  const named = maskOf(column ?? name);
  if (named !== null) return named;
  if (SENTENCES.includes(origin)) return maskSentence;
  return indexed.has(origin) ? null : maskText;
}
