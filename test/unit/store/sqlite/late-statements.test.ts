import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../src/domain/checks/next-check.ts';
import { withLateStatements } from '../../../../src/store/sqlite/engine/late-statements.ts';
import { operationCalls } from '../../../../src/store/sqlite/write/operations.ts';
import { TestDatabase } from '../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

test('a statement is compiled when it runs first, and once', () => {
  const compiled: string[] = [];
  const { prepare } = db.database;
  db.database.prepare = ((sql: string) => {
    compiled.push(sql);
    return prepare.call(db.database, sql);
  }) as typeof prepare;
  const late = withLateStatements(db.database);
  const [one, other] = [late.prepare('SELECT 1 AS one'), late.prepare('SELECT 2 AS other')];
  expect(compiled).toEqual([]);
  expect([one.get(), one.all()]).toEqual([{ one: 1 }, [{ one: 1 }]]);
  expect(compiled).toEqual(['SELECT 1 AS one']);
  expect(other.get()).toEqual({ other: 2 });
});

test('it returns what the same statement returns that is compiled at once', () => {
  const late = withLateStatements(db.database);
  const sql = 'SELECT @big AS big UNION ALL SELECT 2';
  const big = 2n ** 60n;
  expect(late.prepare(sql).safeIntegers().all({ big })).toEqual(db.database.prepare(sql).safeIntegers().all({ big }));
  expect(late.prepare(sql).safeIntegers().pluck().all({ big })).toEqual([big, 2n]);
  expect(late.prepare(sql).pluck().get({ big: 3 })).toBe(3);
  expect([...late.prepare(sql).pluck().iterate({ big: 3 })]).toEqual([3, 2]);
  late.transaction(() => late.prepare('CREATE TABLE made (id INTEGER)').run())();
  expect(late.prepare('INSERT INTO made VALUES (?)').run(7).changes).toBe(1);
  expect([late.name, late.open, late.inTransaction]).toEqual([db.path, true, false]);
});

test('wrong SQL is refused when it runs', () => {
  const wrong = withLateStatements(db.database).prepare('SELECT * FROM missing');
  expect(() => wrong.get()).toThrow('no such table: missing');
});

test('every statement of the operations compiles under the schema', () => {
  const settings = { checkRules: STANDARD_CHECK_RULES, auditKey: join(db.folder, 'audit.key') };
  expect(() => operationCalls(db.database, settings)).not.toThrow();
});
