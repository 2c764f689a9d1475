import { dirname } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { startApp } from '../../src/serve/app.ts';
import { systemClock } from '../../src/time/clock.ts';
import { PUBLIC_KEY, SECRET_KEY } from './keys.ts';
import type { RunningSubject } from './running-subject.ts';

/** Variables for a receiver on free ports; all other settings have their defaults. */
export function tallyhookVariables(database: string) {
  return {
    TALLYHOOK_DATABASE: database,
    TALLYHOOK_TEST_PUBLIC_KEY: PUBLIC_KEY,
    TALLYHOOK_TEST_SECRET_KEY: SECRET_KEY,
    TALLYHOOK_PORT: '0',
    TALLYHOOK_ADMIN_PORT: '0',
  };
}

/** Settings that differ from the defaults. */
export interface SubjectSettings {
  readonly baseUrl?: string;
  readonly confirm?: Partial<Config['confirm']>;
  /** The log that it shares with other machines. */
  readonly cluster?: Partial<Config['cluster']>;
  readonly dashboard?: Partial<Config['dashboard']>;
}

/** The production app on a real database file. */
export async function tallyhookSubject(database: string, settings: SubjectSettings = {}): Promise<RunningSubject> {
  const usual = loadConfig({ env: tallyhookVariables(database), cwd: dirname(database) });
  const config = {
    ...{ ...usual, ...settings },
    confirm: { ...usual.confirm, ...settings.confirm },
    cluster: { ...usual.cluster, ...settings.cluster },
    dashboard: { ...usual.dashboard, ...settings.dashboard },
  };
  const app = await startApp(config, {
    clock: systemClock,
    log: pino({ level: 'error' }, process.stderr),
    onFatal(error) {
      console.error(error.message);
      process.exit(1);
    },
  });
  const portOf = (url: string) => Number(new URL(url).port);
  const { receiverUrl, adminUrl, dashboardUrl } = app;
  return { port: portOf(receiverUrl), adminPort: portOf(adminUrl), dashboardUrl, close: () => app.close() };
}
