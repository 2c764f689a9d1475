import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { damageRowsOf } from '../support/damage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { payout, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

test('damage in a database whose log was left behind is found after the start, and ends the acknowledging', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'tallyhook.db');
  const db = new TestDatabase();
  onTestFinished(() => db.remove());
  db.keepAndApply(...Array.from({ length: 300 }, (_, n) => payout(`P${n}`, 'success')));
  db.database.pragma('wal_checkpoint(TRUNCATE)');
  db.keepAndApply(payout('P300', 'success')); // applied, so that only the check reads the damaged pages
  // As after a kill: the log holds a commit that the file does not.
  for (const suffix of ['', '-wal']) copyFileSync(db.path + suffix, path + suffix);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  damageRowsOf('observations', path);

  const receiver = await startReceiver({ folder });
  onTestFinished(() => receiver.stop());
  await until(() => receiver.fatal.length > 0, 'the damage is found');
  expect(receiver.fatal).toMatchObject([{ fault: 'corrupt', hint: expect.stringContaining('tallyhook restore') }]);
  const body = '{"event":"refund.pending","data":{"refund_reference":"R1"}}';
  expect((await receiver.post('/webhooks/test', body)).status).toBeGreaterThanOrEqual(500);
});
