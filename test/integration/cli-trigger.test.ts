import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SAMPLE_EVENT_NAMES } from '../../src/receive/sample/sample.ts';
import { keyRing } from '../../src/receive/signature.ts';
import { command } from '../support/command.ts';
import { testKeyPair } from '../support/key-pairs.ts';
import { KEYS, OnTerminal } from '../support/on-terminal.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallyhook-trigger-'));
const pair = testKeyPair();
const live = testKeyPair('live-1', { environment: 'live' });
const env = {
  TALLYHOOK_TEST_PUBLIC_KEY: pair.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: pair.secretKey.reveal(),
  TALLYHOOK_LIVE_PUBLIC_KEY: live.publicKey,
  TALLYHOOK_LIVE_SECRET_KEY: live.secretKey.reveal(),
};

/** A minimal receiver: verifies, remembers bodies, and responds as the real one. */
let server: Server;
let url: string;
let paths: string[] = [];
const seen = new Set<string>();
const ring = keyRing([pair, live]);
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { ok } = ring.verify(body, request.headers, Date.now());
    const text = body.toString();
    paths.push(request.url ?? '');
    response.statusCode = ok ? 200 : 401;
    response.end(JSON.stringify(ok ? { received: true, duplicate: seen.has(text) } : { error: 'invalid_signature' }));
    seen.add(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
});
beforeEach(() => {
  paths = [];
});
afterAll(() => {
  server.close();
  rmSync(cwd, { recursive: true });
});

const trigger = async (...args: string[]) => {
  const ended = await command(['trigger', ...args, '--json'], { cwd, env });
  return { ...ended, result: ended.stdout === '' ? null : JSON.parse(ended.stdout) };
};

test('--list names every event', async () => {
  const { code, stdout } = await command(['trigger', '--list'], { cwd });
  expect(code).toBe(0);
  for (const event of SAMPLE_EVENT_NAMES) expect(stdout).toContain(event);
});

test('duplicates, variants and disorder arrive and are counted', async () => {
  const args = ['--count', '20', '--duplicates', '2', '--variant', '--disorder', '--concurrency', '8', '--url', url];
  const { code, result } = await trigger('refund.success', ...args);
  expect(code).toBe(0);
  expect(result).toMatchObject({
    event: 'refund.success',
    environment: 'test',
    keyId: 'test-1',
    sent: 80,
    answers: { 200: 80 },
    unexpected: 0,
  });
  expect(result.references).toHaveLength(20);
});

test.each([['--wrong-signature'], ['--mutate-body']])('%s expects 401', async (option) => {
  const { code, result } = await trigger('payout.successful', option, '--count', '5', '--url', url);
  expect({ code, answers: result.answers, unexpected: result.unexpected }).toEqual({
    code: 0,
    answers: { 401: 5 },
    unexpected: 0,
  });
});

test('an unexpected response, and no response, end with 1', async () => {
  const refusedUrl = 'http://127.0.0.1:9/webhooks';
  expect((await trigger('unknown', '--url', refusedUrl)).result).toMatchObject({ answers: { none: 1 }, unexpected: 1 });
  const { code, stderr } = await command(['trigger', 'unknown', '--url', refusedUrl], { cwd, env });
  expect(code).toBe(1);
  expect(stderr).toContain('Is the receiver running?');
});

test('the URL comes from the configuration, with the environment as its path', async () => {
  const port = new URL(url).port;
  const variables = { ...env, TALLYHOOK_HOST: '0.0.0.0', TALLYHOOK_PORT: port };
  expect((await command(['trigger', 'refund.pending'], { cwd, env: variables })).code).toBe(0);
  expect((await command(['trigger', 'refund.pending', '--live', '--yes'], { cwd, env: variables })).code).toBe(0);
  expect(paths).toEqual(['/webhooks/test', '/webhooks/live']);
});

test.each([
  ['a live key without --yes', ['refund.pending', '--live'], 2, /--live --yes/],
  ['a live environment without --live', ['refund.pending', '--environment', 'live', '--yes'], 2, /--live --yes/],
  ['no event', [], 2, /Which event\?/],
  ['an amount that is none', ['refund.pending', '--amount', '1,000'], 2, /decimal such as 50\.00/],
  ['a URL that is none', ['refund.pending', '--url', 'localhost:4600'], 2, /must start with http/],
  [
    'an unknown key',
    ['refund.pending', '--old-key', 'old'],
    2,
    /--old-key is .*old.*: there is no[\s\S]*Known: test-1/,
  ],
])('refused, with nothing sent: %s', async (_what, args, expected, message) => {
  const { code, stderr } = await trigger(...args);
  expect(code).toBe(expected);
  expect(stderr).toMatch(message);
  expect(paths).toEqual([]);
});

test('a receiver without the key is named as the cause, with the status', async () => {
  const other = { ...env, TALLYHOOK_TEST_SECRET_KEY: testKeyPair('other').secretKey.reveal() };
  const wrong = { ...other, TALLYHOOK_TEST_SECRET_KEY: `${other.TALLYHOOK_TEST_SECRET_KEY}x` };
  const args = ['trigger', 'refund.success', '--url', `${url}/test`, '--count', '3'];
  const { code, stderr } = await command(args, { cwd, env: wrong });
  expect(code).toBe(1);
  expect(stderr).toContain('3 of 3 refused (401): the receiver does not have key test-1.\n');
  const asJson = await command([...args, '--json'], { cwd, env: wrong });
  expect(JSON.parse(asJson.stdout)).toMatchObject({ unexpected: 3, unexpectedAnswers: { 401: 3 } });
});

test('on a terminal many samples show progress, and Ctrl-C ends them', { tags: ['script'] }, async () => {
  const words = ['trigger', 'refund.success', '--url', `${url}/test`, '--count', '20000'];
  const terminal = new OnTerminal(words, { cwd, env });
  try {
    await terminal.shows('of 20000 sent');
    terminal.press(KEYS['Ctrl-C']);
    const { code, stdout } = await terminal.ended();
    expect(terminal.shown).toContain('SIGINT: no further sample is sent');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^sent {8}\d+ of 20000 in /);
  } finally {
    terminal.kill();
  }
});
