import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { expectMistake, type Mistake } from '../support/mistakes.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { smtpServer } from '../support/smtp.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

const SECTION = ['alerts list, show, silence, test, check'];
const MAIL = 'security: none, from: tallyhook@shop.example, to: [ops@shop.example]';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
  const receivedAtMs = Date.now() - 60_000;
  db.keepAndApply({ ...refund('R0', 'processing', {}, { receivedAtMs }), body: Buffer.from('{"notify":"refund"}') });
});
afterEach(() => db.remove());

const configure = (alerts = '') =>
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `database: tallyhook.db\nalerts: {${alerts}}\n`);
const run = (...args: string[]) => command(args, { cwd: db.folder, env: TEST_KEY_ENV });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('check judges and tells once over every channel; list, show and silence say what it found', async () => {
  const chat = await hostileServer((socket) => socket.end(answer(200, 'ok')));
  const { port, mails } = await smtpServer({ disabledCommands: ['STARTTLS'] });
  configure(
    `webhook: {url: "${chat.url}/hook"}, mail: {host: 127.0.0.1, port: ${port}, ${MAIL}}, heartbeat: {url: "${chat.url}/beat"}`,
  );
  expect(await run('alerts')).toMatchObject({ code: 0, stderr: 'No open alerts.\n' });

  const checked = await run('alerts', 'check', '--json');
  expect(checked.code).toBe(3);
  expect(JSON.parse(checked.stdout)).toEqual({
    open: 1,
    opened: 1,
    again: 0,
    recovered: 0,
    sent: 3,
    failed: 0,
    written: true,
  });
  expect(checked.stderr).toContain('warning: quarantined, test');
  expect(chat.requests.map((request) => request.split(' ', 2).join(' '))).toEqual(['POST /hook', 'GET /beat']);
  expect(chat.requests[0]).toContain('1 event quarantined within a day');
  expect(mails).toMatchObject([{ to: ['ops@shop.example'] }]);
  const unfolded = mails[0]?.text.replaceAll(/=\r?\n/g, ''); // of a long line
  expect(unfolded).toContain('tallyhook events list --environment test --state quarantined');

  expect(await json('alerts', 'check')).toMatchObject({ open: 1, opened: 0, sent: 0 });
  expect(mails).toHaveLength(1);

  const list = await run('alerts', 'list', '--json');
  expect(list.code).toBe(3);
  const { items } = JSON.parse(list.stdout);
  expect(items).toMatchObject([
    { id: 1, cause: 'quarantined', subject: 'test', severity: 'warning', open: true, openings: 1, size: 1 },
  ]);
  expect((await run('alerts', 'list', '--cause', 'stuck')).code).toBe(0);
  expect((await run('alerts', '--format', 'csv')).stdout).toContain('"1","quarantined","test","warning","open",');

  const shown = await json('alerts', 'show', '1');
  expect(shown.notices).toHaveLength(3);
  expect(shown.notices).toContainEqual(
    expect.objectContaining({ channel: 'mail', change: 'opened', state: 'sent', attempts: 1 }),
  );
  expect(undocumentedFields(shown, SECTION)).toEqual([]);
  expect((await run('alerts', 'show', '1')).stdout).toMatch(/run +tallyhook events list --environment test/);

  const silenced = await json('alerts', 'silence', '1', '--for', '2d');
  expect(Date.parse(silenced.silencedUntil) - Date.now()).toBeGreaterThan(47 * 3_600_000);
  expect((await run('alerts')).stdout).toContain('open, silenced');
  expect(await json('alerts', 'silence', '1', '--end')).toMatchObject({ silencedUntil: null });
});

test('a dead serve is seen from beside it, by the job too, and stays open where serve is not expected', async () => {
  configure();
  const now = Date.now();
  db.database
    .prepare('INSERT INTO receivers (holder, machine, pid, started_at, seen_at) VALUES (?, ?, ?, ?, ?)')
    .run('gone', 'another', 1, now - 7_200_000, now - 3_600_000);
  const open = async () => (await json('alerts')).items.map(({ cause }: { cause: string }) => cause);
  await run('schedule', 'run', 'alerts');
  expect(await open()).toContain('serve_not_running');
  expect(await json('alerts', 'check', '--no-serve')).toMatchObject({ recovered: 0 });
  expect(await open()).toContain('serve_not_running');
  const [{ id }] = (await json('alerts', 'list', '--cause', 'serve_not_running')).items;
  expect((await run('alerts', 'show', String(id))).stdout).toContain('systemctl status tallyhook');
});

test('what recovers is told, and ends list with 0', async () => {
  configure();
  await run('alerts', 'check');
  configure('causes: {quarantined: {severity: "off"}}');
  expect(await json('alerts', 'check')).toMatchObject({ open: 0, sent: 0 }); // off: told nowhere
  configure();
  db.database.prepare('UPDATE alerts SET noticed_at = NULL').run();
  expect(await json('alerts', 'check')).toMatchObject({ open: 1, opened: 1 });
  db.database.prepare('UPDATE events SET received_at = received_at - 90000000').run();
  const recovered = await run('alerts', 'check');
  expect(recovered.code).toBe(0);
  expect(recovered.stderr).toContain('recovered: quarantined, test');
  expect((await run('alerts')).code).toBe(0);
  expect((await run('alerts', '--closed')).stdout).toContain('recovered');
});

test('a channel that does not take a notice ends check with 1, without its address, and is tried again', async () => {
  let status = 503;
  const chat = await hostileServer((socket) => socket.end(answer(status, 'canary-answer')));
  configure(`webhook: {url: "${chat.url}/canary-hook"}`);
  const failed = await run('alerts', 'check');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('alerts: webhook did not take a notice: answered 503; it is tried again');
  expect(`${failed.stdout}${failed.stderr}`).not.toContain('canary');
  status = 200;
  expect(await json('alerts', 'check')).toMatchObject({ sent: 0 }); // not before a minute
  db.database.prepare('UPDATE alert_notices SET due_at = 0').run();
  expect(await json('alerts', 'check')).toMatchObject({ sent: 1, failed: 0 });
});

test('check sees that serve is not running, and then does not beat', async () => {
  const watcher = await hostileServer((socket) => socket.end(answer(200, '')));
  configure(`heartbeat: {url: "${watcher.url}/beat"}`);
  db.database
    .prepare("INSERT INTO receivers (holder, machine, pid, started_at, seen_at) VALUES ('serve on box', 'x', 1, 0, 0)")
    .run();
  const { stderr } = await run('alerts', 'check');
  expect(stderr).toContain('critical: serve not running');
  expect(watcher.requests).toEqual([]);
  expect(await json('alerts', 'check', '--no-serve')).toMatchObject({ recovered: 0 });
  expect(watcher.requests).toHaveLength(1);
});

test('test sends a sample through every channel, and ends with 1 when one fails', async () => {
  const chat = await hostileServer((socket) => socket.end(answer(404, 'no')));
  const { port, mails } = await smtpServer({ disabledCommands: ['STARTTLS'] });
  configure(`webhook: {url: "${chat.url}/hook"}, mail: {host: 127.0.0.1, port: ${port}, ${MAIL}}`);
  const { code, stdout } = await run('alerts', 'test', '--json');
  expect(code).toBe(1);
  const result = JSON.parse(stdout);
  expect(result.channels).toEqual([
    { channel: 'log', sent: true, error: null },
    { channel: 'webhook', sent: false, error: 'answered 404' },
    { channel: 'mail', sent: true, error: null },
  ]);
  expect(undocumentedFields(result, SECTION)).toEqual([]);
  expect(mails[0]?.text).toContain('This is a test of the channel mail.');
  expect((await run('alerts', 'test', 'mail')).code).toBe(0);
});

test('what is wrong says what to do', async () => {
  configure();
  const mistakes: Mistake[] = [
    ['alerts show x', 2, '"x" is not a number of an alert.', 'tallyhook alerts list --closed'],
    ['alerts show 99', 1, 'There is no alert 99.', 'tallyhook alerts list --closed'],
    ['alerts silence 99', 1, 'There is no alert 99.', 'tallyhook alerts list --closed'],
    ['alerts silence 1 --for 31d', 2, '--for is longer than 30 days.', 'severity: off'],
    ['alerts test mail', 2, 'The channel mail is not set up.', 'alerts.mail'],
    ['alerts list --cause silnt', 2, 'silnt', 'silent'],
  ];
  for (const mistake of mistakes) await expectMistake(mistake, { cwd: db.folder });
});
