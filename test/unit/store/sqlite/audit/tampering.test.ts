import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUBJECT_TABLES } from '../../../../../src/domain/audit/subjects.ts';
import { auditVerdict } from '../../../../../src/store/sqlite/read/audit-fault.ts';
import { SUBJECTS } from '../../../../../src/store/sqlite/read/audit-subjects.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';
import { fillFinance } from '../../../../support/audited-finance.ts';

// A person who may write the database, and does not have the key.

const audited = new AuditedDatabase();
beforeAll(async () => {
  await audited.fill();
  await fillFinance(audited);
});
afterAll(() => audited.remove());

const { database } = audited.db;

test('a verdict says how far it is, up to the last row of the chain', () => {
  const said: (readonly [number, number])[] = [];
  auditVerdict(database, audited.key, null, (done, total) => said.push([done, total]));
  const [last] = said.slice(-1);
  expect([said.length > 0, last?.[0]]).toEqual([true, last?.[1]]);
});

/** What the chain must cover, written down by hand: docs/data-model.md, The audit chain. */
const COVERED = [
  'accounts',
  'approval_rows',
  'approval_rules',
  'approvals',
  'audit_entries',
  'audit_head',
  'audit_touched',
  'credentials',
  'erased_texts',
  'exception_comments',
  'exception_log',
  'exception_resolutions',
  'exception_sheets',
  'exceptions',
  'imported_lines',
  'imported_overlaps',
  'imported_statements',
  'imported_unparsed',
  'journal_entries',
  'journal_lines',
  'match_decisions',
  'matching_rules',
  'period_balances',
  'period_closings',
  'periods',
  'statement_balances',
  'statement_controls',
  'statement_profiles',
  'user_tokens',
  'users',
];
/** The lease of an import that goes on. */
const NOT_COVERED = new Set(['accounts.importing', 'accounts.leased_until', 'accounts.machine', 'accounts.pid']);

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsOf = (table: string) => database.pragma(`table_info(${table})`) as Column[];
const changed = ({ name, type }: Column) => {
  if (type === 'INTEGER') return `coalesce(${name} + 1000003, 7)`;
  return type === 'BLOB' ? `coalesce(CAST(${name} || x'01' AS BLOB), x'01')` : `coalesce(${name} || 'x', 'x')`;
};
const columns = COVERED.flatMap((table) =>
  columnsOf(table).map((column) => ({ table, name: column.name, to: changed(column) })),
).filter(({ table, name }) => !NOT_COVERED.has(`${table}.${name}`));

/** The first and the last row of a table, once where they are the same: SQL conditions. */
function rowsOf(table: string): readonly string[] {
  const key = (database.pragma(`table_info(${table})`) as (Column & { pk: number })[])
    .filter(({ pk }) => pk > 0)
    .map(({ name }) => name)
    .join(', ');
  const pick = (order: string) =>
    `(${key}) = (SELECT ${key} FROM ${table} ORDER BY ${key.replaceAll(',', ` ${order},`)} ${order} LIMIT 1)`;
  const rows = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  return rows === 1 ? [pick('ASC')] : [pick('ASC'), pick('DESC')];
}

test('the untouched database is as its entries left it, and every covered table has a row to tamper with', () => {
  expect(audited.verdict()).toMatchObject({ ok: true, firstBad: null });
  const counts = COVERED.map((table) => database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get());
  expect(Math.min(...counts.map(Number))).toBeGreaterThan(0);
});

test('the verdict names every table that it covers', () => {
  expect([...audited.verdict().covers].sort()).toEqual(COVERED);
});

test.each(columns)('another value in $table $name is found', ({ table, name, to }) => {
  for (const row of rowsOf(table)) {
    const verdict = audited.verdictAfter(`UPDATE ${table} SET ${name} = ${to} WHERE ${row}`);
    expect(verdict.ok).toBe(false);
  }
});

test.each(COVERED)('a deleted row of %s is found', (table) => {
  for (const row of rowsOf(table)) expect(audited.verdictAfter(`DELETE FROM ${table} WHERE ${row}`).ok).toBe(false);
});

test('each tampering above was undone: without one the database is as its entries left it', () => {
  expect(audited.verdictAfter().ok).toBe(true);
});

const copyOf = (table: string, instead: Record<string, string>) => {
  const names = columnsOf(table).map(({ name }) => name);
  const values = names.map((name) => instead[name] ?? name);
  return `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} ORDER BY 1 LIMIT 1`;
};

test.each([
  ['match_decisions', copyOf('match_decisions', { id: '99' }), '99'],
  ['imported_statements', copyOf('imported_statements', { id: '99' }), '99'],
  ['imported_statements', copyOf('imported_statements', { id: '99', imported_at: 'NULL' }), '99'],
  ['exception_comments', copyOf('exception_comments', { id: '99', exception_number: '77' }), '99'],
  ['accounts', copyOf('accounts', { id: '99', name: "'other'" }), '99'],
  ['statement_profiles', copyOf('statement_profiles', { id: '99', name: "'other'" }), '99'],
  ['statement_profiles', copyOf('statement_profiles', { id: '99', digest: "'other'" }), '99'],
  ['matching_rules', copyOf('matching_rules', { digest: "'other'" }), 'other'],
  ['audit_head', copyOf('audit_head', { id: '99' }), '99'],
  ['users', copyOf('users', { id: '99', name: "'Eve'", folded_name: "'eve'" }), 'Eve'],
  ['user_tokens', copyOf('user_tokens', { id: '99', digest: "'eve'", user_id: '77' }), '99'],
  ['period_balances', copyOf('period_balances', { period_id: '77' }), 'periods'],
  [
    'periods',
    `${copyOf('journal_entries', { set_name: "'other'" })}; ${copyOf('journal_lines', { set_name: "'other'" })}`,
    'other/2026-10',
  ],
  [
    'matching_rules',
    `${copyOf('matching_rules', { digest: "'other'" })}; UPDATE reconciliation_runs SET rules_digest = 'other'`,
    null,
  ],
])('a row without an entry is found: %s', (table, sql, key) => {
  const { firstBad } = audited.verdictAfter(sql);
  if (key !== null) expect(firstBad).toEqual({ seq: null, table, key, reason: 'unlogged' });
  expect(firstBad).not.toBeNull();
});

test('a line slipped into a statement is found, with the entry that had left the statement without it', () => {
  const line = copyOf('imported_lines', { id: '99', row: '99', fingerprint: "x'00'" });
  const entry = database.prepare("SELECT max(seq) FROM audit_touched WHERE subject = 'statement:1'").pluck().get();
  expect(audited.verdictAfter(line).firstBad).toEqual({
    seq: entry,
    table: 'imported_statements',
    key: '1',
    reason: 'subject',
  });
});

const entryCount = () => database.prepare<[], number>('SELECT count(*) FROM audit_entries').pluck().get() as number;

test.each(COVERED)('without the table %s the verdict names it', (table) => {
  const { ok, firstBad } = audited.verdictWithout(table);
  expect({ ok, firstBad }).toEqual({ ok: false, firstBad: { seq: null, table, key: '*', reason: 'missing' } });
});

test('the tables of a subject of several are those that its digest covers', () => {
  const covered = SUBJECTS.map(({ table, parts }) => [...new Set([table, ...parts.flatMap((part) => part.tables)])]);
  const several = covered.filter((tables) => tables.length > 1).map((tables) => [tables[0], ...tables.slice(1).sort()]);
  const known = SUBJECT_TABLES.map((tables) => [tables[0], ...tables.slice(1).sort()]);
  expect(known.sort()).toEqual(several.sort());
});

test('an entry taken out is a gap, at the end as in the middle', () => {
  const last = entryCount();
  for (const seq of [2, last]) {
    const { firstBad } = audited.verdictAfter(`DELETE FROM audit_entries WHERE seq = ${seq}`);
    expect(firstBad).toEqual({ seq, table: 'audit_entries', key: String(seq), reason: 'gap' });
  }
});

test('an entry that does not follow the one before it is named, and so is one whose hash is not its own', () => {
  const reason = (sql: string) => audited.verdictAfter(sql).firstBad?.reason;
  expect(reason("UPDATE audit_entries SET previous = 'x' WHERE seq = 3")).toBe('previous');
  expect(reason("UPDATE audit_entries SET who = 'Eve' WHERE seq = 3")).toBe('hash');
  expect(reason("UPDATE audit_head SET signature = 'x'")).toBe('signature');
});

interface EntryRow {
  seq: number;
  at: number;
  who: string;
  act: string;
  subject: string;
  before: string | null;
  after: string | null;
  previous: string | null;
  hash: string;
}

/** The hash as docs/data-model.md describes it, written down here once more. */
function hashOf({ seq, at, who, act, subject, before, after, previous }: EntryRow): string {
  const text = (value: string | null) => (value === null ? 'null' : JSON.stringify(value));
  const canonical =
    `{"act":${text(act)},"after":${text(after)},"at":"${new Date(at).toISOString()}","before":${text(before)},` +
    `"previous":${text(previous)},"seq":${seq},"subject":${text(subject)},"who":${text(who)}}`;
  return createHash('sha256').update(canonical).digest('hex');
}

/** SQL that rebuilds the chain with another name in entry 2, its head signed by `key`. */
function rebuilt(key: string): string[] {
  const rows = database.prepare<[], EntryRow>('SELECT * FROM audit_entries ORDER BY seq').all();
  let previous: string | null = null;
  const sql: string[] = [];
  for (const row of rows) {
    const forged: EntryRow = { ...row, who: row.seq === 2 ? 'Eve' : row.who, previous };
    previous = hashOf(forged);
    const before = forged.previous === null ? 'NULL' : `'${forged.previous}'`;
    sql.push(
      `UPDATE audit_entries SET who = '${forged.who}', previous = ${before}, hash = '${previous}' WHERE seq = ${row.seq}`,
    );
  }
  const signature = createHmac('sha256', Buffer.from(key, 'hex'))
    .update(`tallyhook audit\n${rows.length}:${previous}`)
    .digest('hex');
  return [...sql, `UPDATE audit_head SET hash = '${previous}', signature = '${signature}'`];
}

test('a chain rebuilt without the key is found by its signature; with the key it is whole', () => {
  const forged = audited.verdictAfter(...rebuilt('00'.repeat(32)));
  expect(forged.firstBad).toEqual({ seq: entryCount(), table: 'audit_head', key: '1', reason: 'signature' });
  expect(audited.verdictAfter(...rebuilt(readFileSync(audited.keyFile, 'utf8').trim())).ok).toBe(true);
});

test('a head noted elsewhere is found in the chain, and missed in a chain that was rebuilt with the key', () => {
  const [hash] = database.prepare<[], string>('SELECT hash FROM audit_entries WHERE seq = 2').pluck().all();
  const noted = { seq: 2, hash: String(hash) };
  expect(audited.verdict(noted).ok).toBe(true);
  const wrong = { seq: 2, table: 'audit_entries', key: '2', reason: 'head' };
  expect(audited.verdict({ ...noted, hash: 'ab'.repeat(32) }).firstBad).toEqual(wrong);
  expect(audited.verdict({ ...noted, seq: 99 }).firstBad).toMatchObject({ seq: 99, reason: 'head' });
});

test('the digest of a decision is sha256 of the canonical JSON of its row, read by hand', () => {
  const row = database
    .prepare<[], Record<string, string | number | null>>(`
    SELECT account_id, comment, date, decided_at, decided_by, environment, lower(hex(fingerprint)) AS fingerprint, id, kind, leg,
      occurrence, reference, verdict
    FROM match_decisions WHERE id = 1`)
    .get();
  const texts = Object.fromEntries(
    Object.entries(row ?? {}).map(([name, value]) => [name, value === null ? null : String(value)]),
  );
  const canonical = JSON.stringify([['match_decisions', texts]]);
  const logged = database.prepare("SELECT after FROM audit_entries WHERE subject = 'decision:1'").pluck().get();
  expect(logged).toBe(createHash('sha256').update(canonical).digest('hex'));
});
