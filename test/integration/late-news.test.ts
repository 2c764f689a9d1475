import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { refund, START_MS, TestDatabase } from '../support/test-database.ts';

// The alert about news that a target does not take, judged by the real commands under a clock that stands still.

const MINUTE_MS = 60_000;
const db = new TestDatabase();
afterAll(() => db.remove());

/** Runs a command at this time. `serve` was seen a second before, on another machine. */
async function at(nowMs: number, ...args: string[]) {
  db.database
    .prepare('INSERT OR REPLACE INTO receivers (holder, machine, pid, started_at, seen_at) VALUES (?, ?, ?, ?, ?)')
    .run('serve', 'another', 1, START_MS, nowMs - 1_000);
  return command(args, { cwd: db.folder, env: TEST_KEY_ENV, nowMs });
}

async function openAlerts() {
  const args = ['alerts', '--cause', 'forwarding_late', '--json'];
  return JSON.parse((await command(args, { cwd: db.folder, env: TEST_KEY_ENV })).stdout).items;
}

test('news that a target has not taken for more than 15 minutes is an alert of the job and of cron, until it is taken', async () => {
  const targets = "[{name: shop, url: 'http://127.0.0.1:9/', secrets: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']}]";
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `database: tallyhook.db\nforward: {targets: ${targets}}\n`);
  const operations = await openStore(db.path, { clock: new FixedClock() }).operations();
  const all = { environments: ['test', 'live'], kinds: ['refund'], when: 'confirmed', news: 'settled' } as const;
  await operations.outbox.plan({ targets: [{ name: 'shop', ...all, events: null }] });
  db.keepAndApply(refund('R1', 'success'), refund('R2', 'success'));
  for (const reference of ['R1', 'R2']) await checked(db, reference, 'success', { nowMs: START_MS });

  await at(START_MS + 15 * MINUTE_MS, 'schedule', 'run', 'alerts');
  expect(await openAlerts()).toEqual([]);

  const lateMs = START_MS + 15 * MINUTE_MS + 1;
  const judged = await at(lateMs, 'schedule', 'run', 'alerts');
  expect(judged.stderr).toContain('forwarding late, shop');
  const alerts = await openAlerts();
  expect(alerts).toMatchObject([
    { cause: 'forwarding_late', subject: 'shop', severity: 'warning', open: true, size: 2 },
  ]);

  const { stdout } = await command(['alerts', 'show', String(alerts[0].id)], { cwd: db.folder, env: TEST_KEY_ENV });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('Target shop has not taken 2 of its news, the oldest since 2026-11-20 11:00 Africa/Lagos');
  expect(text).toContain('run tallyhook outbox list --target shop');

  await operations.outbox.drop({ rows: { filter: {}, afterId: 0 }, dryRun: false });
  const recovered = await at(lateMs + MINUTE_MS, 'alerts', 'check');
  expect(recovered.stderr).toContain('recovered: forwarding late, shop');
  expect(await openAlerts()).toEqual([]);
  await operations.close();
});

test('of a target that takes 30 a second of the 75 that come, status and the alert say so from a minute on', async () => {
  const insert = db.database.prepare(`
    INSERT INTO outbox (webhook_id, target, environment, kind, reference, n, replay, type, state, is_first, created_at, due_at, ended_at)
    VALUES (?, 'shop', 'test', 'refund', ?, 1, 0, 'refund.success', ?, ?, ?, ?, ?)`);
  // 75 a second for 200 s, of which those of the first 80 s are delivered: the last thousand within 33 s.
  const beginsMs = START_MS + 60 * MINUTE_MS;
  const nowMs = beginsMs + 200_000;
  db.database.prepare('DELETE FROM outbox_attempts').run();
  db.database.prepare('DELETE FROM outbox').run();
  db.database.transaction(() => {
    for (let n = 0; n < 15_000; n++) {
      const writtenMs = beginsMs + Math.floor(n / 0.075);
      const endedMs = n < 6_000 ? beginsMs + Math.floor(n / 0.03) : null;
      insert.run(
        `msg_${n}`,
        `B${n}`,
        endedMs === null ? 'waiting' : 'delivered',
        Number(endedMs === null),
        writtenMs,
        writtenMs,
        endedMs,
      );
    }
  })();
  const { stdout, stderr, code } = await at(nowMs, 'status');
  expect([code, stderr]).toEqual([3, '']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Target shop falls behind by 45 news a second: 75 come, it takes 30; 9000 wait, .* Raise concurrency of shop in forward\.targets/,
  );
  expect((await at(nowMs, 'schedule', 'run', 'alerts')).stderr).toContain('forwarding behind, shop');
});
