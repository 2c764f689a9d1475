import { afterAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { answer, type Behaviour, hostileServer } from '../support/hostile-server.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { TEST_KEY_ENV, TEST_KEYS } from '../support/signer.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const db = new TestDatabase();
afterAll(() => db.remove());
const statuses: Record<string, string> = { R1: 'success', R2: 'pending', R3: 'rejected' };
const truthful: Behaviour = (socket, request) => {
  const reference = /refund\/status\/(\S+) HTTP/.exec(request)?.[1] ?? '';
  const status = statuses[reference];
  const data = { refund_reference: reference, status, amount: '50.00', currency: 'USD' };
  if (status === undefined) socket.write(answer(404, '{"success":false,"message":"Refund not found"}'));
  else socket.write(answer(200, JSON.stringify({ success: true, data })));
};
let behave = truthful;
const service = await hostileServer((socket, request, server) => behave(socket, request, server));
const env = {
  TALLYHOOK_BASE_URL: service.url,
  TALLYHOOK_DATABASE: db.path,
  ...TEST_KEY_ENV,
};
const run = (...args: string[]) => command(['sweep', ...args], { cwd: db.folder, env });
db.keepAndApply(
  refund('R1', 'processing'),
  refund('R2', 'pending'),
  refund('R3', 'pending'),
  refund('GONE', 'pending'),
);

test('--dry-run lists due records and sends no request; text, JSON and documented fields', async () => {
  const { code, stdout } = await run('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^4 due\n/);
  expect(stdout).toMatch(/test +refund R1 +processing +-/);
  const due = JSON.parse((await run('refunds', '--dry-run', '--json', '--limit', '2')).stdout);
  expect(due).toMatchObject({ items: [{ reference: 'R1', dueAt: expect.any(String) }, {}], total: 4, more: true });
  expect(undocumentedFields(due, ['sweep', 'refunds, payouts, collections'])).toEqual([]);
  expect(JSON.parse((await run('payouts', '--dry-run', '--json')).stdout)).toMatchObject({ items: [], total: 0 });
  expect(service.requests).toHaveLength(0);
});

test('checks one, some or all records; 3 when the service does not know one', async () => {
  expect(await run('--reference', 'R1')).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^checked 1 in .*: 1 confirmed, 1 changed, 1 settled\n1 had settled without its webhook reaching us; now recorded\n0 still/,
    ),
    stderr: '',
  });
  expect(await run('refunds', '--limit', '1', '--concurrency', '1')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^checked 1 .*\n2 still due\n$/),
  });
  const { code, stdout } = await run('all', '--json');
  expect(code).toBe(3);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ checked: 2, confirmed: 1, settled: 1, failed: { not_found: 1 }, stillDue: 0 });
  expect(undocumentedFields(result, ['sweep'])).toEqual([]);
});

test('--reference checks a settled record, too; an unknown reference ends with 1', async () => {
  expect(await run('--reference', 'R3')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^checked 1 /) });
  expect(await run('--reference', 'NOPE')).toMatchObject({ code: 1, stderr: expect.stringMatching(/no such record/) });
});

test('an expectation past its date is overdue, for the command and for the job', async () => {
  const dateHasCome = () => db.database.exec('UPDATE tracked SET expected_by = 1, review_at = 1');
  await command(['track', 'payout', 'LATE', '--due', '7d'], { cwd: db.folder, env });
  db.database.exec('UPDATE payouts SET due_at = NULL; UPDATE refunds SET due_at = NULL');
  dateHasCome();
  expect(await run()).toMatchObject({ code: 3, stdout: expect.stringMatching(/^1 tracked, past their date/m) });
  expect(await run()).toMatchObject({ code: 0 });
  dateHasCome();
  const job = await command(['schedule', 'run', 'sweep', '--json'], { cwd: db.folder, env });
  expect(job.code).toBe(3);
  expect(JSON.parse(job.stdout)).toMatchObject({ outcome: 'found', detail: expect.stringContaining('1 overdue') });
});

test('a refused key ends the sweep with 1 and a next step', async () => {
  behave = (socket) => socket.write(answer(401, '{"success":false,"message":"Invalid API key"}'));
  const { code, stderr, stdout } = await run('--reference', 'R2');
  expect(code).toBe(1);
  expect(stderr).toMatch(/answered 401 or 403: the secret key was changed or revoked there.*tallyhook doctor/s);
  expect(stdout + stderr).not.toContain(TEST_KEYS.secretKey);
  behave = truthful;
});

test('a pause longer than a sweep waits ends it with 1 and the reason', async () => {
  const limited = answer(429, '{"success":false,"message":"slow down"}', { 'retry-after': '3600' });
  behave = (socket) => socket.write(limited);
  db.keepAndApply(refund('R5', 'pending'), refund('R6', 'pending'));
  expect(await run('refunds', '--concurrency', '1')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^checked 1 .*\n1 not confirmed: the service limits requests \(429\)\n1 still due\n$/,
    ),
    stderr: expect.stringMatching(/the service does not respond or requires a pause/),
  });
  behave = truthful;
  await run('--reference', 'R5');
  await run('refunds');
});

test('wrong usage ends with 2 and sends no request', async () => {
  const before = service.requests.length;
  expect(await run('refund')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/it must be refunds, payouts, collections or all/),
  });
  expect(await run('--limit', '0')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^tallyhook: --limit is "0": it must be a whole number, 1 or more\.\n/),
  });
  expect(await run('--concurrency', '1000')).toMatchObject({ code: 2, stderr: expect.stringMatching(/from 1 to 256/) });
  expect(await run('--since', 'yesterday')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/not a date or time/),
  });
  expect(await run('--environment', 'live')).toMatchObject({ code: 2, stderr: expect.stringMatching(/live/) });
  const { TALLYHOOK_BASE_URL: _, ...without } = env;
  expect(await command(['sweep'], { cwd: db.folder, env: without })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/baseUrl/),
  });
  expect(service.requests).toHaveLength(before);
});

test('due records of an environment without a key are counted', async () => {
  db.keepAndApply(refund('LIVE-1', 'pending', {}, { environment: 'live' }));
  const { code, stdout } = await run('--json');
  expect(code).toBe(3);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ checked: 0, stillDue: 0, withoutKey: 1, stopped: null });
  expect(undocumentedFields(result, ['sweep'])).toEqual([]);
  expect((await run()).stdout).toMatch(/\n1 due and not checked: its environment has no key/);
  // --environment test leaves the record of live out.
  expect(await run('--environment', 'test')).toMatchObject({
    code: 0,
    stdout: expect.not.stringMatching(/has no key/),
  });
  const why = (await command(['why', 'LIVE-1'], { cwd: db.folder, env })).stdout;
  expect(why).toContain('No check can confirm it without a key pair under keys.live.');
});

test('on a terminal a sweep that rests says so, and for how long', { tags: ['script'] }, async () => {
  behave = (socket) => socket.write(answer(429, '{"success":false}', { 'retry-after': '16' }));
  db.keepAndApply(refund('RESTS', 'pending'), refund('RESTS-TOO', 'pending'));
  const terminal = new OnTerminal(['sweep', '--environment', 'test', '--concurrency', '1'], { cwd: db.folder, env });
  try {
    await terminal.shows('resting: the service does not answer (');
    await until(() => /does not answer \(1?\d s\)/.test(terminal.shown), 'the seconds are shown');
  } finally {
    terminal.kill();
    behave = truthful;
  }
});
