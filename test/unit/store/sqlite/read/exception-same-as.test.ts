import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXCEPTION_OF_ID, EXCEPTION_SELECT } from '../../../../../src/store/sqlite/rows/exceptions.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

test('thousands of exceptions with one reference: the one that has the amount is sought, and the others are not passed over', () => {
  const steps = db.database.prepare<[string], { detail: string }>(
    `EXPLAIN QUERY PLAN ${EXCEPTION_SELECT} ${EXCEPTION_OF_ID}`,
  );
  const others = steps
    .all('x-1')
    .flatMap(({ detail }) => (/^(SEARCH|SCAN) o |TEMP B-TREE/.test(detail) ? [detail] : []));
  expect(others).toEqual(['SEARCH o USING INDEX exceptions_reference (reference=? AND account=? AND effect=?)']);
});
