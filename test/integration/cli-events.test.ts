import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { joinLog } from '../../src/store/sqlite/carry-out/join-log.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
const account = {
  data: { account_number: '0123456789', customer: { email: 'ada@example.com', phone: '08031234567' } },
};
db.keepAndApply(
  refund('R1', 'pending'), // 1
  refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }, { receivedAtMs: START_MS + 3_600_000 }), // 2
  payout('P1', 'success', account), // 3
  payout('P1', 'success', { data: { ...account.data, amount: '101.00' } }),
  delivery({ event: '=cmd|x', data: { reference: '\u001b[31m@sum' } }), // 4
);
afterAll(() => db.remove());
const env = { TALLYHOOK_DATABASE: db.path };
const run = (...args: string[]) => command(args, { cwd: db.folder, env });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('list: newest first, filters, and documented fields', async () => {
  const { code, stdout, stderr } = await run('events', 'list');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^ID +RECEIVED \(Africa\/Lagos\) +ENV +EVENT +REFERENCE +STATUS +STATE/);
  expect(lines.slice(1).map((line) => line.trim().split(/\s/)[0])).toEqual(['4', '3', '2', '1']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a payload must not reach the terminal with one
  expect(stdout).not.toMatch(/\u001b/);
  const filtered = await json('events', 'list', '--kind', 'refund', '--since', '2026-11-20T12:30:00+02:00');
  expect(filtered.items).toMatchObject([{ id: 2, event: 'refund.success', status: 'success' }]);
  expect(undocumentedFields(filtered, ['events list'])).toEqual([]);
  expect(await json('events', 'list', '--limit', '1', '--oldest-first', '--after', '2')).toMatchObject({
    items: [{ id: 3 }],
  });
});

test('show: verdict, move, findings, and a masked body', async () => {
  const { code, stdout } = await run('events', 'show', '3');
  expect(code).toBe(0);
  expect(stdout).toMatch(/verdict +authentic: signed by test-1, merchantSignature verified/);
  expect(stdout).toMatch(/moved +payout P1: new → success/);
  expect(stdout).toMatch(/variant .*2 contents state success/);
  expect(stdout).toMatch(/masked, --reveal shows it in full/);
  expect(stdout).toMatch(/Variant 1, signed by test-1/);
  expect(stdout).not.toMatch(/0123456789|08031234567|ada@/);
  const revealed = await run('events', 'show', '3', '--reveal');
  expect(revealed.stdout).toMatch(/0123456789.*ada@example\.com.*08031234567/);
  expect(revealed.stdout).not.toMatch(/masked/);
});

test('show --json is documented, and holds the exact bytes only with --reveal', async () => {
  const shown = await json('events', 'show', '3');
  expect(
    undocumentedFields(shown, ['events show', 'events list', 'refunds, payouts, collections', 'findings']),
  ).toEqual([]);
  expect(shown).toMatchObject({ bodyBase64: null, move: { from: null, to: 'success' }, record: { reference: 'P1' } });
  expect(JSON.stringify(shown)).not.toMatch(/0123456789|ada@/);
  const revealed = await json('events', 'show', '3', '--reveal');
  expect(Buffer.from(revealed.bodyBase64, 'base64').toString()).toBe(revealed.body);
});

test('show --raw writes the exact bytes and nothing else', async () => {
  const row = db.database.prepare('SELECT body FROM variants').pluck().get() as Buffer;
  expect((await run('events', 'show', '3', '--raw', '--variant', '1')).stdout).toBe(row.toString());
  expect((await run('events', 'show', '4', '--raw')).stdout).toContain('=cmd|x');
});

test('export: NDJSON with bodies in base64, every content', async () => {
  const { code, stdout, stderr } = await run('events', 'export');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '4 events exported.\n' });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(undocumentedFields(lines, ['events export', 'events list'])).toEqual([]);
  expect(Buffer.from(lines[2].contents[0].bodyBase64, 'base64').toString()).toContain('"amount":"101.00"');
});

test('export: CSV that no spreadsheet runs, bodies as private files', async () => {
  const { stdout } = await run('events', 'export', '--format', 'csv', '--bodies', 'bodies');
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^"id","environment","event","reference",/);
  expect(lines[4]).toMatch(/^4,"test","'=cmd\|x",/);
  const folder = join(db.folder, 'bodies');
  expect(readdirSync(folder).toSorted()).toEqual(['1.body', '2.body', '3.body', '3.variant-1.body', '4.body']);
  expect(statSync(join(folder, '1.body')).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, '1.body'), 'utf8')).event).toBe('refund.pending');
  const again = await run('events', 'export', '--bodies', 'bodies');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/exists already/) });
});

const follow = (...args: string[]) => {
  const child = spawn(process.execPath, [LAUNCHER, 'events', 'tail', ...args], {
    cwd: db.folder,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return {
    child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    notes: createInterface({ input: child.stderr }),
  };
};

test('tail follows what another process writes, and Ctrl-C ends it with 0', async () => {
  const { child, lines, notes } = follow('--json');
  await once(notes, 'line'); // it is following
  db.keepAndApply(refund('R7', 'pending'));
  const line = JSON.parse((await lines.next()).value ?? '');
  expect(line).toMatchObject({ reference: 'R7', status: 'pending' });
  expect(undocumentedFields(line, ['events list'])).toEqual([]);
  db.keepAndApply(refund('R8', 'pending'), refund('R8', 'success', { updatedAt: '2026-11-20T09:09:00Z' }));
  expect(JSON.parse((await lines.next()).value ?? '')).toMatchObject({ event: 'refund.pending' });
  expect(JSON.parse((await lines.next()).value ?? '')).toMatchObject({ event: 'refund.success' });
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('tail --since begins in the past, and ends without a message when its reader closes the pipe', async () => {
  const { child, lines, notes } = follow('--since', '2026-11-20', '--kind', 'refund');
  const noted: string[] = [];
  notes.on('line', (line) => noted.push(line));
  expect((await lines.next()).value).toMatch(/refund\.pending {2}R1 {2}pending {2}observed {2}#1$/);
  child.stdout.destroy();
  db.keepAndApply(refund('R9', 'pending'));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(noted).toEqual([]);
});

test('list --aside: what could not be carried out, with the reason, and its bytes with --reveal', async () => {
  expect(await run('events', 'list', '--aside')).toMatchObject({ code: 0, stderr: 'Nothing was set aside.\n' });
  db.database.exec(`INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes)
    VALUES (7, 2, ${START_MS}, 'a defect', 'test', 'test-1', ${START_MS}, CAST('body' AS BLOB))`);
  const { stdout } = await run('events', 'list', '--aside');
  expect(stdout).toMatch(/1 +2026-11-20 .* test +4 +a defect/);
  const listed = await json('events', 'list', '--aside');
  expect(listed.items).toMatchObject([{ id: 1, reason: 'a defect', keyId: 'test-1', bytes: 4, bytesBase64: null }]);
  expect(undocumentedFields(listed, ['events list'])).toEqual([]);
  const revealed = await json('events', 'list', '--aside', '--reveal');
  expect(Buffer.from(revealed.items[0].bytesBase64, 'base64').toString()).toBe('body');
  expect(await run('events', 'list', '--aside', '--kind', 'refund')).toMatchObject({ code: 2 });
});

test('retry and drop: what was set aside is carried out, or gone, and both are entered in the audit', async () => {
  const { database } = db;
  const setAside = (place: number, body: string | Uint8Array) =>
    database
      .prepare(`INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes, merchant_signature)
        VALUES (8, ?, ${START_MS}, 'a defect', 'test', 'test-1', ${START_MS}, ?, 'absent')`)
      .run(place, Buffer.from(body));
  database.exec('DELETE FROM aside');
  setAside(0, refund('ASIDE', 'success').body);
  setAside(1, 'to be dropped');
  expect(await run('events', 'retry')).toMatchObject({ code: 2 });
  expect(await run('events', 'drop', '2')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --yes') });
  expect(await run('events', 'retry', '1', '99')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No delivery 99'),
  });
  const status = await json('status', '--no-serve');
  expect(status.problems.map(({ code }: { code: string }) => code)).toContain('aside');
  // A database without a log, as after a restore: the next start of serve tries it.
  expect(await json('events', 'retry', '1', '--as', 'Ada')).toEqual({ carriedOut: 0, waiting: 1, again: [] });
  joinLog(database);
  expect((await run('events', 'retry', '1', '--as', 'Ada')).stdout).toBe('1 of 1 delivery is carried out\n');
  expect((await json('events', 'list', '--reference', 'ASIDE')).items).toMatchObject([
    { reference: 'ASIDE', keyId: 'test-1' },
  ]);
  expect((await run('events', 'drop', '--all', '--yes', '--as', 'Grace')).stdout).toBe('1 delivery is dropped\n');
  expect((await run('events', 'list', '--aside')).stderr).toBe('Nothing was set aside.\n');
  const entries = database.prepare('SELECT who, act, subject FROM audit_entries ORDER BY seq').all();
  expect(entries).toEqual([
    { who: 'Ada', act: 'aside.retry', subject: expect.stringMatching(/^aside:[0-9a-f]{64}$/) },
    { who: 'Grace', act: 'aside.drop', subject: `aside:${createHash('sha256').update('to be dropped').digest('hex')}` },
  ]);
  expect(await run('audit', 'verify')).toMatchObject({ code: 0 });
});

test('lost-log: refused while the log is there; then the next log goes on behind what was carried out', async () => {
  const { database } = db;
  const log = joinLog(database);
  expect(await run('events', 'lost-log', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is there; nothing was done'),
  });
  database.exec('UPDATE carried_out SET seq = 41');
  expect(() => joinLog(database)).toThrow('is older than the database');
  expect(await json('events', 'lost-log', '--yes')).toEqual({ done: true, log, carriedOut: 41, left: 0 });
  joinLog(database);
  for (const part of ['', '-wal', '-shm']) rmSync(log + part, { force: true });
  expect(() => joinLog(database)).toThrow(/Is it lost for good|is gone/);
  const planned = await run('events', 'lost-log');
  expect(planned).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Entries up to 41 are carried out; what was acknowledged behind it would be lost'),
  });
  const done = await json('events', 'lost-log', '--yes', '--as', 'Ada');
  expect(done).toEqual({ done: true, log, carriedOut: 41, left: null });
  expect(await run('events', 'lost-log', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('knows no log'),
  });
  joinLog(database);
  expect(database.prepare('SELECT seq FROM carried_out').pluck().get()).toBe(41);
  const last = database.prepare('SELECT who, act, subject FROM audit_entries ORDER BY seq DESC LIMIT 1').get();
  expect(last).toEqual({ who: 'Ada', act: 'log.lose', subject: expect.stringMatching(/^log:[0-9a-f]{32}\/41$/) });
});

test.each([
  ['no such event', ['events', 'show', '99'], 1, /There is no event 99/],
  ['no such variant', ['events', 'show', '3', '--raw', '--variant', '9'], 1, /Event 3 has no variant 9/],
  ['no number', ['events', 'show', 'R1'], 2, /"R1" is not a number of an event/],
  ['no subcommand', ['events'], 2, /Which command of events/],
  ['an unknown subcommand', ['events', 'lst'], 2, /Unknown command: lst\nDid you mean list\?/],
  ['a variant that is not written', ['events', 'show', '3', '--variant', '1'], 2, /raw/],
  ['an unknown state', ['events', 'list', '--state', 'lost'], 2, /observed/],
  ['no time', ['events', 'list', '--until', 'yesterday'], 2, /not a date or time/],
  ['both forms', ['events', 'show', '3', '--raw', '--json'], 2, /give one of them/],
  ['a limit of none', ['events', 'list', '--limit', '0'], 2, /from 1 to 10000/],
])('refused: %s', async (_what, args, expected, message) => {
  const { code, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) });
  expect(stderr).not.toMatch(/^ +at /m);
});
