import { afterEach, beforeEach, expect, test } from 'vitest';
import { exceptionReads } from '../../../../../src/store/sqlite/read/exceptions.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

test('how an exception stands is read without the break that it is', () => {
  const all: string[] = [];
  const prepare = (sql: string) => {
    all.push(sql);
    return db.database.prepare(sql);
  };
  exceptionReads(Object.create(db.database, { prepare: { value: prepare } }));
  const [progress = '', ...others] = all.filter((sql) =>
    sql.includes('WHERE e.id IN (SELECT value FROM json_each(?))'),
  );
  expect(others).toEqual([]);
  const columns = db.database.prepare(progress).columns();
  expect(columns.map(({ name }) => name).sort()).toEqual([
    ...['approval', 'approved_at', 'approved_by', 'assignee', 'break_id', 'comment', 'follow_up'],
    ...['reason_code', 'resolution', 'resolved_at', 'same_as', 'status', 'version'],
  ]);
});
