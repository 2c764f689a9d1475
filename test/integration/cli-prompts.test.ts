import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../support/folder.ts';
import { KEYS, OnTerminal } from '../support/on-terminal.ts';
import { startService } from '../support/service.ts';

// What prompts show and return on a real terminal.

const ON_TERMINAL = { tags: ['script'] };
const PUBLIC_KEY = 'pk_test_0123456789';
const SECRET_KEY = 'sk_test_CANARYcanary1234';
const CARD = '4000000000000002';

let cwd: string;
let terminal: OnTerminal;
beforeEach(() => {
  cwd = temporaryFolder();
});
afterEach(() => terminal.kill());

test('init takes typed keys, shows no secret, and leaves stdout to the result', ON_TERMINAL, async () => {
  terminal = new OnTerminal(['init', '--json'], { cwd });
  await terminal.typeAt('test public key', `${PUBLIC_KEY}\r`);
  await terminal.typeAt('test secret key', `${SECRET_KEY}\r`);
  await terminal.typeAt('live public key', '\r');
  const { code, stdout } = await terminal.ended();
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ keyIds: ['test-1'] });
  expect(terminal.shown).toContain(PUBLIC_KEY);
  expect(terminal.shown).not.toMatch(/CAN|sk_/);
  expect(terminal.shown).not.toContain('live secret key');
  expect(loadConfig({ env: {}, cwd }).keyPairs[0]?.secretKey.reveal()).toBe(SECRET_KEY);
});

test.each(Object.entries(KEYS))(
  '%s at a prompt of init stops it, and nothing is written',
  ON_TERMINAL,
  async (_, key) => {
    terminal = new OnTerminal(['init'], { cwd });
    await terminal.typeAt('test public key', `${PUBLIC_KEY}\r`);
    await terminal.typeAt('test secret key', `sk_${key}`);
    expect(await terminal.ended()).toEqual({ code: 1, stdout: '' });
    expect(terminal.shown).toContain('tallyhook: Stopped; nothing was written.\r\n');
    expect(readdirSync(cwd)).toEqual(['stdout.txt']);
  },
);

test('a wrong key is asked for again, five times at most', ON_TERMINAL, async () => {
  terminal = new OnTerminal(['init'], { cwd });
  await terminal.typeAt('test public key', 'sk_test_0123456789\r');
  for (let attempt = 2; attempt <= 5; attempt++) {
    await terminal.shows('Try'); // the terminal's width may part the words
    await terminal.typeAt('test public key', 'pk_live_0123456789\r');
  }
  expect(await terminal.ended()).toEqual({ code: 2, stdout: '' });
  const shown = terminal.shown.replace(/\s+/g, ' ');
  expect(shown).toContain('is a secret key where the public key belongs: are the two swapped. Try again.');
  expect(shown).toContain('tallyhook: No usable test public key after 5 attempts.');
  expect(readdirSync(cwd)).toEqual(['stdout.txt']);
});

test('card details are typed without being shown, and sent once all are there', ON_TERMINAL, async () => {
  const { sandbox } = await startService();
  const env = {
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_DATABASE: join(cwd, 'events.db'),
    TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
  };
  const amount = ['--amount', '20', '--currency', 'USD', '--email', 'ada@example.com'];
  const args = ['collections', 'start', 'card', ...amount, '--reference', 'order-of-typed-card-1', '--yes'];
  terminal = new OnTerminal(args, { cwd, env });
  await terminal.typeAt('Card number', CARD);
  await terminal.typeAt('▪', KEYS['Ctrl-C']);
  expect(await terminal.ended()).toEqual({ code: 1, stdout: '' });
  expect(terminal.shown).toContain('tallyhook: Stopped; nothing was sent.\r\n');
  expect(sandbox.collections()).toEqual([]);

  const stopped = terminal.shown;
  terminal = new OnTerminal(args, { cwd, env });
  await terminal.typeAt('Card number', `${CARD}\r`);
  await terminal.typeAt('Expiry month', '12\r');
  await terminal.typeAt('Expiry year', '30\r');
  await terminal.typeAt('Security code', '123\r');
  expect(await terminal.ended()).toMatchObject({ code: 0, stdout: expect.stringContaining('order-of-typed-card-1') });
  expect(stopped + terminal.shown).not.toMatch(/4000|0002|│ {2}[13]/);
  expect(sandbox.collections()).toMatchObject([{ reference: 'order-of-typed-card-1' }]);
  expect(readFileSync(join(cwd, 'events.db'), 'latin1')).not.toContain(CARD);
});

test('in live the payload is typed without being shown, and an empty one sends nothing', ON_TERMINAL, async () => {
  const { sandbox } = await startService();
  const env = {
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_DATABASE: join(cwd, 'events.db'),
    TALLYHOOK_LIVE_PUBLIC_KEY: sandbox.keys.live.publicKey,
    TALLYHOOK_LIVE_SECRET_KEY: sandbox.keys.live.secretKey,
  };
  const amount = ['--amount', '20', '--currency', 'USD', '--email', 'ada@example.com'];
  const args = [
    'collections',
    'start',
    'card',
    ...amount,
    '--reference',
    'order-of-no-payload-1',
    '--environment',
    'live',
    '--yes',
  ];
  terminal = new OnTerminal(args, { cwd, env });
  await terminal.typeAt('Encrypted card payload', '\r');
  expect(await terminal.ended()).toEqual({ code: 2, stdout: '' });
  expect(terminal.shown).toContain('tallyhook: The encrypted card payload is empty.\r\n');
  expect(sandbox.collections()).toEqual([]);
});
