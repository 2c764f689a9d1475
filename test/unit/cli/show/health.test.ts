import { expect, onTestFinished, test, vi } from 'vitest';
import { channelJson, printChannels } from '../../../../cli/show/health.ts';
import { channelHealth } from '../../../../src/confirm/health.ts';
import { openArchive } from '../../../../src/store/sqlite/read/archive.ts';
import { START_MS, TestDatabase } from '../../../support/test-database.ts';

/** A database with so many refunds that a webhook reported as success, one a second. */
function databaseOf(count: number): TestDatabase {
  const db = new TestDatabase();
  onTestFinished(() => db.remove());
  db.database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO refunds (environment, reference, reported, first_seen_at, changed_at)
    SELECT 'live', 'R' || i, 'success', ${START_MS} + i * 1000, ${START_MS} + i * 1000 FROM n;
    INSERT INTO history (kind, record_id, n, at, field, from_status, to_status, gap)
    SELECT 'refund', id, 1, first_seen_at, 'reported', NULL, 'success', 0 FROM refunds`);
  return db;
}

test.each([
  [57_000, 2_000, '2000 of the latest 2000'],
  [2_000, 2_000, '2000 of 2000'],
  [3, 3, '3 of 3'],
])('of %i records %i are judged, and the table says "%s"', async (count, records, told) => {
  const archive = openArchive(databaseOf(count).path);
  onTestFinished(() => archive.close());
  const nowMs = START_MS + count * 1_000;
  const channels = await channelHealth(archive, { nowMs, sinceMs: START_MS, sweepShare: 0.1 });
  const truncated = count > records;
  expect(channels.map(channelJson)).toMatchObject([{ environment: 'live', records, settled: records, truncated }]);
  let written = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
  onTestFinished(() => void write.mockRestore());
  printChannels(channels);
  expect(written.split('\n')[1]).toContain(`live  refund  ${told}  `);
});
