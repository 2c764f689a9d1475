import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = temporaryFolder();
const env = { XDG_RUNTIME_DIR: cwd };

it('keeps the webhook URLs of its state file unless the options name others', async () => {
  const state = join(cwd, 'kept.json');
  const urlsAfter = async (...options: string[]) => {
    const ended = spawn(
      process.execPath,
      [LAUNCHER, 'sandbox', '--port', '0', '--json', '--state', state, ...options],
      {
        cwd,
        env: { PATH: process.env.PATH ?? '', ...env },
      },
    );
    let text = '';
    const { url, controlToken, merchants } = await new Promise<{
      url: string;
      controlToken: string;
      merchants: { webhookUrls: Record<string, string | null> }[];
    }>((resolve) => {
      ended.stdout.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('}\n')) resolve(JSON.parse(text));
      });
    });
    await fetch(`${url}/sandbox/webhook-url`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${controlToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/mine' }),
    });
    ended.kill('SIGTERM');
    await new Promise((resolve) => ended.on('exit', resolve));
    return merchants[0]?.webhookUrls;
  };
  const live = 'http://127.0.0.1:4600/webhooks/live';
  expect(await urlsAfter()).toEqual({ test: 'http://127.0.0.1:4600/webhooks/test', live });
  expect(await urlsAfter()).toEqual({ test: 'http://127.0.0.1:9/mine', live });
  for (const [option, test] of someOf(1, [
    ['http://127.0.0.1:9/other', 'http://127.0.0.1:9/other'],
    ['none', null],
  ] as const))
    expect(await urlsAfter('--webhook-url', option)).toEqual({ test, live });
});

it('refuses a state file that another sandbox keeps, and takes over what a killed one left', async () => {
  const state = join(cwd, 'shared.json');
  const args = ['sandbox', '--port', '0', '--json', '--state', state];
  const start = async () => {
    const started = spawn(process.execPath, [LAUNCHER, ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    let text = '';
    await new Promise<void>((resolve, reject) => {
      started.on('error', reject);
      started.stdout.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('}\n')) resolve();
      });
    });
    return started;
  };
  const first = await start();
  const refused = await tallyhook(args, { cwd, env });
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(JSON.parse(refused.stderr)).toMatchObject({
    error: {
      message: expect.stringMatching(/shared\.json is in use by another sandbox \(process \d+\)\.$/),
      hint: expect.stringMatching(/^Stop that one, or/),
    },
  });
  const owner = Number(readFileSync(`${state}.lock`, 'utf8'));
  process.kill(owner, 'SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(owner, 0)).toThrow());
  first.kill('SIGKILL');
  const second = await start();
  const ended = new Promise((resolve) => second.on('exit', resolve));
  second.kill('SIGTERM');
  await ended;
  expect(existsSync(`${state}.lock`)).toBe(false);
  const { seed } = JSON.parse(readFileSync(state, 'utf8')).state;
  const other = await tallyhook([...args, '--seed', String(seed - 1)], { cwd, env });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(`seed ${seed}, not ${seed - 1}.`)]);
});
