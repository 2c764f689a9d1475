import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { ROLES, type Role } from '../../src/domain/access/roles.ts';
import { sessionDigest } from '../../src/domain/access/session.ts';
import { sha256 } from '../../src/domain/events/json.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/time/clock.ts';
import { openDashboard } from '../../src/web/dashboard/open.ts';
import type { AnyRoute } from '../../src/web/dashboard/route.ts';
import { formToken } from '../../src/web/dashboard/session.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { FixedClock } from './fixed-clock.ts';
import { temporaryFolder } from './folder.ts';
import { programModule } from './program.ts';

/** What the process of an `aside` route runs, as `serve` has it. */
export const DASHBOARD_PROCESS = programModule('src/serve/dashboard-process');

export interface DashboardSetup {
  /** The folder of a database that is there. */
  readonly folder?: string;
  readonly clock?: Clock;
  readonly settings?: Partial<Config['dashboard']>;
  readonly config?: Partial<Config>;
  readonly routes?: readonly AnyRoute[];
  /** Routes that are `aside` are computed by the real process; missing: one answers at once that it leads to Today. */
  readonly worksAside?: boolean;
  /** Another file for that process. */
  readonly workFile?: URL;
  /** False: no user was added yet. */
  readonly hasUsers?: boolean;
}

export interface Asked {
  /** The id of a session; null: no cookie. Missing: the one of Ada, who may do everything. */
  readonly session?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>> | URLSearchParams | FormData | null;
  readonly method?: string;
}

export interface TestDashboard {
  readonly url: string;
  readonly folder: string;
  readonly config: Config;
  /** A session of a person with this role alone. */
  readonly sessionOf: (role: Role) => string;
  /** Asks as a browser does; follows no redirect. A form gets the token of its session, and comes from a page of ours. */
  readonly ask: (path: string, asked?: Asked) => Promise<Response>;
  readonly faults: readonly string[];
  readonly stop: () => Promise<void>;
}

export const ADA = 'session-of-Ada';
const LENGTHS = { idleMs: HOUR_MS, absoluteMs: 12 * HOUR_MS };

/** The production dashboard over a real database file, with a user for each role and a session each. */
export async function startTestDashboard(setup: DashboardSetup = {}): Promise<TestDashboard> {
  const folder = setup.folder ?? temporaryFolder();
  const database = join(folder, 'tallyhook.db');
  if (!existsSync(database)) makeEmptyDatabase(database);
  const clock = setup.clock ?? new FixedClock();
  const base = loadConfig({ env: { TALLYHOOK_DATABASE: database }, cwd: folder });
  const dashboard = {
    enabled: true,
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    trustProxy: false as const,
    uploadLimitBytes: 65_536,
  };
  const config = { ...base, ...setup.config, dashboard: { ...dashboard, ...setup.settings } } as Config;
  const store = storeOf(config, { clock });
  const operations = await store.operations();
  if (setup.hasUsers !== false) await addUsers(operations, clock);
  const faults: string[] = [];
  const opened = await openDashboard({
    ...{
      config,
      store,
      channel: { operations, as: (credential) => operations.as(credential) },
      clock,
      serve: () => null,
    },
    onFault: (error, doing) => faults.push(`${doing}: ${error instanceof Error ? error.message : error}`),
    ...(setup.routes !== undefined && { routes: setup.routes }),
    workFile:
      setup.workFile ?? (setup.worksAside ? DASHBOARD_PROCESS : new URL('./dashboard-work.ts', import.meta.url)),
  });
  const sockets = new Set<Socket>();
  opened.app.server.on('connection', (socket: Socket) => void sockets.add(socket));
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...{ url, folder, config, faults, sessionOf: (role) => `session-of-${role}` },
    ask(path, { session = ADA, headers = {}, form, method }: Asked = {}) {
      const isForm = form !== undefined;
      const own = {
        ...(session !== null && { cookie: `__Host-tallyhook=${session}` }),
        ...(isForm && { 'sec-fetch-site': 'same-origin', origin: url }),
        ...headers,
      };
      const body =
        form === undefined || form === null ? null : form instanceof FormData ? form : new URLSearchParams(form);
      if (body !== null && session !== null && !body.has('token')) body.append('token', formToken(session));
      return fetch(url + path, { method: method ?? (isForm ? 'POST' : 'GET'), headers: own, body, redirect: 'manual' });
    },
    async stop() {
      // fetch may have opened a connection without using it, which would hold the server until its head is overdue.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      await opened.close();
      await operations.close();
    },
  };
}

type Operations = Awaited<ReturnType<ReturnType<typeof storeOf>['operations']>>;

async function addUsers(operations: Operations, clock: Clock): Promise<void> {
  const token = (name: string) => ({ digest: sha256(`token ${name}`), endsAtMs: clock.nowMs() + DAY_MS });
  await operations.users.add({ name: 'Ada', by: 'root', roles: ROLES, token: token('Ada') });
  const ada = operations.as({ kind: 'token', digest: token('Ada').digest });
  for (const role of ROLES) await ada.users.add({ name: role, by: 'Ada', roles: [role], token: token(role) });
  for (const name of ['Ada', ...ROLES]) {
    const result = await operations.access.login({
      ...{
        name,
        proof: { way: 'oidc', subject: `issuer ${name}` },
        former: null,
        attempt: { account: name, address: 'here' },
      },
      session: { digest: sessionDigest(`session-of-${name}`), lengths: LENGTHS, address: null, agent: null },
    });
    if (result.outcome !== 'done') throw new Error(`No session of ${name}: ${result.reason}`);
  }
}

export const IDLE_MS = LENGTHS.idleMs + MINUTE_MS;
