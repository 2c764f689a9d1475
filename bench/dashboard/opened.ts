import { get as ask, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { ROLES } from '../../src/domain/access/roles.ts';
import { sessionDigest } from '../../src/domain/access/session.ts';
import { sha256 } from '../../src/domain/events/json.ts';
import { listPeriods } from '../../src/reconcile/closing/list.ts';
import type { Archive } from '../../src/store/archive.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { DAY_MS, systemClock } from '../../src/time/clock.ts';
import { routes } from '../../src/web/dashboard/routes.ts';
import { tallyhookVariables } from '../ingest/tallyhook.ts';

// A person who looks at every page of a dashboard over filled books.

const SESSION = 'session-of-the-bench';
export const SESSION_COOKIE = { name: '__Host-tallyhook', value: SESSION } as const;
const COOKIE = { cookie: `${SESSION_COOKIE.name}=${SESSION_COOKIE.value}` };

export function configOf(database: string): Config {
  const config = loadConfig({ env: tallyhookVariables(database), cwd: dirname(database) });
  return { ...config, dashboard: { ...config.dashboard, enabled: true, port: 0 } };
}

/** Adds a person with every role, who is logged in; does nothing where the session is there from before. */
export async function logIn(config: Config): Promise<void> {
  const archive = await storeOf(config).archive();
  const known = await archive.session(sessionDigest(SESSION)).finally(() => archive.close());
  if (known !== null) return;
  const operations = await storeOf(config).operations();
  try {
    const token = { digest: sha256('token of the bench'), endsAtMs: systemClock.nowMs() + DAY_MS };
    await operations.users.add({ name: 'Ada', by: 'root', roles: ROLES, token });
    await operations.access.login({
      ...{ name: 'Ada', proof: { way: 'oidc', subject: 'bench' }, former: null },
      attempt: { account: 'Ada', address: 'here' },
      session: {
        ...{ digest: sessionDigest(SESSION), lengths: { idleMs: DAY_MS, absoluteMs: DAY_MS } },
        ...{ address: null, agent: null },
      },
    });
  } finally {
    await operations.close();
  }
}

/** The path of a light page, and an address of it. */
export interface LightPage {
  readonly path: string;
  readonly address: string;
}

/** All light pages, each of the pages of one thing with a thing that is there. */
export async function lightPages(archive: Archive, config: Config): Promise<LightPage[]> {
  const [exception] = (await archive.exceptions({}, { after: null, limit: 1 })).rows;
  const [refund] = await archive.records('refund', {}, { order: 'newest', limit: 1 });
  const [match] = await archive.matches({}, { order: 'newest', limit: 1 });
  const [statement] = await archive.statements({}, { order: 'newest', limit: 1 });
  const [period] = await listPeriods(archive, config.periods.sets, undefined);
  const things: Readonly<Record<string, string | number | undefined>> = {
    '/events/:id': 1,
    '/statements/:id': statement?.statement,
    '/people/:name': 'Ada',
    '/exceptions/:id': exception?.id,
    '/matches/:id': match?.id,
    '/records/:kind/:reference': refund && `refund/${refund.reference}`,
    '/periods/:set/:period': period && `${period.set}/${period.period}`,
    '/reports/:set/:period': period && `${period.set}/${period.period}`,
  };
  return (await routes()).flatMap(({ method, path, act, weight }) => {
    if (method !== 'GET' || weight !== 'light' || act === 'login' || path === '/stream') return [];
    if (path === '/find') return [{ path, address: '/find?q=40.00' }];
    if (!path.includes(':')) return [{ path, address: path }];
    const thing = things[path];
    return thing === undefined ? [] : [{ path, address: `${path.slice(0, path.indexOf('/:'))}/${thing}` }];
  });
}

export interface Seen {
  readonly firstByteMs: number;
  readonly html: string;
}

/** Looks at a page. @throws Error when it is none */
export async function look(url: string): Promise<Seen> {
  const startedMs = performance.now();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    ask(url, { headers: COOKIE }, resolve).on('error', reject);
  });
  const firstByteMs = performance.now() - startedMs;
  const html = Buffer.concat(await answer.toArray()).toString();
  if (answer.statusCode === 200 || answer.statusCode === 303) return { firstByteMs, html };
  throw new Error(`${url} answered ${answer.statusCode}`);
}
