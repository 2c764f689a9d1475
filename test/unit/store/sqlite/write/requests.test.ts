import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { migrate, migrations } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { requestWrites } from '../../../../../src/store/sqlite/write/requests.ts';
import { START_MS } from '../../../../support/fixed-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('requests of an older schema are carried over', () => {
  const all = migrations();
  const database = openDatabase(join(temporaryFolder(), 'older.db'), { create: true });
  migrate(database, START_MS, all.slice(0, 3));
  database.exec(`
    INSERT INTO requests (kind, environment, key, reference, content_digest, state, record_reference, attempts, created_at)
    VALUES ('refund', 'test', 'th-1', 'TX_81', 'content', 'open', NULL, 2, ${START_MS}),
           ('refund', 'live', 'th-2', 'TX_82', 'other', 'accepted', 'R-2', 1, ${START_MS})`);
  migrate(database, START_MS, all);
  const log = requestWrites(database, 'UTC');
  const refund = { kind: 'refund', environment: 'test', reference: 'TX_81', contentDigest: 'content' } as const;
  const begun = log.begin(
    { ...refund, key: null, proposedKey: 'th-3', record: null, nowMs: START_MS },
    { nowMs: START_MS },
  );
  expect(begun).toMatchObject({ key: 'th-1', attempts: 3, createdAtMs: START_MS });
  expect(log.knowsRefund('live', 'R-2')).toBe(true);
  database.close();
});
