import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { sweepTheDay } from '../../cli/commands/demo/confirm.ts';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { importStatement } from '../../src/reconcile/import/import.ts';
import { readProfile } from '../../src/reconcile/profile/load.ts';
import { type Reconciliation, reconcile } from '../../src/reconcile/reconcile.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import type { Sandbox, StatementFile } from '../../src/sandbox/index.ts';
import { startApp } from '../../src/serve/app.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { logFileOf } from '../../src/store/sqlite/log/log-file.ts';
import { systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';

/** A receiver that had the webhooks of a sandbox's days and swept; each reconciliation begins with a copy of its database and log. */
export class ReceivedMonth {
  private readonly folder: string;
  private readonly config: Config;
  private copies = 0;

  private constructor(folder: string, config: Config) {
    this.folder = folder;
    this.config = config;
  }

  /** Plays the days of a sandbox that has just begun, with the real server as its receiver. */
  static async of(sandbox: Sandbox, play: (sandbox: Sandbox) => Promise<void>, folder: string) {
    const config = configOf(sandbox, folder);
    const onFatal = (error: Error) => {
      throw error;
    };
    const app = await startApp(config, { clock: systemClock, log: pino({ level: 'silent' }), onFatal });
    sandbox.setWebhookUrl(`${app.receiverUrl}/webhooks/test`);
    await play(sandbox);
    const archive = await storeOf(config).archive();
    const signal = new AbortController().signal;
    while ((await archive.stats()).waiting > 0) await sleep(10, signal);
    await archive.close();
    await sweepTheDay(config);
    await app.close();
    return new ReceivedMonth(folder, config);
  }

  /** Imports files, each by its own profile, and reconciles the days. Also returns the number of each file's statement. */
  async reconcile(
    files: readonly StatementFile[],
    days: { readonly from: string; readonly to: string },
  ): Promise<{ result: Reconciliation; statements: Map<StatementFile, number> }> {
    const path = join(this.folder, `copy-${this.copies++}.db`);
    copyFileSync(this.config.database, path);
    copyFileSync(logFileOf(this.config.database), logFileOf(path));
    const config = { ...this.config, database: path };
    const operations = await storeOf(config).operations();
    const statements = new Map<StatementFile, number>();
    for (const file of files) {
      const name = `${path}-${file.account}`;
      writeFileSync(name, Buffer.from(file.content, 'base64'));
      const order = { path: name, profile: readProfile(stringify(file.profile), `${name}.yaml`) };
      const parts = { signal: new AbortController().signal };
      const imported = await importStatement(order, operations.statements, parts);
      if (imported.outcome !== 'imported') throw new Error(`${name}: ${imported.outcome}`);
      statements.set(file, imported.statement ?? 0);
    }
    await operations.close();
    const archive = await storeOf(config).archive();
    const result = await reconcile(archive, {
      ...{ ...days, kinds: RECORD_KINDS, asAtMs: systemClock.nowMs(), environment: 'test', withoutEndpoint: [] },
      dayRule: { zone: 'UTC', cutOffMinutes: 1_440 },
      rules: await loadRules(),
      begin: null,
    });
    await archive.close();
    return { result, statements };
  }
}

function configOf(sandbox: Sandbox, folder: string): Config {
  const env = {
    TALLYHOOK_TEST_PUBLIC_KEY: sandbox.keys.test.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: sandbox.keys.test.secretKey,
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_DATABASE: join(folder, 'received.db'),
    TALLYHOOK_PORT: '0',
    TALLYHOOK_ADMIN_PORT: '0',
  };
  const config = loadConfig({ env, cwd: folder });
  return {
    ...config,
    confirm: { ...config.confirm, debounceSeconds: 0 },
    schedule: unscheduled(config.schedule),
  };
}
