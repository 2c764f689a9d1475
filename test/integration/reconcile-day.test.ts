import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sweepTheDay, trackOrders } from '../../cli/commands/demo/confirm.ts';
import { playTheDay } from '../../cli/commands/demo/day.ts';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startApp } from '../../src/serve/app.ts';
import type { App } from '../../src/serve/app-parts.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A merchant's day at the sandbox, with webhooks that are lost, doubled, altered and late, received by the real server. */

const cwd = temporaryFolder();
let sandbox: Sandbox;
let app: App;
let variables: Record<string, string>;
let config: Config;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 5, clock: 'manual', startAt: new Date('2026-03-02T08:00:00Z') });
  variables = {
    TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_DATABASE: `${cwd}/day.db`,
    TALLYHOOK_PORT: '0',
    TALLYHOOK_ADMIN_PORT: '0',
  };
  const loaded = loadConfig({ env: variables, cwd });
  config = {
    ...loaded,
    confirm: { ...loaded.confirm, debounceSeconds: 0 },
    schedule: unscheduled(loaded.schedule),
  };
  const onFatal = (error: Error) => {
    throw error;
  };
  app = await startApp(config, { clock: systemClock, log: pino({ level: 'silent' }), onFatal });
  sandbox.setWebhookUrl(`${app.receiverUrl}/webhooks/test`);
  await trackOrders(config);
  await playTheDay(sandbox);
  const archive = await storeOf(config).archive();
  await vi.waitUntil(async () => (await archive.stats()).waiting === 0, { timeout: 60_000 });
  await archive.close();
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});

async function march(...words: string[]) {
  const args = ['reconcile', '--from', '2026-03-01', '--to', '2026-03-31', '--json', ...words];
  const { code, stdout, stderr } = await command(args, { cwd, env: variables });
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

test('before the service is asked, the webhooks stand alone; after the sweep only the planted differences are breaks', async () => {
  const before = await march();
  expect(before.notConfirmed.map(({ sub }: { sub: string }) => sub)).toContain('unproven_endpoint');
  await sweepTheDay(config);
  const { code, breaks, notConfirmed, witnesses, transactions } = await march();
  expect(breaks.map(({ code, sub, field }: Record<string, unknown>) => [code, sub, field])).toEqual([
    ['amount_mismatch', null, 'amount'],
    ['status_mismatch', 'tie', 'status'],
    ['status_mismatch', 'variant', 'status'],
    // The refund with the tie failed on the 2nd, and was not tried again.
    ['stuck', null, 'status'],
  ]);
  expect([code, notConfirmed]).toEqual([3, []]);
  expect(breaks[0]).toMatchObject({ kind: 'refund', ours: '5.00', currency: 'USD', effect: '0.00' });
  // The webhook of one payment was never sent: the service alone knows it.
  expect(witnesses).toContainEqual(
    expect.objectContaining({ kind: 'collection', records: 10, agreed: 9, serviceOnly: 1 }),
  );
  expect(transactions.map(({ remaining }: { remaining: string }) => Number(remaining) >= 0)).not.toContain(false);
});
