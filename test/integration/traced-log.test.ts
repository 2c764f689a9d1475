import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECRET, startConsumer } from '../support/consumer.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { runNow } from '../support/run-now.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEYS } from '../support/signer.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const CANARIES = ['canary-narration', '0123456789', 'Canary Person', 'canary@person.example', TEST_KEYS.secretKey];
const REFERENCE = 'PO-1';
const payout = (status: string) => ({
  ...{ reference: REFERENCE, amount: '10.00', currency: 'NGN', status, account_number: '0123456789' },
  ...{ account_name: 'Canary Person', narration: 'canary-narration', customer: { email: 'canary@person.example' } },
});

let db: TestDatabase;
let serve: Serve | undefined;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(async () => {
  await serve?.stop();
  db.remove();
});

const lines = () =>
  (serve?.stderr ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const line = (msg: string) => lines().find((one) => one.msg === msg);

test('the check of a customer who comes back has the id of the payment', async () => {
  const paid = {
    reference: 'C-1',
    status: 'success',
    amount: '10.00',
    currency: 'NGN',
    updated_at: '2026-11-20T09:00:00Z',
  };
  const service = await hostileServer((socket) =>
    socket.end(answer(200, JSON.stringify({ status: true, message: 'x', data: paid }))),
  );
  const callback =
    'callback: {page: "http://127.0.0.1:9/thanks", secret: "signs the verdicts of this test, long enough"}';
  const settings = ['log: {level: debug}', callback, `baseUrl: ${service.url}`, 'schedule: {sweep: null}'];
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `${settings.join('\n')}\n`);
  serve = await Serve.start({ cwd: db.folder, database: db.path });
  const body = JSON.stringify({ notify: 'transaction', notifyType: 'successful', data: paid });
  const headers = { 'content-type': 'application/json', ...signed(Buffer.from(body), TEST_KEYS) };
  await fetch(`${serve.url}/webhooks/test`, { method: 'POST', body, headers });
  await until(() => line('events observed') !== undefined, 'it is observed');
  await fetch(`${serve.url}/callback/test?reference=C-1`, { redirect: 'manual' });
  await until(() => line('status checked') !== undefined, 'it is checked');
  expect(line('status checked')).toMatchObject({ kind: 'collection', reference: 'C-1', outcome: 'answered' });
  expect(line('status checked')?.trace).toBe(line('delivery kept')?.trace);
});

test('one id leads from the delivery through its effect to the status check and the forward, and no line holds what is personal or secret', async () => {
  const service = await hostileServer((socket) =>
    socket.end(answer(200, JSON.stringify({ status: true, message: 'x', data: payout('success') }))),
  );
  const consumer = await startConsumer();
  const settings = ['log: {level: debug}', 'confirm: {debounceSeconds: 0}', `baseUrl: ${service.url}`];
  settings.push(`forward: {targets: [{name: shop, url: '${consumer.url}', secrets: ['${SECRET}']}]}`);
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `${settings.join('\n')}\n`);
  serve = await Serve.start({ cwd: db.folder, database: db.path });
  const body = JSON.stringify({ notify: 'payout', notifyType: 'successful', data: payout('success') });
  const { status } = await fetch(`${serve.url}/webhooks/test`, {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', ...signed(Buffer.from(body), TEST_KEYS) },
  });
  expect(status).toBe(200);
  await until(() => line('events observed') !== undefined, 'it is observed');
  db.database.exec('UPDATE payouts SET due_at = 1');
  await runNow(serve, db.database, 'sweep');
  await until(() => line('status checked') !== undefined, 'it is checked');
  await until(() => line('news forwarded') !== undefined, 'it is forwarded');
  const seen = ['delivery kept', 'events observed', 'status checked', 'news forwarded'].map((msg) => line(msg));
  expect(seen).toMatchObject([
    { environment: 'test', reference: REFERENCE, what: 'new', id: 1 },
    { environment: 'test', kind: 'payout', reference: REFERENCE, events: [1] },
    { environment: 'test', kind: 'payout', reference: REFERENCE, outcome: 'answered', status: 'success' },
    { environment: 'test', kind: 'payout', target: 'shop', outcome: 'delivered', type: 'payout.success' },
  ]);
  expect(new Set(seen.map((one) => one?.trace))).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{12}$/)]));
  for (const canary of CANARIES) expect(serve.stderr).not.toContain(canary);
});
