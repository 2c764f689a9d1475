import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig } from '../../src/config/load.ts';
import type { KeyPair } from '../../src/domain/environment.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { unscheduled } from '../../src/jobs/catalogue.ts';
import { startApp } from '../../src/serve/app.ts';
import type { App } from '../../src/serve/app-parts.ts';
import type { StoreError } from '../../src/store/error.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { temporaryFolder } from './folder.ts';
import { type Answer, rawRequest } from './raw-http.ts';
import { applied, readerOf } from './reader.ts';
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
