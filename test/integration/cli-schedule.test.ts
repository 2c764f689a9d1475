import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenOperations } from '../../src/store/store.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { openOperations } from '../support/operations.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { EXACT } from '../support/sweeping.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const HOUR_MS = 3_600_000;
const KEYS = TEST_KEY_ENV;

let db: TestDatabase;
let operations: OpenOperations;
/** The time of the operations of the test; the commands use the system's. */
let clock: FixedClock;
beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(refund('R0', 'processing', {}, { receivedAtMs: Date.now() - HOUR_MS }));
  clock = new FixedClock(Date.now());
  operations = openOperations(db.path, EXACT, clock);
});
afterEach(() => {
  operations.close();
  db.remove();
});

const configure = (schedule: string, baseUrl = 'http://127.0.0.1:9') =>
  writeFileSync(
    join(db.folder, 'tallyhook.yaml'),
    `database: tallyhook.db\nbaseUrl: ${baseUrl}\nschedule: {${schedule}, backfill: null, health: null, alerts: null}\n`,
  );
const run = (...args: string[]) => command(args, { cwd: db.folder, env: KEYS });
const jobsOf = (stdout: string) => JSON.parse(stdout).items as { job: string }[];

test('list shows the next run in the zone of the schedule, the running process, and the latest run', async () => {
  configure('sweep: "0 3 * * *", timeZone: Asia/Kathmandu, backup: 30 2 * * *, backupFolder: backups');
  clock.ms -= 2_000;
  await operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '0 3 * * *', zone: 'Asia/Kathmandu' }] });
  const ended = await operations.jobs.begin({ job: 'sweep', holder: 'another process', leaseMs: HOUR_MS });
  clock.ms += 2_000;
  if ('run' in ended) {
    await operations.jobs.finish({ run: ended.run.run, job: 'sweep', outcome: 'found', detail: 'checked 7' });
  }
  await operations.jobs.begin({ job: 'backup', holder: 'serve on box, process 7', leaseMs: HOUR_MS });

  const text = await run('schedule', 'list');
  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(
    /sweep +0 3 \* \* \* +\d{4}-\d\d-\d\d 03:00 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +found +2 s +checked 7/,
  );
  expect(text.stdout).toMatch(/backup .*serve on box, process 7, since/);
  expect(text.stderr).toContain('backup: changed: serve takes it over when it starts');

  const { stdout } = await run('schedule', 'list', '--json');
  const jobs = jobsOf(stdout);
  const names = ['sweep', 'backfill', 'health', 'alerts', 'backup', 'prune', 'reconcile', 'report'];
  expect(jobs.map(({ job }) => job)).toEqual(names);
  expect([jobs[0], jobs[4]]).toMatchObject([
    { job: 'sweep', timeZone: 'Asia/Kathmandu', overdue: false, last: { outcome: 'found', tookMs: 2_000, run: 1 } },
    { job: 'backup', nextRunAt: null, running: { run: 2, cause: 'command', holder: 'serve on box, process 7' } },
  ]);
  expect(undocumentedFields(jobsOf(stdout), ['schedule list'])).toEqual([]);
});

test('a job that failed, was lost or is overdue ends list with 3, and doctor warns of it', async () => {
  configure('sweep: "* * * * *", backup: 30 2 * * *, backupFolder: backups');
  const zone = 'Africa/Lagos';
  const jobs = [
    { job: 'sweep', schedule: '* * * * *', zone },
    { job: 'backup', schedule: '30 2 * * *', zone },
  ];
  await operations.jobs.plan({ jobs });
  expect((await run('schedule', 'list')).code).toBe(0);

  const failed = await operations.jobs.begin({ job: 'backup', holder: 'another process', leaseMs: HOUR_MS });
  if ('run' in failed) {
    await operations.jobs.finish({ run: failed.run.run, job: 'backup', outcome: 'failed', detail: 'no space' });
  }
  db.database.prepare("UPDATE jobs SET next_run_at = ? WHERE name = 'sweep'").run(clock.ms - HOUR_MS);
  const list = await run('schedule', 'list');
  expect(list).toMatchObject({ code: 3, stderr: expect.stringMatching(/^sweep: overdue by (1 h|59 min)/m) });

  const doctor = await run('doctor');
  expect(doctor.code).toBe(3);
  expect(doctor.stdout).toMatch(/warning +job sweep: overdue by/);
  expect(doctor.stdout).toMatch(/warning +job backup: failed at .*: no space\n.*tallyhook schedule run backup/);
});

test('run runs a job now, under its lease, and its plan stays', async () => {
  const service = await hostileServer((socket) => {
    const data = { refund_reference: 'R0', status: 'success', amount: '50.00', currency: 'USD' };
    socket.write(answer(200, JSON.stringify({ success: true, data })));
  });
  configure('sweep: "0 3 * * *", backupFolder: backups', service.url);
  await operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '0 3 * * *', zone: 'UTC' }] });
  const [before] = await operations.jobs.states();

  const swept = await run('schedule', 'run', 'sweep', '--json');
  expect(swept).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(swept.stdout)).toMatchObject({ job: 'sweep', run: 1, outcome: 'done', held: null });
  expect(undocumentedFields(JSON.parse(swept.stdout), ['schedule run'])).toEqual([]);
  expect(db.database.prepare('SELECT confirmed FROM refunds').pluck().get()).toBe('success');

  const backup = await run('schedule', 'run', 'backup');
  expect(backup.stdout).toMatch(/^backup done in .*backups\/tallyhook-.*\.db: \d+ bytes, 1 events\n$/);
  expect(readdirSync(join(db.folder, 'backups'))).toHaveLength(1);
  const states = await operations.jobs.states();
  expect(states.find(({ job }) => job === 'sweep')?.nextRunAtMs).toBe(before?.nextRunAtMs);
  expect(states.map(({ last }) => last?.cause)).toEqual(['command', 'command']);
});

test('run backfills, checks the channels and prunes, too', async () => {
  const row = (reference: string) => ({
    refund_reference: reference,
    status: 'processing',
    amount: '50.00',
    currency: 'USD',
  });
  const service = await hostileServer((socket) => {
    const page = { success: true, message: 'ok', data: [row('R0'), row('R1')], meta: { total: 2 } };
    socket.write(answer(200, JSON.stringify(page)));
  });
  configure('sweep: null', service.url);
  expect(await run('schedule', 'run', 'backfill')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^backfill done in .*: test: 2 rows, 1 created\n$/),
  });
  expect(await run('schedule', 'run', 'health')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^health done in .*: 1 channel, no problem\n$/),
  });
  const { stdout } = await run('health', '--history', 'day', '--json');
  const history = JSON.parse(stdout);
  expect(history.items).toMatchObject([{ acks: null, refused: 0, databaseBytes: expect.any(Number) }]);
  expect(undocumentedFields(history, ['health'])).toEqual([]);
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'database: tallyhook.db\nprune: {afterDays: 1}\n');
  expect(await run('schedule', 'run', 'prune')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^prune done in .*: 0 bodies, personal data of 0 records, 0 addresses\n$/),
  });
});

test('a tracked record that is overdue is a finding also without a baseUrl: the health job opens it', async () => {
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'database: tallyhook.db\n');
  const expected = { kind: 'payout', environment: 'test', reference: 'LATE', amount: null, currency: null } as const;
  clock.ms -= 2 * HOUR_MS;
  await operations.tracking.track({ expected: [{ ...expected, expectedByMs: clock.ms + HOUR_MS }] });
  const open = () => db.database.prepare("SELECT code FROM findings WHERE reference = 'LATE'").pluck().all();
  expect(open()).toEqual([]);
  expect(await run('schedule', 'run', 'health')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/; 1 tracked, past their date and never seen\n$/),
  });
  expect(open()).toEqual(['never_seen']);
  expect(await run('schedule', 'run', 'health')).toMatchObject({ code: 0 });
  await operations.tracking.forget({ reference: 'LATE' });
});

test('run names the process that is running the job already, and ends with 1', async () => {
  configure('backupFolder: backups');
  await operations.jobs.begin({
    job: 'backup',
    holder: 'serve on box, process 7',
    leaseMs: HOUR_MS,
  });
  const text = await run('schedule', 'run', 'backup');
  expect(text).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/already: serve on box, process 7/),
  });
  const json = await run('schedule', 'run', 'backup', '--json');
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { outcome: null, held: { cause: 'command' } }]);
  expect(undocumentedFields(JSON.parse(json.stdout), ['schedule run'])).toEqual([]);
});

test('run ends with 3 when it found something, and with 1 when it failed', async () => {
  const service = await hostileServer((socket) => socket.write(answer(404, '{"success":false,"message":"no such"}')));
  configure('sweep: null', service.url);
  expect(await run('schedule', 'run', 'sweep')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/1 not_found/),
  });
  writeFileSync(join(db.folder, 'a-file'), '');
  configure('backupFolder: a-file/backups');
  const failed = await run('schedule', 'run', 'backup');
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^backup failed in .*cannot be made/) });
  expect((await operations.jobs.states()).map(({ last }) => last?.outcome)).toEqual(['failed', 'found']);
});

test('a setting that a job needs and the configuration lacks is an error before the job begins', async () => {
  writeFileSync(join(db.folder, 'tallyhook.yaml'), 'database: tallyhook.db\n');
  expect(await run('schedule', 'run', 'sweep')).toMatchObject({ code: 2, stderr: expect.stringMatching(/baseUrl/) });
  const backup = await run('schedule', 'run', 'backup');
  expect(backup).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/schedule\.backupFolder.*tallyhook backup FILE/),
  });
  expect(await operations.jobs.states()).toEqual([]);
  expect((await run('schedule', 'list')).stderr).toContain('sweep: does not run: baseUrl is not set');
});

test('Ctrl-C ends a run early and releases its lease', async () => {
  const waiting: (() => void)[] = [];
  const service = await hostileServer((socket) => {
    const data = { refund_reference: 'R0', status: 'success', amount: '50.00', currency: 'USD' };
    waiting.push(() => socket.write(answer(200, JSON.stringify({ success: true, data }))));
  });
  configure('sweep: null', service.url);
  const child = spawn(process.execPath, [LAUNCHER, 'schedule', 'run', 'sweep'], {
    cwd: db.folder,
    env: { PATH: process.env.PATH ?? '', ...KEYS },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until(() => waiting.length === 1, 'the check is open');
  child.kill('SIGINT');
  await until(() => stderr.includes('lease is released'), 'the note at Ctrl-C');
  waiting[0]?.();
  expect(await ended).toBe(1);
  const [state] = await operations.jobs.states();
  expect(state).toMatchObject({ held: null, last: { outcome: 'stopped' } });
  expect(db.database.prepare('SELECT confirmed FROM refunds').pluck().get()).toBe('success');
});
