import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/*
 * A real identity provider on this machine (oidc-provider), and a browser that logs in at it: it follows redirects, keeps cookies and
 * sends the forms of the provider's own pages.
 */

export const CLIENT = { client_id: 'tallyhook', client_secret: 'a secret of the client that is long enough' };
export const CALLBACK = 'http://127.0.0.1:4603/login/back';
/** Steps of one login: the provider's pages and their forms. */
const MOST_STEPS = 20;

export interface RunningProvider {
  readonly issuer: string;
  /** Logs `account` in at this address, and returns where the browser is sent with the answer: its query. */
  readonly logIn: (url: string, account: string) => Promise<string>;
}

/** Started for one test. `verified`: whether the e-mail address of an account is. */
export async function identityProvider(
  verified: (account: string) => boolean = () => true,
  callback = CALLBACK,
): Promise<RunningProvider> {
  const { default: Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => stopped(server));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [callback], response_types: ['code'], grant_types: ['authorization_code'] }],
    claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of cookies'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@shop.example`, email_verified: verified(id), preferred_username: id }),
    }),
  });
  server.on('request', provider.callback());
  return { issuer, logIn: (url, account) => logInAs(url, account, callback) };
}

function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function logInAs(start: string, account: string, callback: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | null = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body !== null && { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      body = null;
      if (url.startsWith(callback)) return new URL(url).search;
      continue;
    }
    const page = await response.text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    if (action === '') throw new Error(`The provider says ${response.status}: ${page.slice(0, 500)}`);
    url = new URL(action, url).href;
    body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: account, password: 'any' }) });
  }
  throw new Error('The provider sends the browser on and on.');
}
