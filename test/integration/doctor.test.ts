import { chmodSync, closeSync, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Examined } from '../../src/store/examination.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../src/store/sqlite/engine/migrate.ts';
import { startReceiver } from '../support/receiver.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { payout, TestDatabase } from '../support/test-database.ts';

const keys = { TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_doctor_0001', TALLYHOOK_TEST_SECRET_KEY: 'sk_test_doctor_0001' };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'tallyhook-doctor-'));

async function doctor(args: readonly string[], env: Record<string, string> = {}, cwd = emptyFolder()) {
  const { code, stdout, stderr } = await tallyhook(['doctor', '--json', ...args], { cwd, env: { ...keys, ...env } });
  const { checks } = JSON.parse(stdout || '{"checks":[]}') as { checks: Examined[] };
  const named = (name: string): Examined | undefined => checks.find((check) => check.name === name);
  return { code, stderr, checks, named };
}

function database(folder: string): string {
  const path = join(folder, 'tallyhook.db');
  const opened = openDatabase(path, { create: true });
  migrate(opened, 0);
  opened.close();
  return path;
}

/** A server in the place of the proxy. */
async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a sound installation passes every check that can be made', async () => {
  const path = database(emptyFolder());
  const { code, checks, named } = await doctor([], { TALLYHOOK_DATABASE: path });
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(named('durability')?.detail).toContain('synchronous 2');
  expect(named('quick_check')?.status).toBe('ok');
  expect(code).toBe(checks.some(({ status }) => status === 'warning') ? 3 : 0);
});

test('a page damaged in the middle of the file is a failed check, not the end of doctor', async () => {
  const db = new TestDatabase();
  closing.push(() => db.remove());
  db.keepAndApply(...Array.from({ length: 300 }, (_, n) => payout(`P${n}`, 'success')));
  db.database.pragma('wal_checkpoint(TRUNCATE)');
  db.database.close();
  const file = openSync(db.path, 'r+');
  for (let page = 60; page < 120; page++) writeSync(file, Buffer.alloc(2_048, 0xa5), 0, 2_048, page * 4_096);
  closeSync(file);
  const { code, checks, stderr } = await doctor([], { TALLYHOOK_DATABASE: db.path });
  const found = checks.filter(({ name, status }) => status === 'failed' && /quick_check|database/.test(name));
  expect([code, found.length, stderr]).toEqual([3, 1, '']);
  expect(found[0]?.hint).toContain('tallyhook restore');
});

test('records that wait for an endpoint without a usable answer are a warning that names the setting', async () => {
  const db = new TestDatabase();
  closing.push(() => db.remove());
  db.keepAndApply(payout('P1', 'success'));
  const env = { TALLYHOOK_DATABASE: db.path };
  expect((await doctor([], env)).named('confirming')?.status).toBe('skipped'); // without baseUrl there are no checks
  const check = { ...env, TALLYHOOK_BASE_URL: 'http://127.0.0.1:9' };
  expect((await doctor([], check)).named('confirming')).toMatchObject({ status: 'ok' });
  db.database.exec(`
    INSERT INTO checks (kind, record_id, counter, started_at, attempts, outcome)
    VALUES ('payout', 1, 1, 1, 1, 'unproven')`);
  const { code, named } = await doctor([], check);
  expect(code).toBe(3);
  expect(named('confirming test payouts')).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/never given a usable answer; 1 waits$/),
    hint: expect.stringContaining('service.payoutPath'),
  });
});

test('a database that others may read, an open .env and a damaged file are found', async () => {
  const folder = emptyFolder();
  const path = database(folder);
  chmodSync(path, 0o644);
  writeFileSync(join(folder, '.env'), '', { mode: 0o644 });
  const open = await doctor([], { TALLYHOOK_DATABASE: path }, folder);
  expect([open.code, open.named('database mode')?.status, open.named('file mode')?.status]).toEqual([
    3,
    'warning',
    'warning',
  ]);

  writeFileSync(path, 'this is no database at all, but long enough to be looked at '.repeat(100));
  const damaged = await doctor([], { TALLYHOOK_DATABASE: path });
  expect([damaged.code, damaged.named('database')?.status]).toEqual([3, 'failed']);
});

test('an unknown folder fails; a database that does not exist yet is skipped', async () => {
  const unknown = await doctor([], { TALLYHOOK_DATABASE: '/nowhere/at/all/tallyhook.db' });
  expect([unknown.code, unknown.named('database')?.status]).toEqual([3, 'failed']);
  const notYet = await doctor([]);
  expect(notYet.named('database')?.status).toBe('skipped');
});

test('the clock is compared with the Date header of the service', async () => {
  const right = await standIn((_request, response) => response.end());
  const wrong = await standIn((_request, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.end();
  });
  expect((await doctor([], { TALLYHOOK_BASE_URL: right })).named('clock')?.status).toBe('ok');
  expect((await doctor([], { TALLYHOOK_BASE_URL: wrong })).named('clock')?.status).toBe('warning');
});

test.each([
  ['changes the body or drops the headers', 401, 'drops the signature headers'],
  ['redirects', 308, 'redirects'],
  ['does not know the path', 404, 'does not pass'],
  ['allows smaller bodies', 413, 'raise its limit'],
])('a probe through a proxy which %s fails with that advice', async (_what, status, advice) => {
  const proxy = await standIn((_request, response) => response.writeHead(status).end());
  const { code, named } = await doctor(['--public-url', proxy]);
  expect(code).toBe(3);
  expect(named('probe test: signed')?.hint).toContain(advice);
});

test('a proxy that answers 200 to every request fails the forged probe', async () => {
  const proxy = await standIn((_request, response) => response.writeHead(200).end());
  const { named } = await doctor(['--public-url', proxy]);
  expect(named('probe test: forged')?.status).toBe('failed');
});

test('the receiver keeps a signed probe and refuses a forged one', async () => {
  const receiver = await startReceiver();
  closing.push(() => receiver.stop());
  const env = TEST_KEY_ENV;
  const { named } = await doctor(['--public-url', `${receiver.url}/webhooks/`], env);
  expect(named('probe test: signed')?.status).toBe('ok');
  expect(named('probe test: forged')?.status).toBe('ok');
});
