import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAY, ROLES, type Role } from '../../src/domain/access/roles.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import type { AnyRoute, Route, Visitor } from '../../src/web/dashboard/route.ts';
import { Router } from '../../src/web/dashboard/router.ts';
import { routes } from '../../src/web/dashboard/routes.ts';
import { Works } from '../../src/web/dashboard/work.ts';
import { ADA, IDLE_MS, startTestDashboard, type TestDashboard } from '../support/dashboard.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { until } from '../support/wait.ts';

const rows = new Router(await routes()).rows();
/** An address of each route: no such record is there. */
const addressOf = (path: string) =>
  path.replace(':kind', 'refund').replaceAll(/:\w+/g, (name) => (name === ':id' ? '1' : 'RFD_1'));
const reading = rows.filter(({ method }) => method === 'GET');

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startTestDashboard();
});
afterAll(() => dashboard.stop());

describe('every route', () => {
  test('is in the table of roles, and the router refuses to start with one that is not', () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const { act, roles } of rows) expect(roles).toEqual(MAY[act]);
    const planted = {
      method: 'GET',
      path: '/planted',
      act: 'planted',
      weight: 'light',
      handle: async () => ({ to: '/' }),
    };
    expect(() => new Router([planted as unknown as AnyRoute])).toThrow('the act planted is not in the table of roles');
  });

  test.each(rows)('$method $path: strict headers, whatever the answer is', async ({ method, path }) => {
    const answer = await dashboard.ask(addressOf(path), { session: null, ...(method === 'POST' && { form: {} }) });
    await answer.body?.cancel();
    const { headers } = answer;
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*frame-ancestors 'none';.*require-trusted-types-for 'script'/,
    );
    expect([
      headers.get('x-content-type-options'),
      headers.get('referrer-policy'),
      headers.get('cache-control'),
    ]).toEqual(['nosniff', 'no-referrer', 'no-store']);
    expect([headers.get('cross-origin-opener-policy'), headers.get('cross-origin-resource-policy')]).toEqual([
      'same-origin',
      'same-origin',
    ]);
  });

  // Who may see a screen at all is held in dashboard-matrix.test.ts.
  test.each(rows.filter(({ act }) => act !== 'login'))(
    '$method $path answers who may do everything, and who may do little else',
    async ({ method, path, act }) => {
      const least = ROLES.find((role) => (MAY[act] as readonly Role[]).includes(role)) as Role;
      // One of the forms ends the session of who sends it.
      const sessions = method === 'GET' ? [ADA, dashboard.sessionOf(least)] : [dashboard.sessionOf(least)];
      for (const session of sessions) {
        const answer = await dashboard.ask(addressOf(path), { session, ...(method === 'POST' && { form: {} }) });
        expect([403, 405, 500]).not.toContain(answer.status);
        if (path === '/stream') await answer.body?.cancel();
        else await answer.text();
        expect(dashboard.faults).toEqual([]);
      }
    },
  );
});

test('pages need no script: each has its heading, its command and no inline script or style', async () => {
  for (const { path, weight } of reading.filter((row) => row.path !== '/stream' && row.weight === 'light')) {
    const answer = await dashboard.ask(addressOf(path));
    if (answer.status === 303) continue;
    const html = await answer.text();
    expect([path, weight, /<h1>/.test(html)]).toEqual([path, weight, true]);
    expect(html).not.toMatch(/<script(?![^>]* src="\/own\/)|<style|\son\w+=|style="/);
  }
});

test('own files are kept by a browser, and the script is no larger than it may be', async () => {
  const html = await (await dashboard.ask('/')).text();
  const [script = '', style = ''] = [/src="(\/own\/[^"]+)"/, /href="(\/own\/style[^"]+)"/].map(
    (one) => one.exec(html)?.[1],
  );
  const [js, css] = await Promise.all([
    dashboard.ask(script, { session: null }),
    dashboard.ask(style, { session: null }),
  ]);
  expect([js.headers.get('cache-control'), css.headers.get('content-type')]).toEqual([
    'public, max-age=31536000, immutable',
    'text/css; charset=utf-8',
  ]);
  expect((await js.arrayBuffer()).byteLength).toBeLessThan(20_000);
});

test('before the first user nothing is shown but how to add one', async () => {
  const empty = await startTestDashboard({ hasUsers: false });
  try {
    for (const path of ['/', '/events', '/login', '/nowhere']) {
      const answer = await empty.ask(path, { session: null });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain('tallyhook users add NAME --role admin');
    }
  } finally {
    await empty.stop();
  }
});

test('a session that is idle for too long shows nothing, and a form sent with it is kept to be sent again', async () => {
  const clock = new FixedClock();
  const own = await startTestDashboard({ clock });
  try {
    expect((await own.ask('/')).status).toBe(200);
    clock.ms += IDLE_MS;
    expect((await own.ask('/')).status).toBe(303);
    const answer = await own.ask('/quarantine/retry', { form: { hours: '4', why: 'for <the> weekend' } });
    const html = await answer.text();
    expect(answer.status).toBe(401);
    expect(html).toContain('for &lt;the&gt; weekend');
    expect(html).toContain('action="/quarantine/retry"');
  } finally {
    await own.stop();
  }
});

test('a link from another site is led on by a page of ours, so that the strict cookie comes', async () => {
  const answer = await dashboard.ask('/events', { session: null, headers: { 'sec-fetch-site': 'cross-site' } });
  expect([answer.status, (await answer.text()).includes('url=/events')]).toEqual([200, true]);
});

test.each(['//evil.example/x', '/\\evil.example/x', '//evil.example'])(
  'the address %s, which a browser takes for another site, leads nowhere',
  async (path) => {
    const { request } = await import('node:http');
    const { hostname, port } = new URL(dashboard.url);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const html = await new Promise<string>((resolve, reject) => {
      request({ hostname, port, path, headers }, async (answer) => resolve((await answer.toArray()).join('')))
        .on('error', reject)
        .end();
    });
    expect(html).toContain('<h1>');
    expect(html).not.toContain('evil.example');
  },
);

test.each([
  ['/nowhere', 404],
  ['/events/999999', 404],
  ['/events?environment=moon', 400],
  ['/events?since=yesterday', 400],
  ['/records/refund/RFD_%00', 404],
  ['/records/planet/RFD_1', 404],
])('GET %s is a page in plain words: %i', async (path, status) => {
  const answer = await dashboard.ask(path);
  const html = await answer.text();
  expect([answer.status, /<h1>/.test(html)]).toEqual([status, true]);
  expect(html).not.toMatch(/\bat .*\.ts:\d+|StoreError|TypeError/);
});

test.each([
  ['a defect', () => new TypeError('secret inside'), 500, 'Whether the form counted is not known'],
  ['an act that was not done', () => new TallyhookError('It is closed.', { kind: 'failed' }), 409, 'It is closed.'],
  ['a missing setting', () => new TallyhookError('No key.', { kind: 'configuration' }), 500, 'No key.'],
])('%s says what is known, and keeps the form', async (_what, fault, status, says) => {
  const handle = () => Promise.reject(fault());
  const own = await startTestDashboard({
    routes: [{ method: 'POST', path: '/refused/seen', act: 'refused.see', weight: 'light', handle }],
  });
  try {
    const sent = [ADA, own.sessionOf('viewer')].map((session) =>
      own.ask('/refused/seen', { session, form: { upTo: '7', why: 'for <the> weekend' } }),
    );
    const [answer, viewer] = (await Promise.all(sent)) as [Response, Response];
    const html = await answer.text();
    expect([answer.status, html.includes(says), html.includes('Nothing was changed')]).toEqual([status, true, false]);
    const refused = await viewer.text();
    expect([viewer.status, refused.includes('refused.see needs')]).toEqual([403, true]);
    for (const page of [html, refused]) expect(page).toContain('for &lt;the&gt; weekend');
    expect(html).not.toContain('secret inside');
  } finally {
    await own.stop();
  }
});

test('a defect is a page without a trace, and its cause goes to the log', async () => {
  const broken: Route = {
    method: 'GET',
    path: '/',
    act: 'read',
    weight: 'light',
    handle: async () => Promise.reject(new TypeError('secret inside')),
  };
  const own = await startTestDashboard({ routes: [broken] });
  try {
    const answer = await own.ask('/');
    expect([answer.status, (await answer.text()).includes('secret inside')]).toEqual([500, false]);
    expect(own.faults).toEqual(['GET /: secret inside']);
  } finally {
    await own.stop();
  }
});

test('a route that computes for long is computed in a process of its own, and its page fetched when it is done', async () => {
  const own = await startTestDashboard({ worksAside: true });
  try {
    const begun = await own.ask('/refunds/totals?since=2026-11-01&until=2026-11-20');
    const at = begun.headers.get('location');
    let html = await begun.text();
    if (at !== null)
      await until(async () => {
        html = await (await own.ask(at)).text();
        return !html.includes('Under way');
      }, 'it is computed');
    expect(html).toContain('How many refunds, and how much, from 2026-11-01 to 2026-11-20?');
  } finally {
    await own.stop();
  }
});

test('what an act did is said once, on the page that it leads to and in no other window', async () => {
  const sent = await dashboard.ask('/refused/seen', { form: { upTo: '1' } });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/refused']);
  const says = async (path: string) => (await (await dashboard.ask(path)).text()).includes('Noted.');
  expect([await says('/events'), await says('/refused'), await says('/refused')]).toEqual([false, true, false]);
});

const SHEET = {
  method: 'GET',
  path: '/',
  act: 'sheet.import',
  weight: 'aside',
  handle: async () => ({ to: '/' }),
} as const;
const GRACE = {
  ...{ name: 'Grace', roles: ['finance'], provenAtMs: 0, login: 1 },
  credential: { kind: 'session', digest: 'x' },
} as const satisfies Visitor;

/** What is asked of works that each answer at once, whose visitors stand so when their turn comes. */
function worksOf(standing: (visitor: Visitor) => Visitor | null | Promise<Visitor>, path = '/') {
  let made = 0;
  const works = new Works({
    ...{ config: dashboard.config, nowMs: () => 0, newId: () => String(made++) },
    ...{
      file: new URL('../support/dashboard-work.ts', import.meta.url),
      standing: async (visitor) => standing(visitor),
    },
  });
  const [query, form] = [new URLSearchParams(), new URLSearchParams()];
  const context = { params: {}, query, form, files: {}, address: '/', uploads: '' };
  return {
    works,
    begin: () => works.begin({ ...SHEET, path }, GRACE, context as never),
    ids: () => [...Array(made).keys()].map(String),
  };
}

test('answers given at once close the dashboard for nobody, and a role that was taken fetches none', async () => {
  const { works, begin, ids } = worksOf((visitor) => visitor);
  for (let at = 0; at < 3; at++) await begin();
  const late = await begin();
  expect(late).toHaveProperty('to');
  for (const id of ids()) expect(() => works.fetch(id, { ...GRACE, roles: ['viewer'] })).toThrow('not there any more');
  works.close();
});

test('a file that took long is offered by the page of its work, and a head begins no work', async () => {
  const turn = Promise.withResolvers<Visitor>();
  const { works, begin } = worksOf(() => turn.promise, '/file');
  expect(await begin()).toEqual({ to: '/tasks/0' });
  expect([works.fetch('0', GRACE), works.file('0', GRACE)]).toMatchObject([{ title: 'Under way' }, { to: '/tasks/0' }]);
  turn.resolve(GRACE);
  await until(
    () => 'title' in works.fetch('0', GRACE) && !JSON.stringify(works.fetch('0', GRACE)).includes('Under way'),
    'the file is there',
  );
  expect(works.fetch('0', GRACE)).toMatchObject({ blocks: [{ links: [{ text: 'a.csv', href: '/tasks/0/file' }] }] });
  expect(works.file('0', GRACE)).toEqual({ name: 'a.csv', type: 'text/csv', bytes: 'a' });
  works.close();
  const head = await dashboard.ask('/audit/verify', { method: 'HEAD' });
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
});

test.each([
  ['session ended', null],
  ['role was taken', { ...GRACE, roles: ['viewer'] }],
] as const)('what waited for its turn is not begun for a person whose %s meanwhile', async (_what, now) => {
  const { works, begin } = worksOf(() => now);
  await expect(begin()).rejects.toThrow('before this was begun: nothing was done.');
  works.close();
});

test('a form of many parts is bounded as a whole, and none is taken before the login', async () => {
  const parts = new FormData();
  for (let at = 0; at < 40; at++) parts.append(`field${at}`, 'x'.repeat(60_000));
  expect((await dashboard.ask('/quarantine/retry', { form: parts })).status).toBe(413);
  const login = new FormData();
  login.append('name', 'Ada');
  expect((await dashboard.ask('/login', { form: login, session: null })).status).toBe(400);
});

test('a session has one stream: a newer window ends the older one', async () => {
  const older = await dashboard.ask('/stream');
  const reader = older.body?.getReader();
  await reader?.read();
  const newer = await dashboard.ask('/stream');
  const said = Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(said).toBe('event: over\ndata:\n\n');
  await newer.body?.cancel();
});

test('an open window whose person is away keeps no session from becoming idle, and its stream ends with it', async () => {
  const clock = new FixedClock();
  const own = await startTestDashboard({ clock });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const later = () => {
      clock.ms += IDLE_MS / 3;
      vi.advanceTimersByTime(20_000);
    };
    later();
    const stream = (await own.ask('/stream')).body?.getReader();
    const said = async () => Buffer.from((await stream?.read())?.value ?? []).toString();
    expect(await said()).toBe(': listening\n\n');
    later();
    expect(await said()).toMatch(/^: \n\n/);
    later();
    expect(await said()).toContain('event: over');
    expect((await own.ask('/')).status).toBe(303);
  } finally {
    vi.useRealTimers();
    await own.stop();
  }
});

test('a redirect leads nowhere but to this dashboard', async () => {
  const away: Route = {
    method: 'GET',
    path: '/',
    act: 'read',
    weight: 'light',
    handle: async ({ query }) => ({ to: query.get('to') ?? '/' }),
  };
  const own = await startTestDashboard({ routes: [away] });
  try {
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
    ]) {
      const { headers } = await own.ask(`/?to=${encodeURIComponent(to)}`);
      const location = new URL(headers.get('location') ?? '', own.url);
      expect([to, location.origin]).toEqual([to, own.url]);
    }
  } finally {
    await own.stop();
  }
});

/** fetch sets no Host: this is a request as a browser sends it whose name was led here. */
