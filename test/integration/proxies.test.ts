import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { ManagedServe } from '../support/held-sockets.ts';
import { Load } from '../support/load.ts';
import { startCaddy, startNginx } from '../support/proxies.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const PROXIES: [string, typeof startNginx, { tags: string[] }][] = [
  ['nginx', startNginx, { tags: ['nginx'] }],
  ['Caddy', startCaddy, { tags: ['caddy'] }],
];

const MIB = 1024 * 1024;
/** Bodies that a proxy may be tempted to change; each is signed as it is. */
const BODIES: Record<string, Buffer> = {
  'a byte order mark and blanks': Buffer.from('\ufeff { "event" : "refund.pending" }\r\n\r\n'),
  'bytes that are no text': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  'no byte at all': Buffer.alloc(0),
  'compressed content': gzipSync('{"event":"refund.pending"}'),
  'what looks like another request': Buffer.from('0\r\n\r\nPOST /webhooks/test HTTP/1.1\r\nHost: x\r\n\r\n'),
  'as many bytes as the receiver takes': Buffer.alloc(MIB, 0x20),
};

describe.each(PROXIES)('%s, as init writes it', (_name, startProxy, tools) => {
  let receiver: TestReceiver;
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    receiver = await startReceiver({ limits: { trustProxy: ['127.0.0.1'] } });
    proxy = await startProxy(receiver.url);
  });
  afterAll(() => receiver?.stop());

  test('every body arrives byte for byte, whole or in chunks', tools, async () => {
    for (const [what, body] of Object.entries(BODIES)) {
      const answer = await rawRequest(proxy.url, {
        path: '/webhooks/test',
        headers: Object.entries(signed(body)),
        body,
      });
      expect([what, answer.status]).toEqual([what, 200]);
      await receiver.carriedOut();
      const [row] = receiver.rows<{ body: Buffer }>('SELECT body FROM events ORDER BY id DESC LIMIT 1');
      expect([what, row?.body.equals(body)]).toEqual([what, true]);
    }
    const text = '{"event":"refund.pending","data":{"refund_reference":"CHUNKED"}}';
    const chunked = `${[...text].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`;
    const headers = [...Object.entries(signed(text)), ['Transfer-Encoding', 'chunked'] as const];
    expect((await rawRequest(proxy.url, { path: '/webhooks/test', headers, body: chunked })).status).toBe(200);
  });

  test('the sender has the address it comes from, whatever it says; other paths are not passed on', tools, async () => {
    const headers = [
      ['X-Forwarded-For', '203.0.113.9'],
      ['payloadSignature', 'x'],
    ] as const;
    expect((await rawRequest(proxy.url, { path: '/webhooks/test', headers, body: '{}' })).status).toBe(401);
    expect((await rawRequest(proxy.url, { path: '/healthz', method: 'GET' })).status).toBe(404);
    expect((await rawRequest(proxy.url, { path: '/metrics', method: 'GET' })).status).toBe(404);
    const seen = () => receiver.rows<{ remote_address: string }>('SELECT DISTINCT remote_address FROM refusal_samples');
    await until(() => seen().length > 0, 'the refusal is written');
    expect(seen()).toEqual([{ remote_address: '127.0.0.1' }]);
  });

  test(
    'a signed delivery to a mistyped path is passed on, so that it is counted; no other request is',
    tools,
    async () => {
      const body = '{"event":"refund.success"}';
      const send = async (path: string, method: string, headers: [string, string][]) =>
        (await rawRequest(proxy.url, { path, method, headers, body })).status;
      const own = Object.entries(signed(body));
      expect(await send('/webhook/test', 'POST', own)).toBe(404);
      expect(await send('/', 'POST', own)).toBe(404);
      expect(await send('/api/webhooks', 'POST', [['merchantSignature', 'x']])).toBe(404);
      expect(await send('/webhook/test', 'POST', [])).toBe(404);
      expect(await send('/healthz', 'GET', own)).toBe(404);
      const metrics = await (await fetch(`${receiver.app.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/tallyhook_deliveries_refused_total\{.*reason="unknown_path".*\} 3/);
    },
  );

  test('a body that is too large is refused by the receiver, which counts it', tools, async () => {
    const body = Buffer.alloc(MIB + 1, 0x20);
    const answer = await rawRequest(proxy.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
    // The receiver answers at the headers and closes; a proxy that is still sending the body then says 502.
    expect([413, 502]).toContain(answer.status);
    const metrics = await (await fetch(`${receiver.app.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/tallyhook_deliveries_refused_total\{.*reason="body_too_large".*\} 1/);
  });

  test('restarts under load behind it refuse no delivery', tools, async () => {
    const cwd = temporaryFolder();
    const database = join(cwd, 'tallyhook.db');
    const manager = await ManagedServe.start({ cwd, database });
    const proxy = await startProxy(manager.url);
    const load = new Load(proxy.url, { connections: 16, seed: 21 });
    await until(() => load.ackedTotal > 100, 'load is under way');
    await manager.restart();
    const before = load.ackedTotal;
    await until(() => load.ackedTotal > before + 100, 'the next process receives');
    await load.stop();
    expect([[...load.statuses.keys()], load.refused, load.unanswered]).toEqual([[200], 0, 0]);
    await manager.serve.kill();
    expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, integrity: 'ok' });
  });
});

test('Caddy acknowledges nothing that it does not pass on', { tags: ['caddy'] }, async () => {
  const { plainUrl } = await startCaddy('http://127.0.0.1:9');
  const body = '{}';
  for (const host of ['hooks.example.com', '203.0.113.7'])
    expect((await rawRequest(plainUrl, { path: '/webhooks/live', host, body })).status).toBe(404);
});

test('without passed sockets, as in a container, Caddy holds deliveries while the receiver is away', {
  tags: ['caddy'],
}, async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const env = { TALLYHOOK_PORT: await freePort() };
  let serve = await Serve.start({ cwd, database, env });
  const connections = 16;
  const load = new Load((await startCaddy(serve.url)).url, { connections, seed: 22 });
  await until(() => load.ackedTotal > 100, 'load is under way');
  await serve.stop();
  serve = await Serve.start({ cwd, database, env });
  const before = load.ackedTotal;
  await until(() => load.ackedTotal > before + 100, 'the next process receives');
  await load.stop();
  // At most those that the old process had not accepted in the instant in which it stopped: one of each connection.
  const { 200: _kept, ...others } = Object.fromEntries(load.statuses);
  expect(others[502] ?? 0).toBeLessThan(10 * connections);
  expect([Object.keys({ ...others, 502: 0 }), load.refused, load.unanswered]).toEqual([['502'], 0, 0]);
  await serve.kill();
  expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, integrity: 'ok' });
});
