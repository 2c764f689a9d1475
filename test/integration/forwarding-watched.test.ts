import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { SECRET, secretOf, startConsumer } from '../support/consumer.ts';
import { rawRequest } from '../support/raw-http.ts';
import { runNow } from '../support/run-now.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// What an operator sees of the forwarding of the real `tallyhook serve`: its alerts, metrics and log lines.

let db: TestDatabase;
let serve: Serve | undefined;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(async () => {
  await serve?.kill();
  db.remove();
});

const refund = (reference: string) =>
  JSON.stringify({
    event: 'refund.pending',
    data: { refund_reference: reference, status: 'pending', amount: '5.00', currency: 'USD' },
  });

test('a dead letter and a 410 open an alert each, and its end is told when a person has mended them', async () => {
  let isMended = false;
  const shop = await startConsumer(() => (isMended ? 204 : 410));
  const ledger = await startConsumer(() => (isMended ? 204 : 500), secretOf('b'));
  const { folder: cwd, path: database } = db;
  writeFileSync(
    join(cwd, 'tallyhook.yaml'),
    `log: {level: debug}
schedule: {sweep: null, backfill: null, health: null}
forward:
  targets:
    - {name: shop, url: '${shop.url}', secrets: ['${SECRET}'], when: received, retry: {firstMs: 1, maxMs: 1}}
    - {name: ledger, url: '${ledger.url}', secrets: ['${secretOf('b')}'], when: received, retry: {firstMs: 1, maxMs: 1, giveUpMs: 1}}
`,
  );
  serve = await Serve.start({ cwd, database });
  const started = serve;
  const run = (...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV } });
  const metrics = async () => {
    const page = await (await fetch(`${started.adminUrl}/metrics`)).text();
    return (name: string) =>
      Number(
        page
          .split('\n')
          .find((line) => line.startsWith(`tallyhook_${name} `))
          ?.split(' ')[1],
      );
  };
  const told = (msg: string) => until(() => started.logged(msg) !== undefined, `the log has: ${msg}`);

  const body = refund('R1');
  await rawRequest(started.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  await told('target disabled: it answered 410');
  await told('news is a dead letter');
  await runNow(started, db.database, 'alerts');
  await told('alert critical: target disabled, shop');
  await told('alert critical: dead letter, ledger');
  const judged = () => started.allLogged('job ended').some(({ job }) => job === 'alerts');
  await until(judged, 'the run has ended, so that the next one can begin');
  expect(started.logged('alert critical: dead letter, ledger')).toMatchObject({
    reason: expect.stringContaining('Target ledger: 1 dead letter.'),
    hint: expect.stringContaining('Run: tallyhook outbox list --target ledger --state dead'),
  });
  expect(started.logged('alert critical: target disabled, shop')).toMatchObject({
    reason: expect.stringMatching(/Target shop answered 410 and is disabled since .+; 1 wait/),
  });

  // One trace leads from the delivery to what became of its news.
  const { trace } = started.logged('delivery kept') ?? {};
  expect(trace).toMatch(/^[0-9a-f]{12}$/);
  for (const msg of ['target disabled: it answered 410', 'news is a dead letter'])
    expect(started.logged(msg)).toMatchObject({ trace, environment: 'test', kind: 'refund' });
  const before = await metrics();
  expect(before('forwards_total{target="shop",outcome="gone"}')).toBe(1);
  expect(before('forwards_total{target="shop",outcome="delivered"}')).toBe(0);
  expect(before('forwards_total{target="ledger",outcome="refused"}')).toBeGreaterThanOrEqual(1);
  expect(before('forward_rows{target="ledger",state="dead"}')).toBe(1);
  expect(before('forward_rows{target="shop",state="failing"}')).toBe(1);
  expect(before('forward_waiting_seconds{target="shop"}')).toBeGreaterThan(0);
  expect(before('forward_waiting_seconds{target="ledger"}')).toBe(0);

  const status = await run('status', '--json');
  expect(status.code).toBe(3);
  const { problems, alerts, forward } = JSON.parse(status.stdout);
  expect(problems).toMatchObject([
    { code: 'target_disabled', next: expect.stringContaining('tallyhook forward enable shop') },
    { code: 'dead_letter', next: 'tallyhook outbox list --target ledger --state dead' },
  ]);
  expect(alerts).toContainEqual({ cause: 'dead_letter', severity: 'critical', open: 1 });
  expect(forward.targets).toMatchObject([
    { name: 'ledger', disabledAt: null, oldestOpenAt: null, states: [{ state: 'dead', rows: 1 }] },
    { name: 'shop', present: true, states: [{ state: 'failing', rows: 1 }] },
  ]);
  expect(undocumentedFields({ alerts, forward }, ['status'])).toEqual([]);
  expect((await run('status')).stdout).toMatch(/^outbox +ledger: 1 dead; shop: disabled, 1 failing, the oldest for/m);

  isMended = true;
  expect((await run('outbox', 'retry', '--target', 'ledger', '--state', 'dead', '--yes')).code).toBe(0);
  expect((await run('forward', 'enable', 'shop')).code).toBe(0);
  await until(() => shop.accepted.length + ledger.accepted.length === 2, 'both are accepted');
  await runNow(started, db.database, 'alerts');
  await told('alert recovered: target disabled, shop');
  await told('alert recovered: dead letter, ledger');
  expect(JSON.parse((await run('status', '--json')).stdout).problems).toEqual([]);
  const after = await metrics();
  for (const target of ['shop', 'ledger'])
    expect(after(`forwards_total{target="${target}",outcome="delivered"}`)).toBe(1);
});
