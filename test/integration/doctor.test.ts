import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { damageRowsOf } from '../support/damage.ts';
import { databaseIn, diagnosis, doctor, emptyFolder, standIn } from '../support/doctor.ts';
import { startReceiver } from '../support/receiver.ts';
import { LIVE_KEYS, TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { payout, TestDatabase } from '../support/test-database.ts';
import { AS_ROOT } from '../support/tools.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test('a sound installation passes every check that can be made', async () => {
  const path = databaseIn(emptyFolder());
  const folder = emptyFolder();
  writeFileSync(join(folder, 'tallyhook.yaml'), 'receiver: {maxConnections: 100}'); // few machines allow 10,000
  const { code, checks, named } = await doctor([], { TALLYHOOK_DATABASE: path }, folder);
  expect(checks.filter(({ status }) => status !== 'ok' && status !== 'skipped')).toEqual([]);
  expect(named('durability')?.detail).toContain('synchronous 2');
  expect(named('integrity_check')?.status).toBe('ok');
  expect(code).toBe(0);
});

test('the last line says what this installation is fit for, and how many checks that rests on', async () => {
  const db = new TestDatabase();
  closing.push(() => db.remove());
  const env = { TALLYHOOK_DATABASE: db.path, ...TEST_KEY_ENV };
  const { stdout } = await tallyhook(['doctor', '--offline'], { cwd: db.folder, env });
  const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
  const marks = stdout.match(/^(ok|warning|FAILED|skipped) /gm) ?? [];
  expect(last).toMatch(/^Not fit for test: \d+ of \d+ checks ok, 1 failed/); // serve is not running
  expect(last).toContain(` of ${marks.length} checks`);
  expect(last).toContain(`${marks.filter((mark) => mark === 'ok ').length} of`);
});

test('a page damaged in the middle of the file is a failed check, not the end of doctor', async () => {
  const db = new TestDatabase();
  closing.push(() => db.remove());
  db.keepAndApply(...Array.from({ length: 300 }, (_, n) => payout(`P${n}`, 'success')));
  db.database.pragma('wal_checkpoint(TRUNCATE)');
  db.database.close();
  damageRowsOf('observations', db.path);
  const { code, checks, stderr } = await doctor([], { TALLYHOOK_DATABASE: db.path });
  const found = checks.filter(({ name, status }) => status === 'failed' && /integrity_check|database/.test(name));
  expect([code, found.length, stderr]).toEqual([3, 1, '']);
  expect(found[0]?.hint).toContain('tallyhook restore');
});

test('of a large database doctor says what serve found, and reads it with --deep', async () => {
  const db = new TestDatabase();
  closing.push(() => db.remove());
  db.keepAndApply(payout('P1', 'success'), payout('P2', 'success'));
  db.database.exec(`UPDATE soundness SET finished_at = ${Date.parse('2026-11-22T09:00:00Z')}`);
  db.database.pragma('wal_checkpoint(TRUNCATE)');
  db.database.close();
  const bytes = readFileSync(db.path);
  const at = bytes.lastIndexOf('"reference":"P1"');
  bytes[at + 14] = (bytes[at + 14] ?? 0) ^ 1;
  writeFileSync(db.path, bytes);
  truncateSync(db.path, 257 * 1024 * 1024); // without a byte more on the disk
  const env = { TALLYHOOK_DATABASE: db.path };
  const quick = await doctor([], env);
  expect(quick.named('rows')).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(
      /serve compared them last: 2026-11-22T09:00:00\.000Z\. tallyhook doctor --deep reads all/,
    ),
  });
  expect([quick.named('definitions')?.status, quick.named('integrity_check')]).toEqual(['ok', undefined]);
  const deep = await doctor(['--deep'], env);
  expect(deep.named('integrity_check')?.status).toBe('ok');
  expect(deep.named('rows')).toMatchObject({ status: 'failed', detail: 'events 1 has another body than was kept' });
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
  const path = databaseIn(folder);
  chmodSync(path, 0o644);
  writeFileSync(join(folder, '.env'), '', { mode: 0o644 });
  const open = await doctor([], { TALLYHOOK_DATABASE: path }, folder);
  expect([open.code, open.named('database mode')?.status, open.named('file mode')?.status]).toEqual([
    3,
    'warning',
    'warning',
  ]);

  chmodSync(join(folder, '.env'), 0o640); // right only for a file of another owner, read through the group
  const grouped = await doctor([], { TALLYHOOK_DATABASE: path }, folder);
  expect(grouped.named('file mode')?.hint).toContain('chmod 600');

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

test('without a database one line names its path, and the line of the schedule does not repeat it', async () => {
  const { checks, named } = await doctor([]);
  expect(checks.filter(({ detail }) => detail.includes('tallyhook.db')).map(({ name }) => name)).toEqual(['database']);
  expect(named('schedule')?.status).toBe('skipped');
});

test("another program's database stays as it is, its journal mode included", async () => {
  const path = join(emptyFolder(), 'notes.db');
  const other = new SQLite(path);
  other.exec('CREATE TABLE notes (text)');
  expect(other.pragma('journal_mode', { simple: true })).toBe('delete');
  other.close();
  const { named } = await doctor([], { TALLYHOOK_DATABASE: path });
  expect(named('database')).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining("not one of Tallyhook's"),
  });
  const again = new SQLite(path);
  expect(again.pragma('journal_mode', { simple: true })).toBe('delete');
  again.close();
});

test('no scheduled backup is a warning with a live key, and none without one', async () => {
  const live = { TALLYHOOK_LIVE_PUBLIC_KEY: LIVE_KEYS.publicKey, TALLYHOOK_LIVE_SECRET_KEY: LIVE_KEYS.secretKey };
  const { code, named } = await doctor([], live);
  expect([code, named('backups')?.status]).toEqual([3, 'warning']);
  expect(named('backups')?.hint).toContain('schedule.backup');
  expect((await doctor([])).named('backups')?.status).toBe('ok');
  const folder = emptyFolder();
  writeFileSync(join(folder, 'tallyhook.yaml'), 'schedule: {backup: 30 2 * * *, backupFolder: ./backups}');
  expect((await doctor([], live, folder)).named('backups')?.detail).toContain(join(folder, 'backups'));
});

test.each([
  ['nothing', 0, '', 'failed', /^0 bytes free of 12\.6 MB$/],
  ['a little', 6, '', 'warning', /^\d\S* MB free of 12\.6 MB$/],
  ['no more files', 6, ',nr_inodes=9', 'failed', /^\d\S* MB free of 12\.6 MB, and room for \d more files \(inodes\)$/],
])('a disk with %s left', { tags: ['mounts'] }, async (_what, leftMiB, option, status, detail) => {
  const cwd = emptyFolder();
  const database = databaseIn(emptyFolder());
  const ballast = leftMiB === 0 ? 'cat /dev/zero' : `head -c ${11 - leftMiB}M /dev/zero`;
  const script = `mount -t tmpfs -o size=12m${option} none "$0"; cp ${database} "$0"; ${ballast} 2>/dev/null >"$0/ballast"; exec "$@"`;
  const ended = await tallyhook(['doctor', '--json'], {
    cwd,
    env: { ...TEST_KEY_ENV, TALLYHOOK_DATABASE: join(cwd, 'tallyhook.db'), TALLYHOOK_ADMIN_PORT: '0' },
    under: ['unshare', ...AS_ROOT, '--mount', 'sh', '-c', script, cwd],
  });
  const { code, named } = diagnosis(ended);
  expect([code, named('free space')]).toMatchObject([3, { status, detail: expect.stringMatching(detail) }]);
});

test('the clock is compared with the Date header of the service', async () => {
  const right = await standIn((_request, response) => response.end(), closing);
  const wrong = await standIn((_request, response) => {
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.end();
  }, closing);
  expect((await doctor([], { TALLYHOOK_BASE_URL: right })).named('clock')?.status).toBe('ok');
  expect((await doctor([], { TALLYHOOK_BASE_URL: wrong })).named('clock')?.status).toBe('warning');
});

test.each([
  ['changes the body or drops the headers', 401, 'drops the signature headers'],
  ['redirects', 308, 'redirects'],
  ['does not know the path', 404, 'does not pass'],
  ['allows smaller bodies', 413, 'raise its limit'],
])('a probe through a proxy which %s fails with that advice', async (_what, status, advice) => {
  const proxy = await standIn((_request, response) => response.writeHead(status).end(), closing);
  const { code, named } = await doctor(['--public-url', proxy]);
  expect(code).toBe(3);
  expect(named('probe test: signed')?.hint).toContain(advice);
});

test('a proxy that answers 200 to every request fails the forged probe', async () => {
  const proxy = await standIn((_request, response) => response.writeHead(200).end(), closing);
  const { named } = await doctor(['--public-url', proxy]);
  expect(named('probe test: forged')?.status).toBe('failed');
});

test('the receiver keeps a signed probe and refuses a forged one', async () => {
  const receiver = await startReceiver();
  closing.push(() => receiver.stop());
  const { named } = await doctor(['--public-url', `${receiver.url}/webhooks/`]);
  expect(named('probe test: signed')?.status).toBe('ok');
  expect(named('probe test: forged')?.status).toBe('ok');
});
