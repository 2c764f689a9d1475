import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { holdImport } from '../support/held-import.ts';
import { processesIn } from '../support/left-behind/processes-in.ts';
import { openOperations } from '../support/operations.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { readerOf } from '../support/reader.ts';
import { runNow } from '../support/run-now.ts';
import { Serve } from '../support/serve.ts';
import { PROFILE, walletCsv } from '../support/statement-files.ts';
import { spreadsheet } from '../support/statements/spreadsheet.ts';
import { DropFolder, profileOf } from '../support/statements-folder.ts';
import { EXACT } from '../support/sweeping.ts';
import { WITH_MODE_BITS } from '../support/unprivileged.ts';
import { until } from '../support/wait.ts';

// The real program and a real folder. Times of files are long past, or far ahead: nothing here waits for a clock.

const OLD_MS = Date.parse('2026-10-31T12:00:00Z');
const AHEAD_MS = Date.parse('2126-10-31T12:00:00Z');
const YEAR_MS = 365 * 24 * 3_600_000;
const YEARLY = '0 0 1 1 *';
const ONE = walletCsv([
  ['C-1', 100],
  ['C-2', 200],
]);

let folder: string;
let database: string;
let drop: DropFolder;
let serve: Serve | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  database = join(folder, 'tallyhook.db');
  drop = new DropFolder(join(folder, 'statements'));
  configure();
});
afterEach(async () => {
  await serve?.kill();
  serve = undefined;
});

const configure = (more = '') =>
  writeFileSync(
    join(folder, 'tallyhook.yaml'),
    `database: tallyhook.db\nreconcile: {statementsFolder: statements, days: 3}\n${more}`,
  );
const run = (...args: string[]) => command(args, { cwd: folder });
const references = () =>
  readerOf(database).prepare<[], string>('SELECT reference FROM statement_lines ORDER BY id').pluck().all();

test('schedule run reconcile takes what lies there, says why it took not all, and reconciles', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/october.csv', ONE, OLD_MS);
  drop.put('wallet/odd.csv', `${walletCsv([['C-3', 5]])}2026-10-02,X-1,Bonus,,"1.234,56",0\n`, OLD_MS);
  drop.put('wallet/other.csv', 'Nonsense\n1\n', OLD_MS);
  drop.put('wallet/uploading.csv', ONE, AHEAD_MS);
  drop.put('loose.csv', ONE, OLD_MS);
  const first = await run('schedule', 'run', 'reconcile');
  expect(first).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^reconcile found in .*: 2 files taken, 1 row not readable, 2 refused, 1 waiting \(tallyhook statements folder\); \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: 0 breaks, 0 not due yet, 0 not confirmed\n$/,
    ),
  });
  expect(references()).toEqual(['C-1', 'C-2', 'C-3']);

  const listed = await run('statements', 'folder', '--json');
  expect(listed).toMatchObject({ code: 3, stderr: '' });
  const document = JSON.parse(listed.stdout);
  expect(undocumentedFields(document, ['statements folder'])).toEqual([]);
  expect(document).toMatchObject({ folder: drop.path, total: 5, more: false });
  expect(document.items).toMatchObject([
    { path: 'loose.csv', outcome: 'refused', statement: null, nextStep: expect.stringContaining('Move it') },
    {
      path: 'wallet/october.csv',
      outcome: 'taken',
      statement: 1,
      bytes: ONE.length,
      modifiedAt: '2026-10-31T12:00:00.000Z',
    },
    { path: 'wallet/odd.csv', outcome: 'taken', statement: 2, reason: null, nextStep: null },
    { path: 'wallet/other.csv', outcome: 'refused', reason: expect.stringContaining('"Nonsense"') },
    { path: 'wallet/uploading.csv', outcome: 'waiting' },
  ]);
  const text = await run('statements', 'folder');
  expect(text.stdout).toMatch(/^FILE +OUTCOME +STATEMENT +SINCE \(Africa\/Lagos\) +BECAUSE\nloose\.csv +refused +- /);
  expect(text.stderr).toContain(`Folder: ${drop.path}\n`);
  expect(text.stderr).toContain('loose.csv: Move it into the sub-folder of its profile');
  expect((await run('statements', 'list', '--json')).stdout).toContain('october.csv');

  // Nothing that concerns the refused ones has changed: they stand as they were.
  const again = await run('schedule', 'run', 'reconcile', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    job: 'reconcile',
    outcome: 'found',
    detail: expect.stringMatching(/^0 files taken, 2 refused, 1 waiting /),
  });
});

test('days end at reconcile.cutOff, unless --cut-off says otherwise', async () => {
  writeFileSync(join(folder, 'tallyhook.yaml'), 'database: tallyhook.db\nreconcile: {cutOff: 18:00}\n');
  makeEmptyDatabase(database);
  const month = ['--from', '2026-10-01', '--to', '2026-10-31', '--json'];
  expect(JSON.parse((await run('reconcile', ...month)).stdout)).toMatchObject({ cutOff: '18:00' });
  expect(JSON.parse((await run('reconcile', ...month, '--cut-off', '20:00')).stdout)).toMatchObject({
    cutOff: '20:00',
  });
});

test('a folder that is missing fails the job, and says which', async () => {
  writeFileSync(join(folder, 'tallyhook.yaml'), 'database: tallyhook.db\nreconcile: {statementsFolder: gone}\n');
  expect(await run('schedule', 'run', 'reconcile')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^reconcile failed in .*\/gone cannot be read: it does not exist\.\n$/),
    stderr: expect.stringContaining('reconcile.statementsFolder'),
  });
});

test('a file and a folder that this user may not read are refused, and taken once it may; with all in order it ends with 0', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/october.csv', ONE, OLD_MS);
  drop.put('bank/profile.yaml', profileOf('bank-naira'), OLD_MS);
  drop.put('bank/october.csv', ONE, OLD_MS);
  drop.mode('wallet/october.csv', 0o000);
  drop.mode('bank', 0o000);
  expect(await command(['schedule', 'run', 'reconcile'], { cwd: folder, under: WITH_MODE_BITS })).toMatchObject({
    code: 3,
  });
  const { items } = JSON.parse((await run('statements', 'folder', '--json')).stdout);
  expect(items).toMatchObject([
    { path: 'bank/', outcome: 'refused', reason: 'The folder cannot be read: this user may not read it.' },
    {
      path: 'wallet/october.csv',
      outcome: 'refused',
      reason: expect.stringMatching(/this user may not read it/),
      sha256: null,
    },
  ]);
  drop.mode('wallet/october.csv', 0o600);
  drop.mode('bank', 0o700);
  expect(await run('schedule', 'run', 'reconcile')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^reconcile done in .*: 2 files taken; /),
  });
  expect(await run('statements', 'folder')).toMatchObject({ code: 0 });
});

test('without a folder of statements the job reconciles alone', async () => {
  writeFileSync(join(folder, 'tallyhook.yaml'), 'database: tallyhook.db\nreconcile: {days: 3}\n');
  makeEmptyDatabase(database);
  expect(await run('schedule', 'run', 'reconcile')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^reconcile done in [^:]*: \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: 0 breaks/),
  });
  expect(await run('statements', 'folder')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('reconcile.statementsFolder is not set'),
  });
});

/** Of a file whose import is held: three transactions. */
const MANY = Array.from({ length: 4_500 }, (_, index) => [`C-${index}`, 100 + index] as const);

test('kill -9 in the middle of a file: nothing of it shows, and the next run takes it whole', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/big.csv', walletCsv(MANY), OLD_MS);
  makeEmptyDatabase(database);
  const held = holdImport(database, 'for a while');
  const child = spawn(process.execPath, [LAUNCHER, 'schedule', 'run', 'reconcile'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await held.begun();
  child.kill('SIGKILL');
  await ended;
  held.release();
  expect(references()).toEqual([]);
  expect(JSON.parse((await run('statements', 'folder', '--json')).stdout).items).toEqual([]);
  await endLease();
  expect(await run('schedule', 'run', 'reconcile')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 file taken'),
  });
  expect(references()).toHaveLength(MANY.length);
});

/** Takes the killed run over, once its lease is over by a clock an hour later, and ends. */
async function endLease(): Promise<void> {
  const operations = openOperations(database, EXACT, new FixedClock(Date.now() + 3_600_000));
  const begun = await operations.jobs.begin({ job: 'reconcile', holder: 'test', leaseMs: 1 });
  if (!('run' in begun)) throw new Error(`${begun.held.holder} has it`);
  await operations.jobs.finish({ run: begun.run.run, job: 'reconcile', outcome: 'done', detail: '' });
  await operations.close();
}

const SCHEDULE = `schedule: {reconcile: ${YEARLY}, health: null, backfill: null, sweep: null}\nlog: {level: debug}\n`;

/** Plans the job three years ago, so that it is due when `serve` starts. */
async function due(): Promise<void> {
  makeEmptyDatabase(database);
  const operations = openOperations(database, EXACT, new FixedClock(Date.now() - 3 * YEAR_MS));
  await operations.jobs.plan({ jobs: [{ job: 'reconcile', schedule: YEARLY, zone: 'Africa/Lagos' }] });
  await operations.close();
  configure(SCHEDULE);
}

/** Columns of no use, so that the spreadsheet of `test:long` has nearly as many cells as it may: 1,980,066. */
const FURTHER = Array.from({ length: 60 }, (_, column) => `Further ${column}`);

/** Of the spreadsheet; `test:long` has 30,000. */
const ROWS = Number(process.env.TALLYHOOK_TEST_ROWS ?? 300);

test('serve takes a spreadsheet in the process of the job', async () => {
  const rows = Array.from({ length: ROWS }, (_, index) => [
    '2026-10-01',
    `C-${index}`,
    'Collection',
    `Payment ${index}`,
    { n: '1.50' },
    { n: (1_000 + 1.5 * (index + 1)).toFixed(2) },
    ...FURTHER.map((_name, column) => ({ n: String(index * FURTHER.length + column) })),
  ]);
  const header = ['Date', 'Reference', 'Type', 'Details', 'Amount', 'Balance', ...FURTHER];
  drop.put('wallet/profile.yaml', PROFILE.replace('csv', 'xlsx'), OLD_MS);
  drop.put('wallet/october.xlsx', spreadsheet([header, ...rows]), OLD_MS);
  await due();
  serve = await Serve.start({ cwd: folder, database });
  const output = () => serve?.stderr ?? '';
  await until(() => /"msg":"(job ended|job failed|the jobs thread failed)"/.test(output()), 'the job ends', 90_000);
  expect(output()).toContain('1 file taken');
  expect(readerOf(database).prepare('SELECT count(*) FROM statement_lines').pluck().get()).toBe(rows.length);
  const metrics = await (await fetch(`${serve.adminUrl}/metrics`)).text();
  expect(metrics).toContain('tallyhook_job_counts_total{job="reconcile",count="taken"} 1');
  expect(metrics).toContain('tallyhook_job_left{job="reconcile"} 0');
});

const jobProcesses = () => processesIn(folder).filter((line) => line.includes('apart-process'));
/** The process of the job, and the one that reads its files and imports them: it ends once its transaction does. */
const jobAndReader = () => processesIn(folder).filter((line) => /(apart|reading)-process/.test(line));
const outcomes = () =>
  readerOf(database)
    .prepare<[], string>("SELECT outcome FROM job_runs WHERE job = 'reconcile' ORDER BY run")
    .pluck()
    .all();

/** Runs the job in `serve`, and holds the import of its file in the middle. */
async function importing(started: Serve) {
  const { begun, release } = holdImport(database, 'for a while'); // a start would refuse it
  const books = openDatabase(database);
  await runNow(started, books, 'reconcile');
  books.close();
  await begun();
  const [own, ...others] = jobProcesses();
  expect(others).toEqual([]);
  return { job: Number(own?.split(' ')[0]), release };
}

test('serve runs the job in another process: when that dies, the job has failed and serve goes on; a SIGTERM ends both and releases the lease; when serve is killed, the process of the job ends by itself', async () => {
  drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
  drop.put('wallet/big.csv', walletCsv(MANY), OLD_MS);
  makeEmptyDatabase(database);
  configure(`${SCHEDULE}receiver: {shutdownTimeoutMs: 100000}\n`); // a held import ends before it on any machine
  serve = await Serve.start({ cwd: folder, database });
  const dying = await importing(serve);
  expect(dying.job).not.toBe(serve.pid);
  process.kill(dying.job, 'SIGKILL');
  await until(() => jobAndReader().length === 0, 'it and its reader have ended');
  dying.release();
  await until(() => serve?.logged('job failed') !== undefined, 'the job fails');
  expect(serve.logged('job failed')).toMatchObject({
    job: 'reconcile',
    detail: 'The process of reconcile ended with SIGKILL before the job had ended.',
  });
  expect((await fetch(`${serve.adminUrl}/healthz`)).status).toBe(200);
  expect(references()).toEqual([]);

  const stopped = await importing(serve);
  expect(await serve.stop()).toBe(0);
  expect(jobProcesses()).toEqual([]);
  stopped.release();
  expect(serve.logged('job stopped early')).toMatchObject({ job: 'reconcile', outcome: 'stopped' });
  expect([outcomes(), references()]).toEqual([['failed', 'stopped'], []]);

  serve = await Serve.start({ cwd: folder, database });
  await until(() => serve?.logged('job ended') !== undefined, 'the job runs again');
  expect(serve.logged('job ended')).toMatchObject({
    job: 'reconcile',
    detail: expect.stringContaining('1 file taken'),
  });
  expect([outcomes(), references().length]).toEqual([['failed', 'stopped', 'done'], MANY.length]);

  drop.put('wallet/later.csv', walletCsv(MANY.map(([reference, minor]) => [`L-${reference}`, minor])), OLD_MS);
  const killed = await importing(serve);
  serve.signal('SIGKILL');
  await until(() => jobAndReader().length === 0, 'the process of the job and its reader end');
  killed.release();
  expect(references()).toHaveLength(MANY.length);
});
