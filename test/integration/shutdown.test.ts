import { once } from 'node:events';
import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { logFileOf } from '../../src/store/sqlite/log/log-file.ts';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { killGroup, spawn } from '../support/processes.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { ENGINE, HOLD_THE_LOCK } from '../support/small-disk.ts';
import { until } from '../support/wait.ts';

/** Far beyond the time-out of a test: what ends within it was not ended by the deadline of serve. */
const NO_DEADLINE = 'receiver: { shutdownTimeoutMs: 600000 }\n';
let serve: Serve;
afterEach(() => serve.kill());

async function start(setup: Partial<Parameters<typeof Serve.start>[0]> = {}) {
  const cwd = setup.cwd ?? temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  serve = await Serve.start({ cwd, database, ...setup });
  return { cwd, database };
}

test('SIGTERM under load: what was accepted is answered, exit 0, nothing left in the log', async () => {
  const { database } = await start();
  const load = new Load(serve.url, { connections: 32, seed: 3 });
  await until(() => load.ackedTotal > 300, 'load is under way');
  expect(await serve.stop()).toBe(0); // at its deadline it ends with 1
  await load.stop();
  // A request whose bytes arrived was answered: 200, or 503 once stopping. Only idle connections were cut.
  expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(existsSync(`${database}-wal`) ? statSync(`${database}-wal`).size : 0).toBe(0);
  expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});

test('a request that was accepted before SIGTERM is finished and answered 200, and connections that never finish theirs do not keep it from stopping in order', async () => {
  const { database } = await start();
  const body = '{"event":"refund.pending","data":{"refund_reference":"HALF"}}';
  const connection = await RawConnection.open(serve.url);
  const head = Object.entries({ ...signed(body), Host: 'receiver', 'Content-Length': body.length });
  const lines = head.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  const answer = connection.sendBytes(
    Buffer.from(`POST /webhooks/test HTTP/1.1\r\n${lines}\r\n\r\n${body.slice(0, 10)}`),
  );
  const slow = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(serve.url)));
  for (const [index, { socket }] of slow.entries()) {
    socket.write('POST /webhooks/test HTTP/1.1\r\nHost: receiver\r\n');
    if (index % 2 === 0) socket.write('Content-Length: 100\r\n\r\nhalf of it');
  }
  await rawRequest(serve.url, { path: '/webhooks/test', body: 'x' }); // by now the half requests are there, too
  serve.signal('SIGTERM');
  await until(() => serve.stderr.includes('SIGTERM: stopping'), 'it stops');
  connection.socket.write(body.slice(10));
  expect((await answer).status).toBe(200);
  expect((await serve.exited).code).toBe(0); // at its deadline it ends with 1
  for (const one of slow) one.close();
  expect(existsSync(`${database}-wal`) ? statSync(`${database}-wal`).size : 0).toBe(0);
  const reader = readerOf(database);
  expect(reader.prepare('SELECT reference FROM events').pluck().all()).toEqual(['HALF']);
  reader.close();
});

test('SIGTERM beside a process that holds the lock of the database: exit 0 while it is held, and the next start has what was acknowledged', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tallyhook.yaml'), 'receiver: { shutdownTimeoutMs: 1000 }\n'); // shorter than one wait for the lock
  const { database } = await start({ cwd });
  const holder = spawn(process.execPath, ['-e', HOLD_THE_LOCK, '--', ENGINE, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout as NonNullable<typeof holder.stdout>, 'data');
  const load = new Load(serve.url, { connections: 8, seed: 5 });
  await until(() => load.ackedTotal > 200, 'load is under way');
  await load.stop();
  await until(() => serve.stderr.includes('"work":"carrying out"'), 'carrying out has waited for the lock');
  expect(await serve.stop()).toBe(0); // at its deadline it ends with 1
  expect(serve.stderr).toMatch(/left to the next start/);
  expect(holder.exitCode).toBeNull();
  killGroup(holder);
  await start({ cwd });
  await carriedOut(database);
  expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});

test('a fault in machine code ends the process at once, and the next start has what was acknowledged', async () => {
  const { cwd, database } = await start();
  const load = new Load(serve.url, { connections: 8, seed: 7 });
  await until(() => load.ackedTotal > 200, 'load is under way');
  truncateSync(`${logFileOf(database)}-shm`, 0); // its pages are mapped into memory: the next look at one is a SIGBUS
  expect((await serve.exited).signal).toBe('SIGBUS');
  await load.stop();
  await start({ cwd });
  await carriedOut(database);
  expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});

test('a second signal stops at once', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tallyhook.yaml'), NO_DEADLINE);
  await start({ cwd });
  const connection = await RawConnection.open(serve.url);
  connection.socket.write('POST /webhooks/test HTTP/1.1\r\nHost: receiver\r\nContent-Length: 100\r\n\r\nhalf');
  await fetch(`${serve.url}/healthz`);
  serve.signal('SIGTERM');
  await until(() => serve.stderr.includes('SIGTERM: stopping'), 'it stops');
  serve.signal('SIGTERM');
  expect((await serve.exited).code).toBe(1);
  connection.close();
  expect(serve.logged('stopped')).toBeUndefined();
});

test('SIGHUP reads the keys again, and keeps the old ones when the file is broken', async () => {
  const cwd = temporaryFolder();
  const next = { publicKey: 'pk_test_next', secretKey: 'sk_test_of_the_next_month' };
  await start({ cwd, ...withConfig(cwd, '') });
  const body = '{"event":"refund.pending","data":{"refund_reference":"R1"}}';
  const send = async () =>
    (await rawRequest(serve.url, { path: '/webhooks', headers: Object.entries(signed(body, next)), body })).status;
  expect(await send()).toBe(401);

  const pair = (key: string) => `keys: { test: [{ id: next, publicKey: ${key}, secretKey: ${next.secretKey} }] }\n`;
  withConfig(cwd, pair(next.publicKey));
  serve.signal('SIGHUP');
  await until(() => serve.logged('keys reloaded') !== undefined, 'keys are reloaded');
  expect(await send()).toBe(200);

  withConfig(cwd, pair('pk_live_wrong_place'));
  serve.signal('SIGHUP');
  await until(() => serve.logged('keys not reloaded; the old ones stay') !== undefined, 'the mistake is logged');
  expect(await send()).toBe(200);
  expect(serve.stderr).not.toContain(next.secretKey);
  expect(await serve.stop()).toBe(0);
});

function withConfig(cwd: string, text: string) {
  writeFileSync(join(cwd, 'keys.yaml'), text);
  return { env: { TALLYHOOK_CONFIG: join(cwd, 'keys.yaml') } };
}
