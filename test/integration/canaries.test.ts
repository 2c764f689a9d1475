import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { answer, hostileServer } from '../support/hostile-server.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV, TEST_KEYS } from '../support/signer.ts';
import { smtpServer } from '../support/smtp.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

const SECRETS = ['canary-hook', 'canary-beat', 'canary-password', TEST_KEYS.secretKey];
const PERSONAL = ['0123456789', 'Canary', 'canary@person.example', 'canary-narration', '08031234567'];
const PERSON = {
  ...{
    account_number: '0123456789',
    account_name: 'Canary Person',
    narration: 'canary-narration',
    phone: '08031234567',
  },
  customer: { email: 'canary@person.example', name: 'Canary Person' },
};

let db: TestDatabase;
let serve: Serve | undefined;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(async () => {
  await serve?.stop();
  db.remove();
});

test('no secret and nothing personal is in a log, an alert, a notice, a metric or an error', async () => {
  // A channel that repeats what it was sent, address included, and a mail server that quotes the password it refuses.
  const chat = await hostileServer((socket, request) => socket.end(answer(500, request)));
  const { port } = await smtpServer({
    ...{ allowInsecureAuth: true, authOptional: false, disabledCommands: ['STARTTLS'] },
    onAuth: ({ password }, _session, done) => done(new Error(`wrong: ${password}`)),
  });
  const mail = `{host: 127.0.0.1, port: ${port}, security: none, user: ops, password: canary-password, from: a@shop.example, to: [b@shop.example]}`;
  const channels = `webhook: {url: "${chat.url}/canary-hook"}, heartbeat: {url: "${chat.url}/canary-beat"}, mail: ${mail}`;
  const yaml = ['database: tallyhook.db', 'log: {level: debug}', `alerts: {${channels}}`];
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `${yaml.join('\n')}\n`);
  serve = await Serve.start({ cwd: db.folder, database: db.path });
  const payout = (over: object) => ({
    notify: 'payout',
    notifyType: 'successful',
    data: { currency: 'NGN', amount: '10.00', ...PERSON, ...over },
  });
  const contents = [
    payout({ reference: 'PO-1', status: 'success' }),
    payout({ reference: 'PO-1', status: 'success', account_name: 'Canary Other', account_number: '0123456780' }),
    payout({}), // no reference: quarantined
  ];
  for (const content of contents) {
    const body = JSON.stringify(content);
    const headers = { 'content-type': 'application/json', ...signed(Buffer.from(body), TEST_KEYS) };
    expect((await fetch(`${serve.url}/webhooks/test`, { method: 'POST', body, headers })).status).toBe(200);
  }
  for (let request = 0; request < 25; request++) {
    const body = JSON.stringify(contents[0]);
    await fetch(`${serve.url}/webhooks/test`, {
      method: 'POST',
      body,
      headers: { ...signed('another body'), 'user-agent': 'x' },
    });
  }
  await until(() => (serve?.stderr ?? '').includes('events observed'), 'the contents are observed');

  const run = (...args: string[]) => command(args, { cwd: db.folder, env: TEST_KEY_ENV });
  const checked = await run('alerts', 'check', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ opened: expect.any(Number), failed: 2 });
  const shown = [
    checked,
    await run('alerts', 'list', '--json'),
    await run('alerts', 'show', '1'),
    await run('alerts', 'test'),
  ];
  const causes = JSON.parse(shown[1]?.stdout ?? '').items.map(({ cause }: { cause: string }) => cause);
  expect(causes).toEqual(expect.arrayContaining(['quarantined', 'disagreement']));
  const metrics = await (await fetch(`${serve.adminUrl}/metrics`)).text();
  expect(metrics).toContain('tallyhook_alerts_open{cause="quarantined",severity="warning"} 1');
  const refused = await run('alerts', 'check', '--config', 'missing.yaml');
  writeFileSync(
    join(db.folder, 'wrong.yaml'),
    `alerts: {webhook: {url: "ftp://canary-hook/canary-hook"}, mail: ${mail.replace('port', 'prot')}}\n`,
  );
  const wrong = await run('alerts', 'check', '--config', 'wrong.yaml');
  expect(wrong.stderr).toContain('alerts.mail.prot');

  const rows = ['alerts', 'alert_notices', 'job_runs'].map((table) =>
    JSON.stringify(db.database.prepare(`SELECT * FROM ${table}`).all()),
  );
  const told = chat.requests
    .filter((request) => request.startsWith('POST'))
    .map((request) => request.split('\r\n\r\n')[1]);
  expect(told.length).toBeGreaterThan(0);
  const places = {
    ...{ log: serve.stderr, metrics, chat: told.join('\n'), rows: rows.join('\n') },
    commands: [...shown, refused, wrong].map(({ stdout, stderr }) => `${stdout}${stderr}`).join('\n'),
  };
  const found = Object.entries(places).flatMap(([place, text]) =>
    [...SECRETS, ...PERSONAL].filter((canary) => text.includes(canary)).map((canary) => `${place}: ${canary}`),
  );
  expect(found).toEqual([]);
});
