import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const funding = { status: 'funded', funded_at: '2026-11-20T02:30:00.123456Z' };
const tied = { updatedAt: '2026-11-20T02:00:00.000100Z' };
db.keepAndApply(
  refund(
    'R1',
    'success',
    { updatedAt: '2026-11-20T03:00:00Z', data: { funding } },
    { sentAt: '2026-11-20T03:00:01.500Z' },
  ),
  refund('R2', 'processing', tied),
  refund('R2', 'failed', tied),
);
const absent = '2 complete walks in a row missed it; last listed 2026-07-01T02:00:00.000Z';
db.database
  .prepare(
    "INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at) VALUES ('refund', 1, 'test', 'R1', 'absent', 'list', ?, 0)",
  )
  .run(absent);
writeFileSync(join(db.folder, 'tallyhook.yaml'), `timeZone: America/New_York\ndatabase: ${db.path}\n`);
afterAll(() => db.remove());

const run = (...args: string[]) => command(args, { cwd: db.folder });
const UTC_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d/;

test('a due date is that day in every text: 1 January in New York ends at 05:00 of the next day in UTC', async () => {
  const tracked = await run('track', 'payout', 'P1', '--due', '2020-01-01', '--environment', 'test');
  expect(tracked.stdout).toContain('never_seen: expected by 2020-01-01; neither a webhook');
  for (const line of ['track list', 'why P1', 'findings', 'findings show 3', 'payouts show P1']) {
    const { stdout } = await run(...line.split(' '));
    expect([line, stdout.replace(/\s+/g, ' ')]).toEqual([line, expect.stringContaining('expected by 2020-01-01;')]);
    expect([line, stdout]).toEqual([line, expect.not.stringMatching(UTC_TIME)]);
    expect([line, stdout]).toEqual([line, expect.not.stringContaining('2020-01-02')]);
  }
  expect((await run('why', 'P1')).stdout).toContain('Awaited by 2020-01-01:');
  const json = JSON.parse((await run('track', 'list', '--json')).stdout);
  expect(json.items[0].findings[0].detail).toContain('expected by 2020-01-02T04:59:59.999Z');
});

test.each([
  ['refunds show R1', 'funded at 2026-11-19 21:30:00-05:00'],
  ['events show 1', 'updated at 2026-11-19 22:00:00-05:00'],
  ['events show 1', 'sent at 2026-11-19 22:00:01-05:00 (not signed)'],
  ['findings show 2', 'last listed 2026-06-30 22:00:00-04:00'],
  ['findings', 'last listed 2026-06-30 22:00:00-04:00'],
  ['findings show 1', 'failed and processing both at 2026-11-19 21:00:00-05:00'],
  ['why R2', 'failed and processing both at 2026-11-19 21:00:00.'],
  ['why R1', 'last listed 2026-06-30 22:00:00.'],
])('%s shows a time of the service, or our own, in timeZone: %s', async (line, expected) => {
  const { stdout } = await run(...line.split(' '));
  expect(stdout.replace(/ +/g, ' ')).toContain(expected);
  const [facts = ''] = stdout.split(/^(?:Observations|Evidence|Body)/m); // an event key and a body are shown as they came
  expect(facts).not.toMatch(UTC_TIME);
});
