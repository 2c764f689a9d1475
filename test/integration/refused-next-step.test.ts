import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { LIVE_KEYS, signed, TEST_KEY_ENV, TEST_KEYS } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// What `status` and the log of `serve` advise about each reason for which genuine deliveries may be refused: three in a row, with
// signatures of the right form, to a receiver that has kept nothing yet.

const BODY_LIMIT = 2_000;
const LARGE = `{"event":"refund.success","data":"${'x'.repeat(BODY_LIMIT)}"}`;
const SMALL = '{"event":"refund.success"}';
const cwd = temporaryFolder();
const database = `${cwd}/tallyhook.db`;
const run = (...args: string[]) => command(args, { cwd, env: { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV } });

let serve: Serve;
beforeAll(async () => {
  writeFileSync(`${cwd}/tallyhook.yaml`, `receiver: {bodyLimitBytes: ${BODY_LIMIT}}`);
  serve = await Serve.start({ cwd, database });
});
afterAll(() => serve.kill());

type Looked = { refused: { count: number } };
const look = async () => JSON.parse((await run('status', '--json')).stdout) as Looked;

/** The log line of the first refusal for this reason. */
const logged = (reason: string) =>
  serve.stderr
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find((line) => line.reason === reason);

test.each([
  {
    ...{ status: 413, reason: 'body_too_large', environment: 'test', keys: TEST_KEYS, body: LARGE, more: [] },
    ...{ text: /larger than receiver\.bodyLimitBytes/, next: /Raise receiver\.bodyLimitBytes, then restart serve/ },
    hint: /receiver\.bodyLimitBytes/,
  },
  {
    ...{ status: 415, reason: 'content_encoding', environment: 'test', keys: TEST_KEYS, body: SMALL },
    more: [['Content-Encoding', 'gzip']] as const,
    ...{ text: /a proxy compresses them/, next: /Switch off the compression of request bodies in the proxy/ },
    hint: /compresses request bodies: turn that off/,
  },
  {
    ...{ status: 401, reason: 'no_keys', environment: 'live', keys: LIVE_KEYS, body: SMALL, more: [] },
    ...{ text: /there is no key for them/, next: /Put the key pair under keys\.live .*reload serve \(SIGHUP\)/ },
    hint: /No key pair is configured for this path/,
  },
])('$status $reason has its next step', async ({ status, reason, environment, keys, body, more, text, next, hint }) => {
  const before = (await look()).refused.count;
  const headers = [...Object.entries(signed(body, keys)), ...more];
  for (let n = 0; n < 3; n++) {
    const answer = await rawRequest(serve.url, { path: `/webhooks/${environment}`, headers, body });
    expect(answer.status).toBe(status);
  }
  await until(async () => (await look()).refused.count === before + 3, 'they are counted');
  const { code, stdout } = await run('status');
  expect(code).toBe(3);
  const [, problem = '', advice = ''] = new RegExp(`^- (${environment}: .*)\n {2}→ (.*)$`, 'm').exec(stdout) ?? [];
  expect([problem, advice]).toEqual([expect.stringMatching(text), expect.stringMatching(next)]);
  expect(logged(reason)?.hint).toMatch(hint);
});

test('what is no HTTP is counted and shown, and changes no judgement: anyone who finds the port sends such bytes', async () => {
  const before = await run('status', '--json').then(({ stdout }) => JSON.parse(stdout));
  const sent = ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'SSH-2.0-scanner\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n'];
  for (const bytes of [...sent, ...sent]) {
    const connection = await RawConnection.open(serve.url);
    expect((await connection.sendBytes(Buffer.from(bytes, 'latin1'))).status).toBe(400);
    await connection.closed;
  }
  const count = before.refused.count + 2 * sent.length;
  await until(async () => (await look()).refused.count === count, 'they are counted');
  const after = await run('status', '--json').then(({ stdout }) => JSON.parse(stdout));
  expect(after.refused.runs).toEqual(before.refused.runs);
  expect(after.problems).toEqual(before.problems);
  expect(logged('not_http')?.hint).toMatch(/https:\/\/ without a proxy that ends TLS/);
});

test('a delivery that is no HTTP any more, and whose signatures can be read, is judged as its siblings are', async () => {
  const lines = ['POST /webhooks/test HTTP/9.9', ...Object.entries(signed(SMALL)).map((pair) => pair.join(': '))];
  const { refused } = await look();
  for (let n = 0; n < 3; n++) {
    const connection = await RawConnection.open(serve.url);
    const answer = await connection.sendBytes(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
    expect(answer.status).toBe(400);
  }
  await until(async () => (await look()).refused.count === refused.count + 3, 'they are counted');
  const { stdout } = await run('status', '--environment', 'test');
  expect(stdout).toMatch(/^- test: .*: they are not HTTP\n {2}→ .*https:\/\/ without a proxy that ends TLS/m);
});
