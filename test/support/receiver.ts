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
import type { Kept } from '../../src/store/inbox.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { temporaryFolder } from './folder.ts';
import { type Answer, rawRequest } from './raw-http.ts';
import { readerOf, watchCarryOut } from './reader.ts';
import { type Keys, LIVE_KEYS, signed, TEST_KEYS } from './signer.ts';
import { until } from './wait.ts';

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
  /** Signs and sends one body; one that was answered 200 is carried out when this resolves. */
  post(path: string, body: string | Uint8Array, keys?: Keys): Promise<Answer>;
  /** As `post`; returns what the delivery became. Rejects when it was not answered 200. */
  deliver(path: string, body: string | Uint8Array, keys?: Keys): Promise<Kept>;
  rows<Row>(sql: string): Row[];
  /** As `rows`, with every integer as a bigint, for amounts. */
  exactRows<Row>(sql: string): Row[];
  /** Waits until everything acknowledged has been carried out. */
  carriedOut(): Promise<void>;
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
  const carried: Kept[] = [];
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
    {
      clock: setup.clock ?? systemClock,
      log: pino({ level: 'silent' }),
      onFatal: (error) => fatal.push(error),
      watcher: { kept: (_delivery, kept) => carried.push(kept), refused() {}, forwarded() {} },
    },
  );
  let watched: ReturnType<typeof watchCarryOut> | undefined;
  const carriedOut = () => {
    watched ??= watchCarryOut(database);
    return watched.carriedOut();
  };
  const post: TestReceiver['post'] = async (path, body, keys = TEST_KEYS) => {
    const answer = await rawRequest(app.receiverUrl, { path, headers: Object.entries(signed(body, keys)), body });
    if (answer.status === 200) await carriedOut();
    return answer;
  };
  const reader = readerOf(database);
  return {
    app,
    url: app.receiverUrl,
    folder,
    database,
    fatal,
    post,
    async deliver(path, body, keys) {
      const before = carried.length;
      const { status } = await post(path, body, keys);
      if (status !== 200) throw new Error(`The delivery was answered ${status}.`);
      await until(() => carried.length > before, 'it is known what the delivery became');
      return carried.at(-1) as Kept;
    },
    rows: <Row>(sql: string) => reader.prepare(sql).all() as Row[],
    exactRows: <Row>(sql: string) => reader.prepare(sql).safeIntegers().all() as Row[],
    carriedOut,
    async stop() {
      watched?.[Symbol.dispose]();
      reader.close();
      await app.close();
    },
  };
}
