import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { dashboard } from '../../../src/config/sections/dashboard.ts';
import { ROLES, type Role } from '../../../src/domain/access/roles.ts';
import { sessionDigest, sessionId } from '../../../src/domain/access/session.ts';
import { tokenDigest, tokenText } from '../../../src/domain/access/token.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { openDashboard } from '../../../src/web/dashboard/open.ts';
import type { AnyRoute } from '../../../src/web/dashboard/route.ts';
import { formToken } from '../../../src/web/dashboard/session.ts';
import { programModule } from '../program.ts';

const HOUR_MS = 3_600_000;

/** A person with a session in a browser. */
export interface LoggedIn {
  readonly name: string;
  readonly roles: readonly Role[];
  /** The value of its cookie. */
  readonly session: string;
  /** What its forms carry. */
  readonly token: string;
  /** What its commands carry, in TALLYHOOK_TOKEN. */
  readonly commandToken: string;
}

export interface OpenedDashboard {
  readonly url: string;
  readonly config: Config;
  readonly operations: OpenOperations;
  readonly faults: string[];
  /** A session of a user of this name, who is added when there is none, in a browser that calls itself `agent`. */
  readonly logIn: (name: string, roles: readonly Role[], agent?: string) => Promise<LoggedIn>;
  readonly close: () => Promise<void>;
}

export const COOKIE = '__Host-tallyhook';

/** The real dashboard over the database of a folder, on a free port of this machine. */
export async function openedDashboard(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
  routes?: readonly AnyRoute[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<OpenedDashboard> {
  mkdirSync(folder, { recursive: true });
  const environment = { TALLYHOOK_DATABASE: join(folder, 'tallyhook.db'), ...variables };
  const loaded = loadConfig({ env: environment, cwd: folder });
  const config: Config = { ...loaded, dashboard: dashboard.parse({ port: 0, ...settings }) };
  const store = storeOf(config, { clock: systemClock });
  const operations = await store.operations({ create: true });
  const faults: string[] = [];
  const opened = await openDashboard({
    ...{ config, store, clock: systemClock, serve: () => null, ...(routes !== undefined && { routes }) },
    channel: { operations, as: operations.as },
    workFile: programModule('src/serve/dashboard-process'),
    onFault: (error, doing) => faults.push(`${doing}: ${error instanceof Error ? error.stack : error}`),
  });
  const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
  const people = new People(operations);
  return {
    ...{ url, config, operations, faults },
    logIn: (name, roles, agent) => people.logIn(name, roles, agent),
    async close() {
      await opened.close();
      await operations.close();
    },
  };
}

/** Who adds the others. */
const ADMIN = 'Root';

/** Users and sessions, made by the store's own operations. */
class People {
  readonly #operations: OpenOperations;
  /** The token of each user that was added. */
  readonly #tokens = new Map<string, string>();

  constructor(operations: OpenOperations) {
    this.#operations = operations;
  }

  async logIn(name: string, roles: readonly Role[], agent = 'a test'): Promise<LoggedIn> {
    const admin = this.#tokens.get(ADMIN) ?? (await this.#add(ADMIN, ROLES, null));
    const commandToken = this.#tokens.get(name) ?? (await this.#add(name, roles, admin));
    const session = sessionId(randomBytes(32));
    const result = await this.#operations.access.login({
      ...{ name, proof: { way: 'oidc', subject: `issuer ${name}` }, former: null },
      session: {
        ...{ digest: sessionDigest(session), lengths: { idleMs: HOUR_MS, absoluteMs: 12 * HOUR_MS } },
        ...{ address: '127.0.0.1', agent },
      },
      attempt: { account: name, address: '127.0.0.1' },
    });
    if (result.outcome !== 'done') throw new Error(`${name} cannot log in: ${result.reason}`);
    return { name, roles, session, token: formToken(session), commandToken };
  }

  /** Returns the token of the user; `admin` is that of who adds it. */
  async #add(name: string, roles: readonly Role[], admin: string | null): Promise<string> {
    const text = tokenText(name, randomBytes(32));
    const operations = this.#operations;
    const { users } = admin === null ? operations : operations.as({ kind: 'token', digest: tokenDigest(admin) });
    const token = { digest: tokenDigest(text), endsAtMs: systemClock.nowMs() + HOUR_MS };
    const result = await users.add({ name, roles, by: ADMIN, token });
    if (result.outcome !== 'done') throw new Error(`${name} cannot be added: ${result.message}`);
    this.#tokens.set(name, text);
    return text;
  }
}
