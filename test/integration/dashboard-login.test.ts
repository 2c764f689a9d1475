import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnLink } from '../../src/access/link-address.ts';
import { LINK_REFUSED, LOGIN_REFUSED } from '../../src/access/logins.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { COOKIE, type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { temporaryFolder } from '../support/folder.ts';

/* A person from the link to a page, over HTTP. The tests go on from one another. */

const PASSWORD = 'four words and a comma,';
const link = drawnLink();
let dashboard: OpenedDashboard;
let secret = '';
let cookie = '';
/** Each code is good once, and one of the half minute before or after is taken, too: three in a row, whenever the clock turns. */
const HALF_MINUTE_MS = 30_000;
let last = 0;

beforeAll(async () => {
  dashboard = await openedDashboard(join(temporaryFolder(), 'dashboard'));
  const token = { digest: tokenDigest('a token'), endsAtMs: Date.now() + 3_600_000 };
  await dashboard.operations.users.add({ name: 'Ada', by: 'root', roles: ['admin'], token, link: link.kept });
});
afterAll(() => dashboard.close());

const codeNow = () => {
  last = Math.max(last + 1, Math.floor(Date.now() / HALF_MINUTE_MS) - 1);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: last * HALF_MINUTE_MS });
};

function ask(path: string, form?: Record<string, string>, own = cookie) {
  return fetch(new URL(path, dashboard.url), {
    redirect: 'manual',
    headers: { ...(own !== '' && { cookie: own }), ...(form && { 'sec-fetch-site': 'same-origin' }) },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${COOKIE}=`))
    ?.split(';')[0] ?? '';

test('a page without a session leads to the login, and back to where one wanted to go', async () => {
  const answer = await ask('/exceptions?state=open');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?to=%2Fexceptions%3Fstate%3Dopen']);
  const html = await (await ask('/login?to=%2Fexceptions')).text();
  expect(html).toContain('value="/exceptions"');
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', '/login'])
    expect(await (await ask(`/login?to=${encodeURIComponent(to)}`)).text()).toContain('name="to" value="/"');
});

test('a link shows its form, again and again, until the login is set up', async () => {
  const shown = await ask(`/link/${link.text}`);
  const html = await shown.text();
  expect([shown.status, html.includes('Set up the login of Ada')]).toEqual([200, true]);
  secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  const weak = await ask(`/link/${link.text}`, { secret, password: 'short', code: '000000' });
  const again = await weak.text();
  expect([weak.status, again.includes('has 5 characters'), again.includes(secret)]).toEqual([422, true, true]);
  const done = await ask(`/link/${link.text}`, { secret, password: PASSWORD, code: codeNow() });
  const codes = (await done.text()).match(/(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/g);
  expect([done.status, new Set(codes).size]).toEqual([200, 10]);
  const used = await ask(`/link/${link.text}`);
  expect([used.status, (await used.text()).includes(LINK_REFUSED)]).toEqual([410, true]);
});

test('a wrong login says one sentence, sets no cookie and keeps the name', async () => {
  const texts = [];
  for (const name of ['Ada', 'Nobody']) {
    const answer = await ask('/login', { to: '/', name, password: 'not the password', code: '000000' });
    expect([answer.status, cookieOf(answer)]).toEqual([401, '']);
    const html = await answer.text();
    expect(html).toContain(LOGIN_REFUSED);
    texts.push(html.replaceAll(name, 'NAME').replace(/<time .*<\/time>/g, ''));
  }
  expect(texts[0]).toBe(texts[1]);
});

test('a login sets the cookie, which is for this site, for pages alone, and of this host', async () => {
  const planted = `${COOKIE}=planted`;
  const answer = await ask('/login', { to: '/exceptions', name: 'ada', password: PASSWORD, code: codeNow() }, planted);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/exceptions']);
  const set = answer.headers.getSetCookie().find((line) => line.startsWith(`${COOKIE}=`)) ?? '';
  for (const word of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) expect(set).toContain(word);
  cookie = cookieOf(answer);
  expect(cookie).toMatch(/^__Host-tallyhook=[\w-]{43}$/);
  expect((await ask('/')).status).toBe(200);
  expect((await ask('/', undefined, planted)).status).toBe(303);
});

test('a fresh proof gives the session another cookie; the former one is worth nothing', async () => {
  expect((await ask('/prove', { to: '/', password: 'wrong', code: '000000' })).status).toBe(401);
  const proven = await ask('/prove', { to: '/people', password: PASSWORD, code: codeNow() });
  expect([proven.status, proven.headers.get('location')]).toEqual([303, '/people']);
  const next = cookieOf(proven);
  expect(next).not.toBe(cookie);
  expect((await ask('/')).status).toBe(303);
  cookie = next;
  expect((await ask('/')).status).toBe(200);
});

test('logout needs the token of the session, ends it, and takes the cookie away', async () => {
  expect((await ask('/logout', {})).status).toBe(403);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await (await ask('/')).text()) ?? [];
  const out = await ask('/logout', { token });
  expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
  expect((await ask('/')).status).toBe(303);
  expect(dashboard.faults).toEqual([]);
});

test('many attempts wait, with 429', async () => {
  let status = 0;
  for (let attempt = 0; attempt < 12 && status !== 429; attempt++)
    ({ status } = await ask('/login', { to: '/', name: 'Ada', password: 'a guess of many', code: '000000' }));
  expect(status).toBe(429);
});
