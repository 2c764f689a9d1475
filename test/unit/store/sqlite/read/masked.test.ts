import { afterAll, expect, test } from 'vitest';
import { openMasked } from '../../../../../src/store/sqlite/read/masked.ts';
import { runQuery } from '../../../../../src/store/sqlite/read/query.ts';
import { payout, TestDatabase } from '../../../../support/test-database.ts';

const ACCOUNT = '0123456789';
const SECRET = 'f00dfeedf00dfeed';
const db = new TestDatabase();
db.keepAndApply(payout('P1', 'success', { data: { account_number: ACCOUNT, account_name: 'Ada Obi' } }));
db.database.exec(`
  INSERT INTO users (id, name, folded_name, roles, added_at) VALUES (1, 'Ada', 'ada', 'admin', 0);
  INSERT INTO user_tokens (user_id, digest, made_at, ends_at) VALUES (1, '${SECRET}', 0, 1);
  INSERT INTO credentials (user_id, kind, value, made_at) VALUES (1, 'password', '${SECRET}', 0);
  ANALYZE`);
const opened = { masked: openMasked(db.path, { reveal: false }), whole: openMasked(db.path, { reveal: true }) };
afterAll(() => {
  opened.masked.close();
  opened.whole.close();
  db.remove();
});
const rows = (sql: string, as: keyof typeof opened = 'masked') => runQuery(opened[as], sql, 1000).rows;
const told = (sql: string, as?: keyof typeof opened) => JSON.stringify(rows(sql, as).map((row) => row.map(String)));

const HOLDS = `account_number = '${ACCOUNT}'`;
const DIGITS = 'WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n LIMIT 10)';
test.each([
  ['a condition', `SELECT id FROM payouts WHERE ${HOLDS}`],
  ['a pattern', "SELECT id FROM payouts WHERE account_number LIKE '0%'"],
  ['a join with guesses', `${DIGITS} SELECT x FROM n JOIN payouts ON substr(account_number, 1, 1) = CAST(x AS TEXT)`],
  [
    'a join of the row with itself',
    `SELECT 1 FROM payouts p WHERE EXISTS (SELECT 1 FROM payouts q WHERE q.id = p.id AND q.${HOLDS})`,
  ],
  ['a group', `SELECT count(*) FROM payouts GROUP BY account_number HAVING ${HOLDS}`],
  ['a common table', `WITH p AS MATERIALIZED (SELECT account_number FROM payouts) SELECT 1 FROM p WHERE ${HOLDS}`],
  ['a field of a body', `SELECT 1 FROM events WHERE json_extract(body, '$.data.account_number') = '${ACCOUNT}'`],
  ['the bytes of a body', `SELECT 1 FROM events WHERE instr(body, '${ACCOUNT}')`],
  ['samples of an index', 'SELECT * FROM sqlite_stat4'],
  ['a credential', `SELECT 1 FROM credentials WHERE value LIKE '%'`],
])('no statement finds out by %s what it may not show', (_by, sql) => {
  expect(rows(sql)).toEqual([]);
});

test.each([
  ['main.payouts', 'the main database'],
  ['temp.payouts', 'the views'],
  ['payouts', 'the name'],
])('%s holds nothing whole, in any order or expression', (table) => {
  const shown = (sql: string) => {
    try {
      return told(sql);
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const sql of [
    `SELECT * FROM ${table} ORDER BY account_number`,
    `SELECT account_number || '', hex(account_number), unicode(account_number) FROM ${table}`,
    `SELECT (SELECT group_concat(account_number) FROM ${table}), (SELECT max(account_name) FROM ${table})`,
    `SELECT json_group_array(account_number) OVER () FROM ${table}`,
  ])
    expect(shown(sql)).not.toMatch(new RegExp(`${ACCOUNT}|3031323334|Obi|^\\[\\["48`));
});

test('the file has no name that a statement could know, and pages of it are counted only', () => {
  const names = () => {
    const database = openMasked(db.path, { reveal: false });
    const shown = runQuery(database, 'SELECT name FROM pragma_database_list ORDER BY seq', 10).rows.flat();
    database.close();
    return shown;
  };
  const [main, temp, file] = names();
  expect([main, temp]).toEqual(['main', 'temp']);
  expect(names()[2]).not.toBe(file);
  expect(told('SELECT * FROM dbstat')).not.toContain(ACCOUNT);
  expect(told('SELECT sql FROM sqlite_schema UNION ALL SELECT sql FROM sqlite_temp_schema')).not.toContain(ACCOUNT);
});

test('an act of revealing shows personal data whole, and no credential', () => {
  expect(rows('SELECT account_number, account_name FROM payouts', 'whole')).toEqual([[ACCOUNT, 'Ada Obi']]);
  for (const as of ['masked', 'whole'] as const)
    expect(rows('SELECT value FROM credentials UNION ALL SELECT digest FROM user_tokens', as)).toEqual([
      [null],
      [null],
    ]);
});

test('what is no personal data is shown as it is, and found by its index', () => {
  expect(rows("SELECT reference, amount_minor, account_number FROM payouts WHERE reference = 'P1'")).toEqual([
    ['P1', expect.any(BigInt), '••••••6789'],
  ]);
  expect(told("EXPLAIN QUERY PLAN SELECT 1 FROM payouts WHERE environment = 'test' AND reference = 'P1'")).toMatch(
    /SEARCH .*INDEX/,
  );
  expect(rows("SELECT json_extract(body, '$.data.account_number') FROM events")).toEqual([['••••••6789']]);
});

test('runs of digits are masked in a body that is no JSON', () => {
  db.database.exec(`
    INSERT INTO variants (event_id, content_digest, body, body_digest, key_id, merchant_signature, received_at, last_received_at, deliveries)
    SELECT id, 'x', CAST('account=${ACCOUNT}' AS BLOB), body_digest, key_id, merchant_signature, 0, 0, 1 FROM events`);
  expect(rows('SELECT body FROM variants')).toEqual([['account=••••••6789']]);
});

const LOOKED_UP = `account account_name act answer break_id cause code content_digest currency date digest effect endpoint
  environment event folded_name from_day group_name id identity job key kind leg likeness list name path
  period place profile profile_digest reason record_reference reference session_id set_name severity source
  state subject target transaction_reference updated_at webhook_id what`;

test('an e-mail address is masked in every text of every table and view but those that an index looks up', () => {
  const filled = new TestDatabase();
  filled.database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
  const tables = filled.database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  for (const table of tables) {
    const columns = filled.database
      .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)')
      .all(table);
    const values = columns.map(({ type }) =>
      type === 'TEXT' ? "'write to ada@example.com'" : type === 'BLOB' ? "x'00'" : '7',
    );
    filled.database.exec(`INSERT OR REPLACE INTO ${table} VALUES (${values.join(', ')})`);
  }
  const database = openMasked(filled.path, { reveal: false });
  const names = runQuery(database, 'SELECT name FROM sqlite_temp_schema', 1000).rows.flat();
  const whole = names.flatMap((name) => {
    const { columns, rows: found } = runQuery(database, `SELECT * FROM ${name}`, 10);
    return columns.filter((_column, at) => String(found[0]?.[at]).includes('ada@'));
  });
  database.close();
  filled.remove();
  expect([...new Set(whole)].toSorted()).toEqual(LOOKED_UP.split(/\s+/));
});
