import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import type { PlannedJob } from '../../src/store/jobs.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { openOperations } from '../support/operations.ts';
import { rawRequest } from '../support/raw-http.ts';
import { runNow } from '../support/run-now.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { EXACT } from '../support/sweeping.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// The real `tallyhook serve`, whose jobs were due long ago and are not due again while the test runs.

const DAY_MS = 24 * 3_600_000;
const YEARLY = '0 0 1 1 *';
const OTHER_SECRET = `sk_test_${'f'.repeat(40)}`;

let db: TestDatabase;
const serves: Serve[] = [];
beforeEach(() => {
  db = new TestDatabase();
  const receivedAtMs = Date.now() - DAY_MS;
  db.keepAndApply(...['R0', 'R1', 'R2'].map((reference) => refund(reference, 'processing', {}, { receivedAtMs })));
});
afterEach(async () => {
  await Promise.all(serves.splice(0).map((serve) => serve.kill()));
  db.remove();
});

/** Plans the jobs three years ago, without any run since. */
async function plannedLongAgo(...jobs: readonly string[]): Promise<void> {
  const operations = openOperations(db.path, EXACT, new FixedClock(Date.now() - 3 * 365 * DAY_MS));
  const planned = jobs.map((job): PlannedJob => ({ job, schedule: YEARLY, zone: 'Africa/Lagos' }));
  await operations.jobs.plan({ jobs: planned });
  await operations.close();
}

async function serve(baseUrl: string, schedule: string, more = '', shutdownTimeoutMs = 60_000): Promise<Serve> {
  const file = join(db.folder, 'tallyhook.yaml');
  const rest = 'backfill: null, health: null, alerts: null';
  const limits = `receiver: {shutdownTimeoutMs: ${shutdownTimeoutMs}}\nlog: {level: debug}\n`;
  writeFileSync(file, `baseUrl: ${baseUrl}\nschedule: {${schedule}, ${rest}}\n${limits}${more}`);
  const started = await Serve.start({ cwd: db.folder, database: db.path });
  serves.push(started);
  return started;
}

const answering =
  (status: string): Behaviour =>
  (socket, request) => {
    const reference = /\/(R\d) HTTP/.exec(request)?.[1];
    const data = { refund_reference: reference, status, amount: '50.00', currency: 'USD' };
    socket.write(answer(200, JSON.stringify({ success: true, data })));
  };
const confirmed = () =>
  db.database.prepare<[], string | null>('SELECT confirmed FROM refunds ORDER BY reference').pluck().all();
const runs = (job: string) =>
  db.database
    .prepare<[string], { run: number; outcome: string | null; detail: string | null; holder: string }>(
      'SELECT run, outcome, detail, holder FROM job_runs WHERE job = ? ORDER BY run',
    )
    .all(job);
const metrics = async (one: Serve) => (await fetch(`${one.adminUrl}/metrics`)).text();

test('after downtime each due job runs once, for any number of missed runs, in one of two processes', async () => {
  await plannedLongAgo('sweep', 'backup');
  const service = await hostileServer(answering('success'));
  const schedule = `sweep: "${YEARLY}", backup: ${YEARLY}, backupFolder: backups`;
  const both = await Promise.all([serve(service.url, schedule), serve(service.url, schedule)]);
  const ended = () => [...runs('sweep'), ...runs('backup')].filter(({ outcome }) => outcome !== null);
  await until(() => ended().length >= 2, 'both jobs have run');
  await until(async () => {
    const pages = await Promise.all(both.map(metrics));
    return pages.every((page) => page.includes('tallyhook_job_failed{job="sweep"} 0'));
  }, 'both processes have the states of the jobs');
  expect(ended().map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  expect(confirmed()).toEqual(['success', 'success', 'success']);
  expect(service.requests).toHaveLength(3);
  expect(readdirSync(join(db.folder, 'backups'))).toHaveLength(1);

  const page = (await Promise.all(both.map(metrics))).join('\n');
  expect(page).toContain('tallyhook_job_runs_total{job="sweep",outcome="done"} 1');
  expect(page).toContain('tallyhook_job_runs_total{job="backup",outcome="done"} 1');
  expect(page).toContain('tallyhook_job_counts_total{job="sweep",count="confirmed"} 3');
  expect(page).toContain('tallyhook_job_left{job="sweep"} 0');
  expect(page).toContain('tallyhook_job_overdue{job="backup"} 0');
  for (const one of both) expect(await one.stop()).toBe(0);
});

test('SIGTERM in the middle of a sweep: its answers are written, the other checks released, and the next start goes on', async () => {
  await plannedLongAgo('sweep');
  const waiting: (() => void)[] = [];
  const success = answering('success');
  const service = await hostileServer((socket, request, server) => {
    waiting.push(() => success(socket, request, server));
  });
  const first = await serve(service.url, `sweep: "${YEARLY}"`, 'confirm: {concurrency: 1, perSecond: 1}\n');
  await until(() => waiting.length === 1, 'the first check is under way');
  first.signal('SIGTERM');
  await until(() => first.stderr.includes('SIGTERM: stopping'), 'it stops');
  waiting[0]?.();
  expect(await first.exited).toEqual({ code: 0, signal: null });
  expect(runs('sweep')).toMatchObject([
    { outcome: 'stopped', detail: expect.stringContaining('checked 1, 1 confirmed') },
  ]);
  expect(confirmed().filter((status) => status !== null)).toEqual(['success']);
  expect(db.database.prepare('SELECT count(*) FROM checks WHERE leased_until IS NOT NULL').pluck().get()).toBe(0);

  const fine = await hostileServer(success);
  const second = await serve(fine.url, `sweep: "${YEARLY}"`);
  await until(() => runs('sweep')[1]?.outcome === 'done', 'the next start sweeps the rest');
  expect([fine.requests.length, confirmed()]).toEqual([2, ['success', 'success', 'success']]);
  expect(await second.stop()).toBe(0);
});

test('SIGTERM while the service does not answer: it stops within its deadline, and the job and its records are free', async () => {
  await plannedLongAgo('sweep');
  const silent = await hostileServer(() => {});
  const first = await serve(silent.url, `sweep: "${YEARLY}"`, '', 12_000); // a part of it is for the answers
  await until(() => silent.requests.length > 0, 'checks are under way');
  expect(await first.stop()).toBe(0); // at its deadline it ends with 1
  expect(runs('sweep')).toMatchObject([{ outcome: 'stopped' }]);
  expect(db.database.prepare("SELECT leased_until FROM jobs WHERE name = 'sweep'").pluck().get()).toBeNull();
  // No answer came: no lease to wait for, no attempt, and as due as before.
  expect(db.database.prepare('SELECT DISTINCT leased_until, attempts, outcome FROM checks').all()).toEqual([
    { leased_until: null, attempts: 0, outcome: null },
  ]);
  expect(db.database.prepare('SELECT DISTINCT due_at < ? AS due FROM refunds').pluck().all(Date.now())).toEqual([1]);
});

test('SIGHUP: the jobs use the new keys', async () => {
  await plannedLongAgo('sweep');
  const service = await hostileServer((socket, request, server) => {
    if (request.includes(OTHER_SECRET)) answering('success')(socket, request, server);
    else socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
  });
  const keys = (secret: string) =>
    `keys: {test: [{publicKey: pk_test_ffffffff, secretKey: ${secret}}]}\nconfirm: {jitterPercent: 0}\n`;
  const started = await serve(service.url, `sweep: "${YEARLY}"`, keys(`sk_test_${'0'.repeat(40)}`));
  await until(() => runs('sweep')[0]?.outcome === 'failed', 'the old key is refused');
  expect(runs('sweep')[0]?.detail).toContain('refused the key');
  await until(async () => (await metrics(started)).includes('tallyhook_job_failed{job="sweep"} 1'), 'metrics show it');

  db.database.exec('UPDATE refunds SET due_at = 1');
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `baseUrl: ${service.url}\n${keys(OTHER_SECRET)}`);
  await runNow(started, db.database, 'sweep');
  await until(() => runs('sweep')[1]?.outcome === 'done', 'the new key is not');
  expect(confirmed()).toEqual(['success', 'success', 'success']);
  expect(started.stderr).not.toContain(OTHER_SECRET);
});

test('a job that calls the service is not scheduled without a baseUrl, and its earlier plan is removed; health keeps what was acknowledged', async () => {
  await plannedLongAgo('sweep');
  const started = await Serve.start({ cwd: db.folder, database: db.path });
  serves.push(started);
  const planned = db.database.prepare<[], string>('SELECT name FROM jobs WHERE next_run_at IS NOT NULL').pluck();
  await until(() => planned.all().toSorted().join() === 'alerts,health', 'only these are planned');
  expect(runs('sweep')).toEqual([]);

  await deliver(started);
  await runNow(started, db.database, 'health');
  // The quarter of an hour may come, too: then a sample before has it.
  const samples = db.database.prepare<[], string>('SELECT acks FROM health_samples').pluck();
  const acknowledged = () => samples.all().flatMap((acks): number[] => JSON.parse(acks));
  await until(() => acknowledged().reduce((sum, count) => sum + count, 0) === 1, 'a sample has it, once');
});

/** A delivery that is acknowledged. */
async function deliver({ url }: Serve): Promise<void> {
  const body = '{"event":"refund.success","data":{"refund_reference":"R9","status":"success","amount":"50.00"}}';
  const headers = Object.entries(signed(body));
  expect((await rawRequest(url, { path: '/webhooks/test', headers, body })).status).toBe(200);
}

test('a jobs thread that fails stops nothing else, and is started again', async () => {
  await plannedLongAgo('sweep');
  const service = await hostileServer(() => {}); // the first sweep stays under way
  const mark = join(db.folder, 'break-jobs');
  writeFileSync(mark, '');
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `baseUrl: ${service.url}\nschedule: {sweep: "${YEARLY}"}\n`);
  const node = [process.execPath, '--import', packageFile('test/support/break-jobs.ts')];
  const started = await Serve.start({ cwd: db.folder, database: db.path, node, env: { BREAK_JOBS: mark } });
  serves.push(started);
  await until(() => started.logged('the jobs thread failed') !== undefined, 'the thread breaks');
  await deliver(started);
  const starts = () => readFileSync(`${mark}.starts`, 'utf8').match(/started/g)?.length;
  await until(() => starts() === 2, 'it is back');
  expect(started.logged('the jobs thread failed')).toMatchObject({ err: { message: 'broken on purpose' } });
  expect(await started.stop()).toBe(0);
});
