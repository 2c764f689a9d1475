import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { ACTIVE_ON_TERMINAL, OnTerminal } from '../support/on-terminal.ts';
import { LAUNCHER } from '../support/program.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// What `serve` shows a person at a terminal, and what it writes into a file.

const env = { ...TEST_KEY_ENV, TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0', TALLYHOOK_DATABASE: './tallyhook.db' };
const ON_TERMINAL = { tags: ['script'] };
const refund = (reference: string, data: object = {}) =>
  JSON.stringify({ event: 'refund.success', data: { refund_reference: reference, status: 'success', ...data } });

let cwd: string;
let terminal: OnTerminal | undefined;
let serve: Serve | undefined;
beforeEach(() => {
  cwd = temporaryFolder();
});
afterEach(async () => {
  terminal?.kill();
  await serve?.kill();
  [terminal, serve] = [undefined, undefined];
});

function send(url: string, body: string, headers: Readonly<Record<string, string>> = signed(body)) {
  return rawRequest(url, { path: '/webhooks/test', headers: Object.entries(headers), body });
}

/** The URL of the first sentence. */
async function receiving(shown: OnTerminal): Promise<string> {
  await shown.shows('Ctrl-C stops.');
  return /Receiving on (http:\S+) /.exec(shown.shown)?.[1] ?? '';
}

test('on a terminal: a first sentence, then a line per delivery, and no JSON', ON_TERMINAL, async () => {
  terminal = new OnTerminal(['serve'], { cwd, env });
  const url = await receiving(terminal);
  expect(terminal.shown).toMatch(
    /^Receiving on http:\/\/127\.0\.0\.1:\d+ \(test-1\); waiting for webhooks\. Ctrl-C stops\.\r\n/,
  );
  await send(url, refund('RFD_1'));
  await terminal.shows('200 new       test refund.success RFD_1\r\n');
  await send(url, refund('RFD_1'));
  await terminal.shows('200 duplicate test refund.success RFD_1\r\n');
  const updated = { updated_at: '2026-11-20T09:00:00Z' };
  await send(url, refund('RFD_2', { ...updated, amount: '50.00' }));
  await terminal.shows('200 new       test refund.success RFD_2\r\n');
  await send(url, refund('RFD_2', { ...updated, amount: '51.00' }));
  await terminal.shows('200 variant   test refund.success RFD_2\r\n');
  expect(terminal.shown).toMatch(/\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}200 new/);
  await terminal.typeAt('', '\x03');
  await terminal.shows('stopped');
  expect((await terminal.ended()).code).toBe(0);
  expect(terminal.shown).not.toContain('{"');
});

test(
  'on a terminal a refused delivery has its reason and the next step, by the name of the program as it was called, and sends the terminal nothing',
  ON_TERMINAL,
  async () => {
    const program = LAUNCHER;
    terminal = new OnTerminal(['serve'], { cwd, env: { ...env, _: program, TERM: 'xterm', NO_COLOR: '1' } });
    const url = await receiving(terminal);
    const agent = Buffer.from('evil\u009b31m\u009d0;title').toString('latin1');
    await send(url, '{}', { payloadSignature: '0'.repeat(128), 'User-Agent': `${agent}\u009b2J` });
    await terminal.shows('401 refused   /webhooks/test: payload_signature_mismatch, from 127.0.0.1 (evil');
    await terminal.shows(`${program} verify`);
    await send(url, '{}', { payloadSignature: '0'.repeat(128) });
    const name = 'refund\u001b[2J\u202esuccess\nforged 200 line';
    await send(url, JSON.stringify({ event: name, data: { reference: 'R\u009b1\r\n2026' } }));
    await terminal.shows('200 new       test refund\ufffd[2J\ufffdsuccess\ufffdforged 200 line');
    expect(terminal.shown).not.toMatch(ACTIVE_ON_TERMINAL);
  },
);

test('with --json a terminal gets the JSON lines, too', ON_TERMINAL, async () => {
  terminal = new OnTerminal(['serve', '--json'], { cwd, env });
  await terminal.shows('"msg":"serving"');
  expect(terminal.shown).not.toContain('Receiving on');
});

test('in a pipe: ISO times and names of levels; a delivery has a line at debug only, and control characters are escaped', async () => {
  const start = async (level: string) => {
    const folder = temporaryFolder();
    writeFileSync(`${folder}/tallyhook.yaml`, `log: {level: ${level}}`);
    return Serve.start({ cwd: folder, database: `${folder}/tallyhook.db` });
  };
  serve = await start('debug');
  await send(serve.url, refund('RFD_1'));
  await send(serve.url, '{}', { payloadSignature: '0'.repeat(128), 'User-Agent': 'evil\u009b31m\u009d' });
  await until(() => serve?.logged('delivery refused') !== undefined, 'the refusal is logged');
  await until(() => serve?.logged('delivery kept') !== undefined, 'it is carried out');
  expect(serve.logged('delivery kept')).toMatchObject({
    level: 'debug',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    event: 'refund.success',
    reference: 'RFD_1',
    what: 'new',
  });
  expect(serve.logged('delivery refused')).toMatchObject({ level: 'warn', reason: 'payload_signature_mismatch' });
  expect(serve.stderr).not.toMatch(ACTIVE_ON_TERMINAL);
  await serve.kill();

  serve = await start('info');
  await send(serve.url, refund('RFD_1'));
  await send(serve.url, '{}', { payloadSignature: '0'.repeat(128) });
  await until(() => serve?.logged('delivery refused') !== undefined, 'the refusal is logged');
  expect(serve.logged('delivery kept')).toBeUndefined();
});
