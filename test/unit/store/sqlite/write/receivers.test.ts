import { expect, test } from 'vitest';
import { receiverWrites } from '../../../../../src/store/sqlite/write/receivers.ts';
import { START_MS, TestDatabase } from '../../../../support/test-database.ts';

test('restarts without end leave five hundred rows, the newest', () => {
  const db = new TestDatabase();
  db.database.transaction(() => {
    for (let n = 1; n <= 505; n++)
      receiverWrites(db.database, `start ${n}`, { machine: 'here', pid: n }).seen(START_MS + n);
  })();
  const rows = db.database.prepare<[], string>('SELECT holder FROM receivers ORDER BY id').pluck().all();
  db.remove();
  expect(rows).toEqual(Array.from({ length: 500 }, (_, n) => `start ${n + 6}`));
});
