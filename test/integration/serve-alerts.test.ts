import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { runNow } from '../support/run-now.ts';
import { Serve } from '../support/serve.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

let db: TestDatabase;
let serve: Serve | undefined;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(async () => {
  await serve?.stop();
  db.remove();
});

const logged = (msg: string) => (serve?.stderr ?? '').split('\n').find((line) => line.includes(`"msg":"${msg}"`));
const metrics = async () => (await fetch(`${serve?.adminUrl}/metrics`)).text();

test('serve judges in its jobs thread, tells over the log and the chat, beats, and shows what is open', async () => {
  const chat = await hostileServer((socket) => socket.end(answer(200, 'ok')));
  // Its clock is 100 seconds behind.
  const service = await hostileServer((socket) =>
    socket.end(answer(200, '', { date: new Date(Date.now() - 100_000).toUTCString() })),
  );
  const channels = `webhook: {url: "${chat.url}/hook"}, heartbeat: {url: "${chat.url}/beat"}`;
  const schedule = 'schedule: {sweep: null, backfill: null, health: null}';
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `baseUrl: ${service.url}\n${schedule}\nalerts: {${channels}}\n`);
  db.keepAndApply({
    ...refund('R0', 'processing', {}, { receivedAtMs: Date.now() - 60_000 }),
    body: Buffer.from('{"notify":"refund"}'),
  });
  serve = await Serve.start({ cwd: db.folder, database: db.path });
  await runNow(serve, db.database, 'alerts');
  await until(() => logged('alert warning: quarantined, test') !== undefined, 'the alert is told');
  await until(() => logged('alert warning: clock off') !== undefined, 'the other alert is told');
  await until(() => chat.requests.length === 3, 'the chat has both alerts, and the watcher its beat');
  expect(JSON.parse(logged('alert warning: quarantined, test') ?? '')).toMatchObject({
    level: 'warn',
    alert: { cause: 'quarantined', subject: 'test', severity: 'warning', change: 'opened' },
    reason: expect.stringContaining('1 event quarantined within a day'),
    hint: expect.stringContaining('Run: tallyhook events list --environment test --state quarantined'),
  });
  expect(logged('alert warning: clock off')).toContain('1 min 4');
  expect(chat.requests.map((request) => request.split(' ', 2).join(' ')).toSorted()).toEqual([
    'GET /beat',
    'POST /hook',
    'POST /hook',
  ]);
  const page = await metrics();
  expect(page).toContain('tallyhook_alerts_open{cause="quarantined",severity="warning"} 1');
  expect(page).toContain('tallyhook_alerts_open{cause="clock_off",severity="warning"} 1');
  expect(page).toContain('tallyhook_alerts_open{cause="stuck",severity="warning"} 0');
  expect(Number(/^tallyhook_clock_offset_seconds (\S+)$/m.exec(page)?.[1])).toBeCloseTo(100, -1);

  db.database.exec('UPDATE events SET received_at = received_at - 90000000');
  await runNow(serve, db.database, 'alerts');
  await until(() => logged('alert recovered: quarantined, test') !== undefined, 'the recovery is told');
  expect(logged('alert recovered: quarantined, test')).toContain('"level":"info"');
});
