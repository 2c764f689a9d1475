import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../src/config/load.ts';
import type { KeyPair } from '../../src/domain/environment.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { startApp } from '../../src/serve/app.ts';
import type { App } from '../../src/serve/app-parts.ts';
import type { StoreError } from '../../src/store/error.ts';
import { defineRowSum } from '../../src/store/sqlite/engine/row-sums.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { type Answer, rawRequest } from './raw-http.ts';
import { parentFolder } from './run-folder.ts';
import { type Keys, LIVE_KEYS, signed, TEST_KEYS } from './signer.ts';

export interface ReceiverSetup {
  /** The folder of an earlier receiver, to reuse its database. */
  readonly folder?: string;
  readonly keyPairs?: readonly KeyPair[];
  readonly clock?: Clock;
  readonly limits?: Partial<Config['receiver']>;
  readonly encryption?: Config['service']['encryption'];
  /** The address of the service. */
  readonly baseUrl?: string;
  readonly service?: Partial<Config['service']>;
  readonly callback?: Partial<Config['callback']>;
  readonly admin?: { readonly token: string };
}

export interface TestReceiver {
  readonly app: App;
  readonly url: string;
  readonly folder: string;
  readonly database: string;
  /** Errors given to `onFatal`. */
  readonly fatal: StoreError[];
  /** Signs and sends one body. */
  post(path: string, body: string | Uint8Array, keys?: Keys): Promise<Answer>;
  rows<Row>(sql: string): Row[];
  /** As `rows`, with every integer as a bigint, for amounts. */
  exactRows<Row>(sql: string): Row[];
  /** Waits until everything kept has been applied. */
  applied(): Promise<void>;
  stop(): Promise<void>;
}

export function keyPairOf(id: string, { publicKey, secretKey }: Keys, notAfter: string | null = null): KeyPair {
  const environment = publicKey.startsWith('pk_live_') ? 'live' : 'test';
  return { id, environment, publicKey, secretKey: new Secret(secretKey), notAfter };
}

/** Starts the production app on free ports, with its own database file. */
export async function startReceiver(setup: ReceiverSetup = {}): Promise<TestReceiver> {
  const folder = setup.folder ?? temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  if (!existsSync(database)) makeEmptyDatabase(database);
  const ports = { TALLYHOOK_PORT: '0', TALLYHOOK_ADMIN_PORT: '0' };
  const config = loadConfig({ env: { TALLYHOOK_DATABASE: database, ...ports }, cwd: folder });
  const fatal: StoreError[] = [];
  const app = await startApp(
    {
      ...config,
      schedule: unscheduled(config.schedule),
      keyPairs: setup.keyPairs ?? [keyPairOf('test-1', TEST_KEYS), keyPairOf('live-1', LIVE_KEYS)],
      receiver: { ...config.receiver, ...setup.limits },
      baseUrl: setup.baseUrl ?? null,
      service: { ...config.service, encryption: setup.encryption ?? null, ...setup.service },
      callback: { ...config.callback, ...setup.callback },
      admin: setup.admin ? { ...config.admin, token: new Secret(setup.admin.token) } : config.admin,
    },
    { clock: setup.clock ?? systemClock, log: pino({ level: 'silent' }), onFatal: (error) => fatal.push(error) },
  );
  const reader = readerOf(database);
  return {
    app,
    url: app.receiverUrl,
    folder,
    database,
    fatal,
    post: (path, body, keys = TEST_KEYS) =>
      rawRequest(app.receiverUrl, { path, headers: Object.entries(signed(body, keys)), body }),
    rows: <Row>(sql: string) => reader.prepare(sql).all() as Row[],
    exactRows: <Row>(sql: string) => reader.prepare(sql).safeIntegers().all() as Row[],
    applied: () => applied(reader),
    async stop() {
      reader.close();
      await app.close();
    },
  };
}

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the process ends, or the run. `inMemory`: for tests without durability. */
export function temporaryFolder({ inMemory = false } = {}): string {
  const folder = mkdtempSync(join(parentFolder(inMemory), 'tallyhook-'));
  folders.push(folder);
  return folder;
}

/** A separate read-only connection. */
export function readerOf(path: string): Database {
  const database = new SQLite(path, { readonly: true, fileMustExist: true });
  defineRowSum(database); // for integrity_check
  return database;
}

const UNAPPLIED = `
  SELECT (SELECT coalesce(max(id), 0) FROM events) + (SELECT coalesce(max(id), 0) FROM variants)
       - (SELECT sum(last_id) FROM apply_progress)`;

/** Waits until everything kept has been applied. */
export async function applied(reader: Database): Promise<void> {
  const unapplied = reader.prepare<[], number>(UNAPPLIED).pluck();
  await until(() => unapplied.get() === 0, 'everything is applied');
}

/** The most that one poll counts towards the timeout: a machine that was paused did not wait. */
const LONGEST_POLL_MS = 250;

/** Polls until `holds` returns true; throws after `timeoutMs`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, timeoutMs = 20_000): Promise<void> {
  let waitedMs = 0;
  while (!(await holds())) {
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    const polledAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    waitedMs += Math.min(LONGEST_POLL_MS, performance.now() - polledAt);
  }
}
