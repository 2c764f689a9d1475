import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { carriedOut } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallyhook-beside-'));
const database = join(cwd, 'tallyhook.db');
const env = {
  TALLYHOOK_DATABASE: database,
  ...TEST_KEY_ENV,
};
const run = (...args: string[]) => command(args, { cwd, env });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const send = async (count: number, by = command) => {
  const { stdout } = await by(
    [
      'trigger',
      'refund.success',
      '--url',
      `${serve.url}/webhooks/test`,
      '--count',
      String(count),
      '--concurrency',
      '8',
      '--json',
    ],
    { cwd, env },
  );
  return JSON.parse(stdout);
};

let serve: Serve;
beforeAll(async () => {
  serve = await Serve.start({ cwd, database });
});
afterAll(async () => {
  if (!serve.ended) await serve.kill();
  rmSync(cwd, { recursive: true });
});

test('beside a running receiver everything can be read and backed up, and nothing restored', async () => {
  expect(await send(20)).toMatchObject({ answers: { 200: 20 } });
  const [sent, backup] = await Promise.all([send(100, tallyhook), json('backup', 'backup.db')]);
  expect(sent).toMatchObject({ answers: { 200: 100 } });
  expect(backup.events).toBeGreaterThanOrEqual(20);
  await carriedOut(database);
  expect(await json('stats')).toMatchObject({ events: 120, byState: { observed: 120 } });
  expect(await json('events', 'list', '--limit', '1')).toMatchObject({ items: [{ id: 120 }], total: 120 });
  expect(await run('restore', 'backup.db', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in use by another process\.\nStop `tallyhook serve`, then try again\.\n$/),
  });

  // Restored after the receiver stopped, the database holds what the backup held, and the receiver starts on it.
  const listed = ['events', 'export'] as const;
  const wanted = await command(listed, { cwd, env: { ...env, TALLYHOOK_DATABASE: join(cwd, 'backup.db') } });
  expect(await serve.stop()).toBe(0);
  expect(await run('restore', 'backup.db', '--yes')).toMatchObject({ code: 0 });
  serve = await Serve.start({ cwd, database });
  expect(await send(1)).toMatchObject({ answers: { 200: 1 } });
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).bodyDigest);
  await carriedOut(database);
  expect(await json('stats')).toMatchObject({ events: lines(wanted.stdout).length + 1 });
  const restored = await run(...listed);
  expect(lines(restored.stdout).slice(0, -1)).toEqual(lines(wanted.stdout));
  expect(await serve.stop()).toBe(0);
});
