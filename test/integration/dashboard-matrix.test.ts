import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROLES, type Role } from '../../src/domain/access/roles.ts';
import type { AnyRoute } from '../../src/web/dashboard/route.ts';
import { routes, routesAt } from '../../src/web/dashboard/routes.ts';
import { Works } from '../../src/web/dashboard/work.ts';
import { COOKIE, type LoggedIn, type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { temporaryFolder } from '../support/folder.ts';

/*
 * What stands before every screen: each route of the router × each role × each way to ask wrongly. The screens themselves are replaced by a
 * page that says it was reached, so that a cell says nothing but whether the frame lets it through.
 */

const REACHED = 'This screen was reached.';
const BEGUN = 'This screen was begun aside.';

const standIn = (title: string) => async () => ({ title, question: 'Was it reached?', commands: [], blocks: [] });
const standIns = (await routes()).map((route): AnyRoute => ({ ...route, handle: standIn(REACHED) }));
/** Where a route that is `aside` leads to, in the place of its process. */
vi.spyOn(Works.prototype, 'begin').mockImplementation(standIn(BEGUN));

/** Who may, by the words of the acts. Written by hand: the oracle is not the table of the product. */
const EVERYONE = ROLES;
const MAY: Readonly<Record<string, readonly Role[]>> = {
  ...{ read: EVERYONE, me: EVERYONE, people: ['admin'] },
  ...{ check: ['operator', 'finance', 'approver'], sweep: ['operator'], 'job.run': ['operator'] },
  ...{ 'alert.silence': ['operator'], 'outbox.retry': ['operator'], 'outbox.drop': ['operator'] },
  ...{ 'target.enable': ['operator'], replay: ['operator'], 'aside.retry': ['operator'], 'aside.drop': ['operator'] },
  ...{ 'refused.see': ['operator', 'finance', 'approver'], 'quarantine.see': ['operator', 'finance', 'approver'] },
  reveal: ['operator', 'finance', 'approver'],
  ...{ 'statement.import': ['finance'], 'statement.remove': ['finance'], 'rules.use': ['finance'] },
  ...{ 'match.confirm': ['finance'], 'match.undo': ['finance'], 'sheet.import': ['finance'] },
  ...{ 'exception.resolve': ['finance'], 'exception.approve': ['approver'] },
  ...{ 'exception.assign': ['finance', 'approver'], 'exception.comment': ['finance', 'approver'] },
  'exception.reopen': ['finance', 'approver'],
  ...{ 'period.close': ['finance'], 'period.approve': ['approver'], 'period.lock': ['approver'] },
  'period.reopen': ['finance', 'approver'],
  ...{ 'user.add': ['admin'], 'user.roles': ['admin'], 'user.end': ['admin'], 'user.token': ['admin'] },
  ...{ 'user.link': ['admin'], 'user.sessions': EVERYONE },
  'approval.approve': ['approver', 'admin'],
  ...{ 'approval.ask': ['operator', 'finance', 'approver', 'admin'] },
  ...{ 'approval.use': ['operator', 'finance', 'approver', 'admin'] },
};

const agent = new Agent({ keepAlive: true });
let dashboard: OpenedDashboard;
const people = new Map<Role, LoggedIn>();

beforeAll(async () => {
  dashboard = await openedDashboard(temporaryFolder({ inMemory: true }), {}, standIns);
  for (const role of ROLES) people.set(role, await dashboard.logIn(`The ${role}`, [role]));
});
afterAll(() => {
  agent.destroy();
  return dashboard.close();
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly person?: LoggedIn | undefined;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly allow: string | undefined;
}

/** One request as a browser sends it from a page of ours, but for what the cell has wrong. */
function ask({ method, path, person, token, headers = {} }: Asked): Promise<Answered> {
  const { port, host } = new URL(dashboard.url);
  const body = method === 'POST' ? new URLSearchParams(token === undefined ? {} : { token }).toString() : '';
  const own = {
    host,
    ...(person !== undefined && { cookie: `${COOKIE}=${person.session}` }),
    ...(method === 'POST' && {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) },
      ...{ origin: dashboard.url, 'sec-fetch-site': 'same-origin' },
    }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers: own, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
      });
      const { statusCode = 0, headers: got } = response;
      response.on('end', () => resolve({ status: statusCode, text, location: got.location, allow: got.allow }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An address of the route. */
function addressOf({ path }: AnyRoute): string {
  return path.replaceAll(/:\w+/g, 'x-1');
}

const KNOWN_ROUTES = standIns.filter(({ act }) => act !== 'login');
const named = KNOWN_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

test('there are routes, and each act of them is in the table of this test', () => {
  expect(KNOWN_ROUTES.length).toBeGreaterThan(40);
  expect([...new Set(KNOWN_ROUTES.map(({ act }) => act))].filter((act) => !Object.hasOwn(MAY, act))).toEqual([]);
});

test('what answers one request finds its route at the address, in the screens that it loads', async () => {
  for (const { method, path } of standIns) {
    const there = await routesAt(path);
    expect(there.filter((one) => one.method === method && one.path === path)).toHaveLength(1);
    expect(there.length).toBeLessThan(standIns.length / 4);
  }
});

describe.each(named)('%s', (_name, route) => {
  const { method } = route;
  const path = addressOf(route);
  const isForm = method === 'POST';
  const tokenOf = (person: LoggedIn) => (isForm ? { token: person.token } : {});

  test.each(ROLES)('%s', async (role) => {
    const person = people.get(role) as LoggedIn;
    const answer = await ask({ method, path, person, ...tokenOf(person) });
    if (MAY[route.act]?.includes(role)) {
      expect([answer.status, answer.text.includes(route.weight === 'aside' ? BEGUN : REACHED)]).toEqual([200, true]);
    } else {
      expect([answer.status, answer.text.includes(REACHED)]).toEqual([403, false]);
      for (const may of MAY[route.act] ?? []) expect(answer.text).toContain(may);
    }
  });

  test('without a session', async () => {
    const answer = await ask({ method, path });
    expect(answer.text).not.toContain(REACHED);
    if (isForm) expect(answer.status).toBe(401);
    else expect([answer.status, answer.location?.split('?')[0]]).toEqual([303, '/login']);
    const unknown = await ask({ method, path, person: { session: 'A'.repeat(43) } as LoggedIn });
    expect([unknown.status, unknown.text.includes(REACHED)]).toEqual([isForm ? 401 : 303, false]);
  });

  test('by another name of this host', async () => {
    for (const role of ROLES) {
      const person = people.get(role) as LoggedIn;
      const answer = await ask({ method, path, person, ...tokenOf(person), headers: { host: 'evil.example' } });
      expect([answer.status, answer.text.includes(REACHED)]).toEqual([403, false]);
    }
  });

  if (!isForm) return;

  test('a form without its token, with that of another session, or from elsewhere', async () => {
    const role = ROLES.find((one) => MAY[route.act]?.includes(one)) as Role;
    const person = people.get(role) as LoggedIn;
    const other = people.get(ROLES.find((one) => one !== role) as Role) as LoggedIn;
    const wrong: readonly Partial<Asked>[] = [
      {},
      { token: other.token },
      { token: `${person.token}x` },
      { token: person.token, headers: { origin: 'https://evil.example' } },
      { token: person.token, headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
      { token: person.token, headers: { 'sec-fetch-site': 'cross-site' } },
      { token: person.token, headers: { 'sec-fetch-site': 'same-site' } },
    ];
    for (const one of wrong) {
      const answer = await ask({ method, path, person, ...one });
      expect([one, answer.status, answer.text.includes(REACHED)]).toEqual([one, 403, false]);
    }
  });

  if (standIns.some((one) => one.method === 'GET' && sameShape(one, route))) return;

  test('by GET', async () => {
    const role = ROLES.find((one) => MAY[route.act]?.includes(one)) as Role;
    const answer = await ask({ method: 'GET', path, person: people.get(role) });
    expect([answer.status, answer.allow, answer.text.includes(REACHED)]).toEqual([405, 'POST', false]);
  });
});

describe.each(
  standIns.filter(({ act }) => act === 'login').map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s, which needs no session', (_name, route) => {
  const { method } = route;
  const path = addressOf(route);
  const isReached = async (asked: Partial<Asked>) => {
    const { status, text } = await ask({ method, path, ...asked });
    return [status, text.includes(REACHED)];
  };
  const [person, other] = ['viewer', 'admin'].map((role) => () => people.get(role as Role) as LoggedIn) as [
    () => LoggedIn,
    () => LoggedIn,
  ];

  test('answers a page of ours, by the name of this host alone', async () => {
    expect(await isReached({})).toEqual([200, true]);
    expect(await isReached({ person: person(), ...(method === 'POST' && { token: person().token }) })).toEqual([
      200,
      true,
    ]);
    expect(await isReached({ headers: { host: 'evil.example' } })).toEqual([403, false]);
    // A form is refused; a link goes through a page of ours first, so that the strict cookie comes.
    const elsewhere = await isReached({ headers: { 'sec-fetch-site': 'cross-site' } });
    expect(elsewhere).toEqual([method === 'POST' ? 403 : 200, false]);
  });

  if (method !== 'POST') return;

  test('with a session it needs the token of that session', async () => {
    for (const token of [{}, { token: other().token }])
      expect(await isReached({ person: person(), ...token })).toEqual([403, false]);
  });
});

/** Whether an address of the one may be one of the other. */
function sameShape(one: AnyRoute, other: AnyRoute): boolean {
  const [parts, others] = [one.path.split('/'), addressOf(other).split('/')];
  return parts.length === others.length && parts.every((part, at) => part.startsWith(':') || part === others[at]);
}

test('other methods are refused everywhere, and no answer can be framed or kept', async () => {
  const person = people.get('admin') as LoggedIn;
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    const { status } = await ask({ method, path: '/exceptions', person });
    expect([method, status]).toEqual([method, 405]);
  }
  const answer = await fetch(new URL('/exceptions', dashboard.url), {
    headers: { cookie: `${COOKIE}=${person.session}` },
  });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'.*trusted-types/),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  expect(dashboard.faults).toEqual([]);
});
