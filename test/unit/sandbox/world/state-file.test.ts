import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { JOBS } from '../../../../src/sandbox/business/jobs.ts';
import { WebhookQueue } from '../../../../src/sandbox/webhooks/queue.ts';
import { settingsSchema } from '../../../../src/sandbox/world/settings.ts';
import { keepState } from '../../../../src/sandbox/world/state-file.ts';
import { World } from '../../../../src/sandbox/world/world.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('reports a series of failed writes once, and writes again when it can', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = mkdtempSync(join(tmpdir(), 'state-file-'));
  const file = join(folder, 'state.json');
  const world = new World({
    seed: 1,
    settings: settingsSchema.parse({}),
    clock: { mode: 'manual', speed: 1 },
    jobs: JOBS,
    webhooks: (one) => new WebhookQueue(one),
  });
  const reported: string[] = [];
  const stop = await keepState(world, { file, seed: undefined }, (error) => reported.push(error.message));
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) {
      world.changes++;
      vi.advanceTimersByTime(1_000);
    }
    // the writes run one after the other: this one ends last
    await stop().catch(() => {});
  };

  rmSync(folder, { recursive: true });
  await seconds(3);
  expect(reported).toEqual([
    expect.stringContaining(`Cannot write the sandbox state ${file}: its folder does not exist`),
  ]);

  mkdirSync(folder);
  world.stamp();
  await stop();
  expect(JSON.parse(readFileSync(file, 'utf8')).state.lastStampMicros).toBe(world.state.lastStampMicros);
  expect(existsSync(`${file}.tmp`)).toBe(false);
  world.close();
});
