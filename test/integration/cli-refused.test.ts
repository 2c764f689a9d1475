import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { refusalWrites } from '../../src/store/sqlite/write/refusals.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// "I sent it at 10:03 and you never answered": what was refused, when no process received, and what both did to a reference.

const minute = (at: number) => Date.parse('2026-11-20T10:00:00Z') + at * 60_000;
const db = new TestDatabase();
afterAll(() => db.remove());
const env = { TALLYHOOK_DATABASE: db.path };
const run = (...args: string[]) => command(args, { cwd: db.folder, env });
const items = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout).items;

const refusals = refusalWrites(db.database);
interface Counted {
  readonly from: number;
  readonly to?: number;
  readonly path?: string;
  readonly count?: number;
}
function refuse(
  reason: string,
  likeness: 'not_kept' | 'other' | 'ours',
  { from, to = from, path = '/webhooks/test', count = 1 }: Counted,
) {
  const times = { firstAtMs: minute(from), lastAtMs: minute(to) };
  const environments = [path.endsWith('live') ? ('live' as const) : ('test' as const)];
  refusals.add([{ path, reason, likeness, environments, count, ...times, lastPath: path }], []);
}
function received(from: number, seen: number, hasStopped: boolean): void {
  db.database
    .prepare('INSERT INTO receivers (holder, machine, pid, started_at, seen_at, stopped_at) VALUES (?, ?, ?, ?, ?, ?)')
    .run('serve', 'x', 1, minute(from), minute(seen), hasStopped ? minute(seen) : null);
}

// Ten minutes of a full disk over both URLs; strangers, for two hours and again later.
for (let at = 0; at < 10; at++) {
  refuse('disk_full', 'not_kept', { from: at, to: at + 0.9, count: 500 });
  refuse('disk_full', 'not_kept', { from: at, to: at + 0.9, count: 20, path: '/webhooks/live' });
}
for (let at = 0; at < 120; at += 5) refuse('missing_payload_signature', 'other', { from: at });
refuse('body_too_large', 'ours', { from: 300, count: 2 });
received(-600, 20, false);
received(22, 400, true);
received(401, 402, true);

test('a full disk is one row whichever paths it concerned; a steady trickle is a row an hour', async () => {
  const all = await items('refused', '--oldest-first');
  expect(all.filter(({ reason }: { reason: string }) => reason === 'disk_full')).toMatchObject([
    {
      count: 5_200,
      status: 503,
      likeness: 'not_kept',
      path: null,
      environments: ['live', 'test'],
      from: '2026-11-20T10:00:00.000Z',
    },
  ]);
  const strangers = await items('refused', '--reason', 'missing_payload_signature');
  expect(strangers.map(({ count }: { count: number }) => count)).toEqual([11, 13]);
  expect(undocumentedFields(JSON.parse((await run('refused', '--json')).stdout), ['refused'])).toEqual([]);
});

test('the window of a question holds what touches it; text names the answer and the reason', async () => {
  const asked = await run('refused', '--since', '2026-11-20T10:03Z', '--until', '2026-11-20T10:04Z');
  expect(asked.code).toBe(0);
  expect(asked.stdout).toMatch(/2026-11-20 11:00:00 +2026-11-20 11:09:54 +5200 +503 +disk_full .*authentic, not kept/);
  expect(asked.stdout).not.toContain('body_too_large');
  expect(await items('refused', '--since', '2026-11-20T14:00Z', '--until', '2026-11-20T16:00Z')).toMatchObject([
    { reason: 'body_too_large', count: 2, status: 413, why: 'larger than receiver.bodyLimitBytes' },
  ]);
  expect((await run('refused', '--since', '2026-01-01', '--until', '2026-01-02')).stderr).toBe(
    'Nothing was refused.\n',
  );
  expect(await run('refused', '--reason', 'disk')).toMatchObject({ code: 2 });
});

test('incidents: a crash, a stop that lasts, refusals that matter; strangers are none', async () => {
  const listed = await run('incidents', '--since', '2026-11-20', '--json');
  expect(listed.code).toBe(3);
  const { items: all } = JSON.parse(listed.stdout);
  expect(undocumentedFields(JSON.parse(listed.stdout), ['incidents'])).toEqual([]);
  expect(
    all.map(({ kind, reason, from, to }: Record<string, string>) => [
      kind,
      reason,
      from?.slice(11, 16),
      to?.slice(11, 16),
    ]),
  ).toEqual([
    ['not_kept', 'disk_full', '10:00', '10:09'],
    ['away', 'crashed', '10:20', '10:22'],
    ['refused', 'body_too_large', '15:00', '15:00'],
    ['away', 'stopped', '16:40', '16:41'],
    ['away', 'stopped', '16:42', undefined],
  ]);
  const text = await run('incidents', '--since', '2026-11-20', '--until', '2026-11-20T10:15Z');
  expect([text.code, text.stdout]).toEqual([
    0,
    expect.stringMatching(/5200 deliveries answered 503 or 500: the disk is full/),
  ]);
  expect((await run('incidents', '--since', '2026-11-18', '--until', '2026-11-19')).stderr).toBe('No incidents.\n');
});

test('while the disk is full, a running serve tells what it cannot write: it did not crash, and deliveries are refused', async () => {
  const fromMs = Date.now() - 120_000;
  const counted = { fault: 'disk_full', fromMs, deliveries: 9_998 };
  let outage: object = { ...counted, lastAtMs: Date.now(), keptAgainAtMs: null };
  const { dev, ino } = statSync(db.path);
  const serve = createServer((_, response) => {
    response.end(JSON.stringify({ serve: { pid: 7, database: `${dev}:${ino}`, outage } }));
  });
  await new Promise<void>((ready) => serve.listen(0, '127.0.0.1', ready));
  const { port } = serve.address() as AddressInfo;
  const beside = (...args: string[]) =>
    command(args, { cwd: db.folder, env: { ...env, TALLYHOOK_ADMIN_PORT: `${port}` } });
  try {
    const listed = await beside('incidents', '--since', '1h', '--json');
    expect(listed.code).toBe(3);
    expect(JSON.parse(listed.stdout).items).toEqual([
      {
        ...{ kind: 'not_kept', reason: 'disk_full', from: new Date(fromMs).toISOString(), to: null },
        ...{ environments: ['live', 'test'], count: 9_998 },
        text: '9998 deliveries answered 503 or 500: the disk is full.',
      },
    ]);
    const now = /^Deliveries are refused now: the disk is full; 9998 since /m;
    const refused = await beside('refused', '--since', '1h');
    expect([refused.stdout, refused.stderr]).toEqual(['', expect.stringMatching(now)]);
    expect(refused.stderr).not.toContain('Nothing was refused');
    const alerts = await beside('alerts');
    expect([alerts.code, alerts.stderr]).toEqual([3, expect.stringMatching(now)]);
    expect(alerts.stderr).not.toContain('No open alerts');
    expect((await beside('doctor', '--offline')).stdout).toMatch(/runs .*Deliveries are refused now: the disk is full/);

    // There is room again, and a delivery was kept.
    const lastAtMs = Date.now();
    outage = { ...counted, lastAtMs, keptAgainAtMs: lastAtMs + 1 };
    const after = await beside('incidents', '--since', '1h', '--json');
    expect([after.code, JSON.parse(after.stdout).items]).toMatchObject([0, [{ to: new Date(lastAtMs).toISOString() }]]);
    const doctor = await beside('doctor', '--offline');
    expect(doctor.stdout).toMatch(/Deliveries were refused until just now: the disk was full/);
  } finally {
    serve.close();
    serve.closeAllConnections();
  }
});

test('why names what delayed a webhook of the reference, and nothing else', async () => {
  const delayed = { updatedAt: '2026-11-20T10:03:00Z' };
  db.keepAndApply(refund('DELAYED', 'success', delayed, { receivedAtMs: minute(30) }));
  db.keepAndApply(refund('PROMPT', 'success', { updatedAt: '2026-11-20T11:00:00Z' }, { receivedAtMs: minute(60) }));
  const why = await run('why', 'DELAYED');
  expect(why.stdout).toMatch(
    /5200 deliveries answered 503 or 500: the disk is full\. Until 2026-11-20 11:09:54\. Event \d+, dated 2026-11-20 11:03:00 by the service, was received at 2026-11-20 11:30:00\./,
  );
  expect(why.stdout).toMatch(/serve did not run: it ended without stopping in order/);
  const { records } = JSON.parse((await run('why', 'DELAYED', '--json')).stdout);
  expect(records[0].story.filter(({ source }: { source: string }) => source === 'incident')).toHaveLength(2);
  expect((await run('why', 'PROMPT')).stdout).not.toMatch(/503|did not run/);
});

test('a receiver writes them: 401, 405, 413 and 415, each with its answer', async () => {
  const receiver = await startReceiver();
  const body = '{"event":"refund.pending"}';
  const own: [string, string][] = Object.entries(signed(body));
  const send = async (method: string, headers: [string, string][], sent: string | Buffer = body) =>
    (await rawRequest(receiver.url, { path: '/webhooks/test', method, headers, body: sent })).status;
  expect(await send('POST', [['payloadSignature', 'x']])).toBe(401);
  expect(await send('PUT', own)).toBe(405);
  expect(await send('POST', [...own, ['Content-Encoding', 'gzip']])).toBe(415);
  const seen = async () => {
    const { stdout } = await command(['refused', '--json', '--since', '1h'], {
      cwd: receiver.folder,
      env: { TALLYHOOK_DATABASE: receiver.database, ...TEST_KEY_ENV },
    });
    return JSON.parse(stdout)
      .items.map(({ status }: { status: number }) => status)
      .sort();
  };
  await until(async () => (await seen()).length === 3, 'they are written');
  expect(await seen()).toEqual([401, 405, 415]);
  await receiver.stop();
});
