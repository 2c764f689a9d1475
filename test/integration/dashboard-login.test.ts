import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnLink } from '../../src/access/link-address.ts';
import { LINK_REFUSED, LOGIN_REFUSED } from '../../src/access/logins.ts';
import { FRESH_MS } from '../../src/domain/access/session.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { formToken } from '../../src/web/dashboard/session.ts';
import { COOKIE, type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/wait.ts';

/* A person from the link to a page, over HTTP. The tests go on from one another. */

const PASSWORD = 'four words and a comma,';
const link = drawnLink();
let dashboard: OpenedDashboard;
let secret = '';
let cookie = '';
let recovery: readonly string[] = [];
/** Each code is good once, and one of the half minute before or after is taken, too: three in a row, whenever the clock turns. */
const HALF_MINUTE_MS = 30_000;
const DAY_MS = 86_400_000;
let last = 0;

beforeAll(async () => {
  const settings = { trustProxy: ['loopback'] };
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tallyhook.yaml'), 'timeZone: Africa/Lagos\n');
  dashboard = await openedDashboard(folder, {}, undefined, settings);
  const token = { digest: tokenDigest('a token'), endsAtMs: Date.now() + 3_600_000 };
  await dashboard.operations.users.add({
    name: 'Ada',
    by: 'root',
    roles: ['admin', 'finance'],
    token,
    link: link.kept,
  });
});
afterAll(() => dashboard.close());

const codeNow = () => {
  last = Math.max(last + 1, Math.floor(Date.now() / HALF_MINUTE_MS) - 1);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: last * HALF_MINUTE_MS });
};

/** Behind a proxy, from one of the addresses that one person has. */
const FORWARDED = { 'x-forwarded-for': '2001:db8:7:9:a1b2:c3d4:e5f6:1' };

function ask(path: string, form?: Record<string, string>, own = cookie) {
  return fetch(new URL(path, dashboard.url), {
    redirect: 'manual',
    headers: { ...FORWARDED, ...(own !== '' && { cookie: own }), ...(form && { 'sec-fetch-site': 'same-origin' }) },
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
  recovery = codes ?? [];
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
  const planted = `${COOKIE}=planted.known`;
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
  const right = { to: '/people', password: PASSWORD, code: codeNow() };
  expect((await ask('/prove', right)).status).toBe(403); // without the token of the session
  const token = formToken(cookie.slice(COOKIE.length + 1));
  expect((await ask('/prove', { to: '/', password: 'wrong', code: '000000', token })).status).toBe(401);
  const proven = await ask('/prove', { ...right, token });
  expect([proven.status, proven.headers.get('location')]).toEqual([303, '/people']);
  const next = cookieOf(proven);
  expect(next).not.toBe(cookie);
  expect((await ask('/')).status).toBe(303);
  cookie = next;
  expect((await ask('/')).status).toBe(200);
});

test('a form and an upload from before a fresh proof count after it, without being sent twice', async () => {
  const database = openDatabase(dashboard.config.database);
  database.prepare('UPDATE sessions SET proven_at = proven_at - ?').run(FRESH_MS);
  database.close();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await (await ask('/people')).text()) ?? [];
  const file = new FormData();
  file.append('token', token);
  file.append('file', new File(['Date,Amount\n2026-11-01,5.00\n'], 'october.csv'));
  const uploaded = await fetch(new URL('/statements/upload', dashboard.url), {
    ...{ method: 'POST', body: file, redirect: 'manual', headers: { cookie, 'sec-fetch-site': 'same-origin' } },
  });
  const upload = uploaded.headers.get('location') ?? '';
  expect(upload).toMatch(/^\/statements\/new\/\w+$/);
  const refused = await ask('/people/add', { token, name: 'Ben', role: 'viewer' });
  const html = await refused.text();
  expect([refused.status, html.includes('/prove?to=')]).toEqual([403, true]);
  const kept = Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  );
  expect(kept).toMatchObject({ name: 'Ben', role: 'viewer' });
  cookie = cookieOf(await ask('/prove', { to: '/', password: PASSWORD, code: recovery[3] ?? '', token }));
  const added = await ask('/people/add', kept as Record<string, string>);
  expect([added.status, (await added.text()).includes('Ben is added')]).toEqual([200, true]);
  const noPage = await ask('/people/add', { ...(kept as Record<string, string>), name: '..' });
  expect([noPage.status, await noPage.text()]).toEqual([422, expect.stringContaining('is a dot or two')]);
  const alike = await ask('/people/add', { ...(kept as Record<string, string>), name: 'Ad\u0430' });
  expect([alike.status, await alike.text()]).toEqual([200, expect.stringContaining('Latin and Cyrillic letters')]);
  let [at, page] = [upload, ''];
  await until(async () => {
    const answer = await ask(at);
    at = answer.headers.get('location') ?? at;
    page = await answer.text();
    return answer.status !== 303 && !page.includes('Under way');
  }, 'the upload is looked at');
  expect(page).toContain('october.csv');
  expect((await ask('/people/add', { ...kept, token: formToken('another') })).status).toBe(403);
});

/** A session beside the first one, in another browser. */
async function another(password: string, code: string): Promise<{ status: number; own: string }> {
  const answer = await ask('/login', { to: '/', name: 'Ada', password, code }, '');
  return { status: answer.status, own: cookieOf(answer) };
}

/** Sends a form of the person's own page, as its session; a new cookie takes the place of the former. */
async function send(path: string, form: Record<string, string>) {
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await (await ask('/me')).text()) ?? [];
  const answer = await ask(path, { token, ...form });
  const former = cookie;
  cookie = cookieOf(answer) === '' ? cookie : cookieOf(answer);
  return { answer, html: await answer.text(), former };
}

const isIn = async (own: string) => (await ask('/', undefined, own)).status === 200;
const NEW_PASSWORD = 'another four words, longer';

test('the own page lists the own sessions, and ends the chosen ones alone', async () => {
  const { own } = await another(PASSWORD, recovery[0] ?? '');
  const html = await (await ask('/me')).text();
  const [other = ''] = /name="session" value="\d+" aria-label="Choose session \d+"/.exec(html) ?? [];
  expect(html.match(/name="session"/g)).toHaveLength(2);
  // Addresses that one person may have count as one, for the limit of attempts, too.
  expect(html.match(/2001:db8:7:9::\/64/g)).toHaveLength(2);
  expect(html).not.toContain('a1b2');
  const { answer } = await send('/me/sessions', { session: /value="(\d+)"/.exec(other)?.[1] ?? '' });
  expect([answer.status, await isIn(cookie), await isIn(own)]).toEqual([303, true, false]);
});

test('another password is set after a fresh proof, ends the other sessions, and gives this one another id', async () => {
  const { own } = await another(PASSWORD, recovery[1] ?? '');
  const weak = await send('/me/password', { password: 'short' });
  expect([weak.answer.status, weak.html.includes('has 5 characters'), await isIn(own)]).toEqual([422, true, true]);
  const { answer, former } = await send('/me/password', { password: NEW_PASSWORD });
  expect([answer.status, cookie === former]).toEqual([303, false]);
  expect(await (await ask('/me')).text()).toContain('The password is changed, and your other sessions are ended.');
  expect([await isIn(former), await isIn(own), await isIn(cookie)]).toEqual([false, false, true]);
  expect((await another(PASSWORD, recovery[2] ?? '')).status).toBe(401);
});

test('new recovery codes are shown once, and end the former ones; the page after them has the token of its session', async () => {
  const { html } = await send('/me/codes', {});
  const codes = html.match(/(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/g) ?? [];
  expect([new Set(codes).size, codes.filter((code) => recovery.includes(code))]).toEqual([10, []]);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
  expect(token).toBe(formToken(cookie.slice(COOKIE.length + 1)));
  expect((await another(NEW_PASSWORD, recovery[2] ?? '')).status).toBe(401);
  expect((await another(NEW_PASSWORD, codes[0] ?? '')).status).toBe(303);
});

test('another phone takes the place of the former, once it showed its code', async () => {
  const keyIn = (html: string) => /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  const shown = await (await ask('/me/phone')).text();
  const key = keyIn(shown);
  expect(shown).toContain(`href="otpauth://totp/Tallyhook:Ada?`);
  expect(shown).toContain(key.replace(/(.{4})(?=.)/g, '$1 '));
  const wrong = await send('/me/phone', { secret: key, code: '000000' });
  expect([wrong.answer.status, keyIn(wrong.html)]).toEqual([422, key]);
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  expect((await send('/me/phone', { secret: key, code })).answer.status).toBe(303);
  // The code of the former phone for the next half minute, which was never given.
  const former = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + HALF_MINUTE_MS });
  expect((await another(NEW_PASSWORD, former)).status).toBe(401);
});

test('logout needs the token of the session, ends it, and takes the cookie away', async () => {
  expect((await ask('/logout', {})).status).toBe(403);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await (await ask('/')).text()) ?? [];
  const out = await ask('/logout', { token });
  expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
  expect((await ask('/')).status).toBe(303);
  expect(dashboard.faults).toEqual([]);
});

test('many attempts wait, with 429, until a time in the zone of the configuration', async () => {
  let answer = await ask('/login');
  for (let attempt = 0; attempt < 12 && answer.status !== 429; attempt++)
    answer = await ask('/login', { to: '/', name: 'Ada', password: 'a guess of many', code: '000000' });
  expect(answer.status).toBe(429);
  const [, time = ''] = /Try again after (\d\d:\d\d) \(Africa\/Lagos\)/.exec(await answer.text()) ?? [];
  const waitMs = (Date.parse(`2026-01-01T${time}Z`) - (Date.now() + 3_600_000)) % DAY_MS;
  expect((waitMs + DAY_MS) % DAY_MS).toBeLessThan(3_600_000);
});
