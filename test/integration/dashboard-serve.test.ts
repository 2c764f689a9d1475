import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { startApp } from '../../src/serve/app.ts';
import { systemClock } from '../../src/time/clock.ts';
import { loaded } from '../../src/web/dashboard/routes.ts';
import { makeEmptyDatabase } from '../support/empty-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { keyPairOf } from '../support/receiver.ts';
import { TEST_KEYS } from '../support/signer.ts';

/** The production app with a dashboard on this port. */
async function serveWithDashboard(port: number, publicUrl: string | null = null) {
  const folder = temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  makeEmptyDatabase(database);
  const env = { TALLYHOOK_DATABASE: database, TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0' };
  const config = loadConfig({ env, cwd: folder });
  const settings = {
    ...{ ...config, schedule: unscheduled(config.schedule), keyPairs: [keyPairOf('test-1', TEST_KEYS)] },
    dashboard: { ...config.dashboard, enabled: true, port, publicUrl },
  };
  return startApp(settings, { clock: systemClock, log: pino({ level: 'silent' }), onFatal() {} });
}

test('a dashboard that cannot be opened fails the start at once, and says which screen cannot be loaded', async () => {
  const broken = { at: ['moon'], load: () => Promise.reject(new SyntaxError('Unexpected token')) };
  await expect(loaded([broken])).rejects.toThrow('The screen at /moon cannot be loaded: Unexpected token');
  // No configuration can say this: the thread ends before it listens.
  await expect(serveWithDashboard(0, 'no address')).rejects.toThrow('The dashboard cannot be opened: Invalid URL');
});

test('serve opens the dashboard in a thread of its own, and ends it; a port that is taken is said', async () => {
  const app = await serveWithDashboard(0);
  try {
    const answer = await fetch(`${app.dashboardUrl}/`);
    expect([answer.status, (await answer.text()).includes('tallyhook users add NAME --role admin')]).toEqual([
      403,
      true,
    ]);
    const taken = Number(new URL(app.dashboardUrl ?? '').port);
    await expect(serveWithDashboard(taken)).rejects.toThrow(
      `The dashboard cannot listen on 127.0.0.1:${taken}: the port is in use.`,
    );
  } finally {
    await app.close();
  }
  await expect(fetch(`${app.dashboardUrl}/`)).rejects.toThrow();
});
