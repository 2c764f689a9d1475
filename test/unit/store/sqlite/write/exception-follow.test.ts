import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKey, auditWrites } from '../../../../../src/store/sqlite/write/audit.ts';
import { exceptionFollowing } from '../../../../../src/store/sqlite/write/exception-follow.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

const COMPARISONS = ['Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge'];

/** The SQL of every statement that following prepares. */
function preparedSql(): string[] {
  const all: string[] = [];
  const prepare = (sql: string) => {
    all.push(sql);
    return db.database.prepare(sql);
  };
  const watched = Object.create(db.database, { prepare: { value: prepare } });
  exceptionFollowing(watched, auditWrites(db.database, auditKey(`${db.path}.key`, db.path)));
  return all;
}

/** The operations of the engine for each row, from the seek on the table to the row that it returns. */
function perRow(sql: string): string[] {
  const unbound = sql.replace(/@\w+/g, '?');
  const steps = db.database.prepare<unknown[], { opcode: string }>(`EXPLAIN ${unbound}`);
  const names = steps.all(...(unbound.match(/\?/g) ?? []).map(() => 1)).map(({ opcode }) => opcode);
  return names.slice(names.findLastIndex((name) => /^Seek(GT|GE)$/.test(name)) + 1, names.indexOf('ResultRow'));
}

test('a piece seeks its first break, and passes over none of those before it', () => {
  const [found, ...others] = preparedSql().filter((sql) => sql.includes('FROM kept_breaks'));
  expect(others).toEqual([]);
  const steps = perRow(found ?? '');
  expect(steps).toContain('Column');
  expect(steps.filter((name) => COMPARISONS.includes(name))).toEqual([]);
});
