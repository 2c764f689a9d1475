import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { attemptText } from '../../cli/commands/listen/lines.ts';
import { Secret, signWebhook } from '../../src/receive/index.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { startConsumer } from '../support/consumer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { rawRequest } from '../support/raw-http.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// The real `tallyhook listen`, without a configuration.

// biome-ignore lint/suspicious/noExplicitAny: lines of JSON
type Line = any;

/** Starts it with a temporary folder of its own, where its database and the notes of sandboxes are. */
async function listening(args: readonly string[], env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [LAUNCHER, 'listen', '--port', '0', '--json', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder, XDG_RUNTIME_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const line = async (what: string, of: object = {}): Promise<Line> => {
    const found = () =>
      lines.find((one) => one.what === what && Object.entries(of).every(([name, value]) => one[name] === value));
    await until(() => found() !== undefined || child.exitCode !== null, `${what} ${JSON.stringify(of)}`);
    return found();
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    return (await ended)[0];
  };
  return { folder, lines, line, stop, ready: await line('ready') };
}

test('with nothing at all it starts a sandbox, hands a payment on at once and when it is confirmed, and leaves nothing', async () => {
  const { ready: secretFirst, stop: stopFirst } = await listening([]);
  expect(await stopFirst()).toBe(0);
  const consumer = await startConsumer(() => 204, secretFirst.secret);
  const { folder, lines, line, stop, ready } = await listening([
    '--forward-to',
    consumer.url.replace('http://', ''),
    '--print-body',
  ]);
  expect(ready).toMatchObject({ of: 'own sandbox', forwardTo: consumer.url, secret: secretFirst.secret });
  // The key that the sandbox has at each start; it is printed for a person.
  const { startSandbox } = await import('../../src/sandbox/index.ts');
  await using sandbox = await startSandbox({ seed: 1, port: 0 });
  const payment = {
    reference: 'order-1',
    amount: '20.00',
    currency: 'NGN',
    email: 'ada@example.com',
    status: 'success',
  };
  const answer = await fetch(`${ready.baseUrl}/api/s2s/v1/banktransfer/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.keys.test.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  });
  expect(answer.status).toBe(200);
  expect(await line('webhook')).toMatchObject({
    reference: 'order-1',
    signature: 'verified',
    kept: 'new',
    status: 200,
  });
  expect(await line('news', { moment: 'received' })).toMatchObject({ type: 'transaction.successful', status: 204 });
  expect(await line('news', { moment: 'confirmed' })).toMatchObject({ type: 'collection.success', attempt: 1 });
  expect(consumer.taken.map(({ refusal, news }) => [refusal, news.type])).toEqual([
    [null, 'transaction.successful'],
    [null, 'collection.success'],
  ]);
  const forged = await rawRequest(ready.receiver, { path: '/webhooks/test', headers: [], body: '{}' });
  expect(forged.status).toBe(401);
  expect(await line('refused')).toMatchObject({ status: 401, reason: 'missing_payload_signature' });
  expect(await stop()).toBe(0);
  expect(lines.at(-1)).toEqual({ what: 'stopped', webhooks: 1, refused: 1, accepted: 2, failed: 0 });
  for (const one of lines) expect(undocumentedFields(one, ['listen'])).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('tallyhook-listen-'))).toEqual([]);
});

test('a sandbox that runs already gives its keys, and where its webhooks go is said', async () => {
  const folder = temporaryFolder();
  const env = { TMPDIR: folder, XDG_RUNTIME_DIR: folder };
  const path = process.env.PATH ?? '';
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      cwd: folder,
      env: { PATH: path, ...env },
    });
    let printed = '';
    child.stdout.on('data', (text) => {
      printed += text;
    });
    return { child, printed: () => printed };
  };
  const sandbox = start('sandbox', '--port', '0', '--json');
  await until(() => sandbox.printed().includes('controlToken'), 'the sandbox runs');
  const { url, merchants } = JSON.parse(sandbox.printed());
  const listen = start('listen', '--port', '0', '--forward-to', 'localhost:9');
  await until(() => listen.printed().includes('trigger refund.success'), 'it is ready');
  expect(listen.printed()).toContain(`of the sandbox at ${url}`);
  expect(listen.printed()).toContain(merchants[0].keys.test.secretKey);
  expect(listen.printed()).toMatch(
    new RegExp(
      `sends its webhooks to http://127\\.0\\.0\\.1:4600/webhooks/test\\. To get them here:\n .* sandbox webhook-url http://127\\.0\\.0\\.1:\\d+/webhooks/test --url ${url}`,
    ),
  );
  const body = '{"event":"refund.pending","data":{"refund_reference":"R1","status":"pending"}}';
  const [, port = ''] = /127\.0\.0\.1:(\d+)\/webhooks/.exec(listen.printed()) ?? [];
  const { publicKey, secretKey } = merchants[0].keys.test;
  const headers = Object.entries(signWebhook(Buffer.from(body), { publicKey, secretKey: new Secret(secretKey) }));
  await rawRequest(`http://127.0.0.1:${port}`, { path: '/webhooks/test', headers, body });
  const refused = /refund\.pending R1 {2}→ no answer: nothing listens there \(ECONNREFUSED\), attempt 1/;
  await until(() => refused.test(listen.printed()), 'the attempt is printed');
  for (const { child } of [listen, sandbox]) {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }
});

test('with keys of the environment it starts no sandbox; a target that is down gets the chosen events once it is up', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  const args = ['--forward-to', String(port), '--events', 'refund.*', '--when', 'received', '--database', 'kept.db'];
  const { folder, line, stop, ready } = await listening(args, TEST_KEY_ENV);
  expect(ready).toMatchObject({ of: 'environment', baseUrl: null, forwardTo: `http://localhost:${port}/` });
  const send = (body: string) =>
    rawRequest(ready.receiver, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  await send('{"event":"payout.successful","data":{"reference":"P1","status":"success"}}');
  await send('{"event":"refund.pending","data":{"refund_reference":"R1","status":"pending"}}');
  const failed = await line('news');
  expect(failed).toMatchObject({ reference: 'R1', status: null, outcome: 'unreachable', detail: 'ECONNREFUSED' });
  const { createServer: http } = await import('node:http');
  const late = http((_request, response) => response.writeHead(200).end()).listen(port, 'localhost');
  expect(await line('news', { outcome: 'delivered' })).toMatchObject({ id: failed.id, reference: 'R1' });
  late.close();
  late.closeAllConnections();
  expect(await stop()).toBe(0);
  expect(existsSync(`${folder}/kept.db`)).toBe(true);
});

test.each([
  ['refused', 500, 'the database is down', '500 in 7 ms: the database is down'],
  ['refused', 302, 'a redirect, which is not followed', '302 in 7 ms: a redirect, which is not followed'],
  ['refused', 404, '', '404 in 7 ms'],
  ['delivered', 204, null, '204 in 7 ms'],
  ['unreachable', null, 'ENOTFOUND', 'no answer: no address is known for this name (ENOTFOUND)'],
  ['unreachable', null, 'ERR_SSL_WRONG_VERSION_NUMBER', /^no answer: it does not speak TLS: write http:/],
  ['unreachable', null, 'EHOSTUNREACH', 'no answer: EHOSTUNREACH'],
  ['timeout', null, 'no complete headers within 10000 ms', 'no answer: no complete headers within 10000 ms'],
  ['unsafe', null, 'local leads to 169.254.1.1', 'not sent: local leads to 169.254.1.1'],
])('an attempt that ended %s with %s (%s) says what the application did', (outcome, status, detail, text) => {
  expect(attemptText({ outcome, status, detail, ms: 7 })).toMatch(text);
});

test('what is wrong gets a sentence: the URL, an event, a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const cwd = temporaryFolder();
  const run = (...args: string[]) => command(['listen', ...args], { cwd, env: TEST_KEY_ENV });
  for (const [args, sentence] of [
    [['--forward-to', 'ftp://here'], /--forward-to is "ftp:\/\/here": it must be a URL of http or https/],
    [
      ['--forward-to', '169.254.169.254/x'],
      /--forward-to is .*169\.254\.169\.254 is a link-local, .* never allowed\.\n/,
    ],
    [
      ['--forward-to', '4600'],
      /--forward-to is "4600": there listen itself receives webhooks\.\nGive the address of your/,
    ],
    [['--forward-to', 'http://[::1]:4611/x', '--port', '4611'], /there listen itself receives webhooks/],
    [['--events', 'refund.sucess'], /matches no known event\. Did you mean refund\.success\?/],
    [['--port', String(port)], new RegExp(`127\\.0\\.0\\.1:${port}: the port is in use\\.[^]*--port 0`)],
  ] as const) {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  }
  taken.close();
});
