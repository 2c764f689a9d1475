import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { descriptorOf, ManagedServe, openSocket, portOf } from '../support/held-sockets.ts';
import { Load } from '../support/load.ts';
import { RawConnection } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

const opened: Server[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

describe('one after the other on the same sockets', () => {
  let database: string;
  let manager: ManagedServe;
  beforeAll(async () => {
    const cwd = temporaryFolder();
    database = join(cwd, 'tallyhook.db');
    manager = await ManagedServe.start({ cwd, database });
  });
  afterAll(() => manager.serve.kill());

  test('the admin listener is on its own socket', async () => {
    expect((await fetch(`${manager.adminUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${manager.url}/readyz`)).status).toBe(404);
  });

  test('a delivery that comes while no process serves waits, and the next one answers it', async () => {
    const { length } = manager.pids;
    process.kill(manager.pids.at(-1) ?? 0, 'SIGSTOP'); // it accepts nothing any more
    const connection = await RawConnection.open(manager.url);
    const body = '{"event":"refund.pending","data":{"refund_reference":"WAITS"}}';
    const answer = connection.send({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
    await manager.restart('SIGKILL');
    expect((await answer).status).toBe(200);
    expect(manager.pids).toHaveLength(length + 1);
    connection.close();
  });

  /** Restarts it under load, on kept connections: none is refused, and every answer is 200. */
  async function restartUnderLoad(signal: NodeJS.Signals, seed: number): Promise<Load> {
    const load = new Load(manager.url, { connections: 32, seed });
    await until(() => load.ackedTotal > 200, 'load is under way');
    await manager.restart(signal);
    const before = load.ackedTotal;
    await until(() => load.ackedTotal > before + 200, 'the next process receives');
    await load.stop();
    expect([load.refused, [...load.statuses.keys()]]).toEqual([0, [200]]);
    return load;
  }

  test('a restart, then kill -9 under load: no delivery is refused, none is cut by the restart, and no acknowledged one is lost', async () => {
    const restarted = await restartUnderLoad('SIGTERM', 11);
    expect(restarted.unanswered).toBe(0);
    const killed = await restartUnderLoad('SIGKILL', 12);
    await manager.serve.kill();
    const acked = new Map([...restarted.acked, ...killed.acked]);
    expect(audit(database, acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
  });
});

test('a kept connection that is idle when it stops may send one more delivery, and is then asked to close', async () => {
  const cwd = temporaryFolder();
  // A share of this time is long enough for any machine.
  writeFileSync(join(cwd, 'tallyhook.yaml'), 'receiver: { shutdownTimeoutMs: 600000 }\n');
  const manager = await ManagedServe.start({ cwd, database: join(cwd, 'tallyhook.db') });
  const send = (connection: RawConnection, reference: string) => {
    const body = `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;
    return connection.send({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  };
  const connection = await RawConnection.open(manager.url);
  expect((await send(connection, 'BEFORE')).headers.connection).not.toBe('close');
  process.kill(manager.pids[0] ?? 0, 'SIGTERM');
  await until(() => manager.serve.stderr.includes('SIGTERM: stopping'), 'it stops');
  expect(await send(connection, 'LAST')).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await connection.closed;
  await until(() => manager.pids.length === 2, 'the next process serves, long before the grace time is over', 20_000);
});

/** Starts `serve` with sockets; LISTEN_PID is its own process unless `env` says otherwise. */
function startWith(sockets: readonly Server[], env: Record<string, string>): Serve {
  const cwd = temporaryFolder();
  const own = 'LISTEN_PID' in env ? [] : ['sh', '-c', 'export LISTEN_PID=$$; exec "$@"', 'sh'];
  return new Serve({ cwd, database: join(cwd, 'tallyhook.db'), under: own, sockets: sockets.map(descriptorOf), env });
}

test.each([
  ['2', 'receiver:receiver', /two are named receiver/],
  ['2', 'receiver:tallyhook-admin.socket', /one is named "tallyhook-admin.socket"/],
])(
  'LISTEN_FDS=%s with LISTEN_FDNAMES=%s: refused in one sentence that says what to write',
  async (count, names, why) => {
    opened.push(await openSocket(), await openSocket());
    const serve = startWith(opened, { LISTEN_FDS: count, LISTEN_FDNAMES: names });
    expect((await serve.exited).code).toBe(2);
    const [sentence = '', hint = ''] = serve.stderr.trimEnd().split('\n');
    expect(sentence).toContain('The passed sockets cannot be used: ');
    expect(sentence).toMatch(why);
    expect(hint).toContain('FileDescriptorName=receiver');
  },
);

test('a socket of another kind is refused', async () => {
  const socket = createServer().listen(join(temporaryFolder(), 'receiver.sock'));
  await once(socket, 'listening');
  opened.push(socket);
  const serve = startWith(opened, { LISTEN_FDS: '1', LISTEN_FDNAMES: 'receiver' });
  expect((await serve.exited).code).toBe(2);
  expect(serve.stderr).toContain('descriptor 3, named receiver, is not a TCP socket');
});

test('an admin socket that other machines reach is refused without an admin.token', async () => {
  opened.push(await openSocket('0.0.0.0'));
  const serve = startWith(opened, { LISTEN_FDS: '1', LISTEN_FDNAMES: 'admin' });
  expect((await serve.exited).code).toBe(2);
  expect(serve.stderr).toContain(
    `admin is at 0.0.0.0:${portOf(opened[0] as Server)}, which reaches beyond this machine`,
  );
});

test('the process that starts serve keeps the sockets to itself: refused, with what to change', async () => {
  opened.push(await openSocket());
  const serve = startWith(opened, {
    LISTEN_FDS: '1',
    LISTEN_FDNAMES: 'receiver',
    LISTEN_PID: String(process.pid),
  });
  expect((await serve.exited).code).toBe(2);
  expect(serve.stderr).toMatch(/LISTEN_PID names process \d+, which started this one/);
});

test('sockets of another process are left alone, and serve opens its own', async () => {
  opened.push(await openSocket());
  const serve = startWith(opened, { LISTEN_FDS: '1', LISTEN_FDNAMES: 'receiver', LISTEN_PID: '1' });
  await until(() => serve.logged('serving') !== undefined, 'it serves');
  expect(new URL(serve.url).port).not.toBe(String(portOf(opened[0] as Server)));
  await serve.kill();
});

test('one socket may be passed alone, and another port than the configured one is warned of', async () => {
  opened.push(await openSocket());
  const port = portOf(opened[0] as Server);
  const free = await freePort();
  const serve = startWith(opened, { LISTEN_FDS: '1', LISTEN_FDNAMES: 'receiver', TALLYHOOK_PORT: free });
  await until(() => serve.logged('serving') !== undefined, 'it serves');
  expect(serve.url).toBe(`http://127.0.0.1:${port}`);
  expect(
    serve.logged('a passed socket is not where the configuration says; commands look for serve there'),
  ).toMatchObject({ name: 'receiver', socket: `http://127.0.0.1:${port}`, configured: `127.0.0.1:${free}` });
  await serve.kill();
});
