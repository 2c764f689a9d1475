import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { refund, TestDatabase } from '../../../../support/test-database.ts';

const db = new TestDatabase();
db.keepAndApply(refund('R1', 'pending'), refund('R2', 'pending'));
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});
const stranger = join(db.folder, 'stranger.db');

test.each([
  ['an insert', "INSERT INTO unapplied VALUES ('events', 1)", /Only a SELECT/],
  ['an update', 'UPDATE events SET deliveries = 0', /Only a SELECT/],
  ['a delete that hides behind WITH', 'WITH one AS (SELECT 1) DELETE FROM events RETURNING id', /writes/],
  ['an insert behind a comment', '/* SELECT */ DROP TABLE events', /Only a SELECT/],
  ['a pragma', 'PRAGMA query_only = OFF', /Only a SELECT/],
  ['another database', `ATTACH '${stranger}' AS other`, /Only a SELECT/],
  ['a copy', `VACUUM INTO '${stranger}'`, /Only a SELECT/],
  ['a transaction', 'BEGIN', /Only a SELECT/],
  ['two statements', 'SELECT 1; DELETE FROM events', /more than one statement/],
  ['nothing', '', /Only a SELECT/],
  ['a parameter', 'SELECT ?', /cannot be run/],
  ['a typing error', 'SELECT * FROM evnts', /no such table: evnts/],
  ['an extension', "SELECT load_extension('x')", /not authorized/],
  ['an overflow', 'SELECT abs(-9223372036854775808)', /overflow/],
])('refused with a sentence: %s', async (_what, sql, message) => {
  await expect(archive.query(sql, 10)).rejects.toEqual(
    expect.objectContaining({ kind: 'usage', message: expect.stringMatching(message), hint: expect.any(String) }),
  );
  expect(existsSync(stranger)).toBe(false);
  expect(db.database.prepare('SELECT sum(deliveries) FROM events').pluck().get()).toBe(2);
});

test.each([
  ['a select', 'SELECT count(*) FROM events'],
  ['with comments in front', '-- how many?\n/* well */ select count(*) from events;'],
  ['a common table', 'WITH e AS (SELECT * FROM events) SELECT count(*) FROM e'],
])('read: %s', async (_what, sql) => {
  expect(await archive.query(sql, 10)).toMatchObject({ rows: [[2n]], truncated: false });
});

test('integers are exact, and blobs are bytes', async () => {
  const { columns, rows } = await archive.query(
    "SELECT 9223372036854775807 AS n, x'0aff' AS b, NULL AS z, id FROM events",
    1,
  );
  expect(rows).toEqual([[9_223_372_036_854_775_807n, Buffer.from([0x0a, 0xff]), null, 1n]]);
  expect(columns).toEqual(['n', 'b', 'z', 'id']);
});

test('an endless result ends at the limit', async () => {
  const endless = 'WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n';
  const { rows, truncated } = await archive.query(endless, 3);
  expect({ rows, truncated }).toEqual({ rows: [[1n], [2n], [3n]], truncated: true });
  expect((await archive.query('SELECT id FROM events', 2)).truncated).toBe(false);
});
