import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { formToken } from '../../src/web/dashboard/session.ts';
import { COOKIE, openedDashboard } from '../support/dashboard/opened.ts';
import { temporaryFolder } from '../support/folder.ts';
import { CLIENT, identityProvider } from '../support/identity-provider.ts';

vi.setConfig({ testTimeout: 60_000 });

const CALLBACK = 'https://pay.example.com/login/back';

/* From the login page to the identity provider and back, over HTTP. */

test('a listed person logs in at the provider; another one, and an answer of another browser, come to the login again', async () => {
  const { issuer, logIn } = await identityProvider(() => true, CALLBACK);
  const oidc = { issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  const settings = { publicUrl: 'https://pay.example.com', oidc };
  const dashboard = await openedDashboard(join(temporaryFolder(), 'dashboard'), {}, undefined, settings);
  onTestFinished(() => dashboard.close());
  const token = { digest: tokenDigest('a token'), endsAtMs: Date.now() + 3_600_000 };
  await dashboard.operations.users.add({ name: 'ada@shop.example', by: 'root', roles: ['admin'], token });
  const ask = (path: string, cookie = '', headers = {}) =>
    fetch(new URL(path, dashboard.url), {
      ...{ redirect: 'manual', headers: { ...headers, ...(cookie !== '' && { cookie }) } },
    });
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

  expect(await (await ask('/login')).text()).toContain('href="/login/elsewhere"');
  const begin = async () => {
    const answer = await ask('/login/elsewhere');
    expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([303, expect.stringContaining('SameSite=Lax')]);
    return { url: answer.headers.get('location') ?? '', carried: cookiesOf(answer)[0] ?? '' };
  };
  const { url, carried } = await begin();
  expect(url.startsWith(issuer)).toBe(true);
  const query = await logIn(url, 'ada');
  const stranger = await ask(`/login/back${query}`);
  expect([stranger.status, (await stranger.text()).includes('was not begun in this browser')]).toEqual([401, true]);
  const back = await ask(`/login/back${query}`, carried);
  expect([back.status, back.headers.get('location')]).toEqual([303, '/']);
  const session = cookiesOf(back).find((cookie) => cookie.startsWith(`${COOKIE}=`)) ?? '';
  expect((await ask('/', session)).status).toBe(200);

  // The browser leaves the strict cookie away when it comes back; a page of ours leads on, and then it is a fresh proof of the same login.
  const again = await begin();
  const proof = `/login/back${await logIn(again.url, 'ada')}`;
  const through = await ask(proof, again.carried, { 'sec-fetch-site': 'cross-site' });
  expect([through.status, (await through.text()).includes('Open it now'), cookiesOf(through)]).toEqual([200, true, []]);
  const proven = cookiesOf(await ask(proof, `${again.carried}; ${session}`))[0] ?? '';
  const tokenFor = async (cookie: string) =>
    /name="token" value="([^"]+)"/.exec(await (await ask('/me', cookie)).text())?.[1];
  expect(await tokenFor(proven)).toBe(formToken(session.slice(COOKIE.length + 1)));
  expect((await ask('/me', session)).status).toBe(303);

  const other = await begin();
  const unlisted = await ask(`/login/back${await logIn(other.url, 'mallory')}`, other.carried);
  expect([unlisted.status, cookiesOf(unlisted).some((cookie) => /^__Host-tallyhook=./.test(cookie))]).toEqual([
    401,
    false,
  ]);
  expect(dashboard.faults).toEqual([]);
});
