import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { IdentityProvider } from '../../src/access/identity.ts';
import { logins } from '../../src/access/logins.ts';
import { Passwords } from '../../src/access/passwords.ts';
import { sealOf } from '../../src/access/seal.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { CALLBACK, CLIENT, identityProvider } from '../support/identity-provider.ts';

/* Logins at a real provider, and answers that were meant for another login, browser, provider or person. */

const random = (bytes: number) => randomBytes(bytes);
const seal = sealOf(randomBytes(32), random);
const clientOf = (issuer: string, claim = 'email', clock: { nowMs(): number } = systemClock) =>
  new IdentityProvider(
    { issuer, clientId: CLIENT.client_id, clientSecret: new Secret(CLIENT.client_secret), claim },
    { seal, random, clock },
  );

/** What is said of what came back. */
const saidOf = (proof: Promise<unknown>) =>
  proof.then(
    (result) => JSON.stringify(result),
    (error) => `${error.name}: ${error.message}`,
  );
const NOBODY = 'IdentityError: The answer of the identity provider is not valid for this login.';

test('the provider says who it is, by the claim that is configured', async () => {
  const { issuer, logIn } = await identityProvider();
  for (const [claim, name] of [
    ['email', 'ada@shop.example'],
    ['preferred_username', 'ada'],
  ] as const) {
    const client = clientOf(issuer, claim);
    const { url, carried } = await client.begin(CALLBACK);
    const asked = Object.fromEntries(new URL(url).searchParams);
    // The person types it there, also where the provider has a session: that is what makes it a fresh proof.
    expect(asked).toMatchObject({ code_challenge_method: 'S256', prompt: 'login', max_age: '0' });
    const proven = await client.finish(await logIn(url, 'ada'), carried);
    expect(proven).toEqual({ name, subject: `${issuer} ada` });
  }
});

test('an answer proves nobody twice, in another browser, for another login, or changed', async () => {
  const { issuer, logIn } = await identityProvider();
  const client = clientOf(issuer);
  const [one, other] = [await client.begin(CALLBACK), await client.begin(CALLBACK)];
  const answer = await logIn(one.url, 'ada');
  expect(await saidOf(client.finish(answer, null))).toBe('IdentityError: This login was not begun in this browser.');
  expect(await saidOf(client.finish(answer, `${one.carried}x`))).toContain('was not begun in this browser');
  expect(await saidOf(client.finish(answer, other.carried))).toBe(NOBODY); // the state of another login
  const stolen = new URLSearchParams(answer);
  stolen.set('state', new URL(other.url).searchParams.get('state') ?? '');
  expect(await saidOf(client.finish(`?${stolen}`, other.carried))).toBe(NOBODY); // its code, under the other state: PKCE
  const changed = new URLSearchParams(answer);
  changed.set('code', `${changed.get('code')}x`);
  expect(await saidOf(client.finish(`?${changed}`, one.carried))).toBe(NOBODY);
});

test('an answer is good once', async () => {
  const { issuer, logIn } = await identityProvider();
  const client = clientOf(issuer);
  const { url, carried } = await client.begin(CALLBACK);
  const answer = await logIn(url, 'ada');
  expect(await saidOf(client.finish(answer, carried))).toContain('ada@shop.example');
  expect(await saidOf(client.finish(answer, carried))).toBe(NOBODY);
});

test('the answer of another provider proves nobody, also under our state', async () => {
  const [ours, theirs] = [await identityProvider(), await identityProvider()];
  const [client, elsewhere] = [clientOf(ours.issuer), clientOf(theirs.issuer)];
  const [one, other] = [await client.begin(CALLBACK), await elsewhere.begin(CALLBACK)];
  const answer = new URLSearchParams(await theirs.logIn(other.url, 'ada'));
  answer.set('state', new URL(one.url).searchParams.get('state') ?? '');
  expect(await saidOf(client.finish(`?${answer}`, one.carried))).toBe(NOBODY); // `iss` is theirs
  answer.set('iss', ours.issuer);
  expect(await saidOf(client.finish(`?${answer}`, one.carried))).toBe(NOBODY); // the code is theirs
});

test('a person who says no, a login that takes too long, and an address that was not verified', async () => {
  const { issuer, logIn } = await identityProvider((account) => account !== 'eve');
  const clock = new FixedClock(Date.now());
  const client = clientOf(issuer, 'email', clock);
  const { url, carried } = await client.begin(CALLBACK);
  const state = new URL(url).searchParams.get('state') ?? '';
  const no = new URLSearchParams({ error: 'access_denied', state, iss: issuer });
  expect(await saidOf(client.finish(`?${no}`, carried))).toBe(NOBODY);
  expect(await saidOf(client.finish(await logIn(url, 'eve'), carried))).toContain('did not verify the e-mail address');
  clock.ms += 11 * 60_000;
  expect(await saidOf(client.finish('?code=1', carried))).toBe('IdentityError: This login took too long.');
  clock.ms -= 60 * 60_000;
  expect(await saidOf(client.finish('?code=1', carried))).toBe('IdentityError: This login took too long.');
});

test('a provider that is not there is asked again at the next login', async () => {
  const gone = clientOf('http://127.0.0.1:9');
  expect(await saidOf(gone.begin(CALLBACK))).toBe('IdentityError: The identity provider does not answer.');
  expect(await saidOf(clientOf('http://login.example.com').begin(CALLBACK))).toContain('does not answer'); // no https
});

test('only listed users log in, each by one identity, and an identity is one user', async () => {
  const { issuer, logIn } = await identityProvider();
  const path = join(temporaryFolder(), 'tallyhook.db');
  const operations = await openStore(path).operations({ create: true });
  const archive = await openStore(path).archive();
  onTestFinished(async () => {
    await archive.close();
    await operations.close();
  });
  const token = (name: string) => ({ digest: tokenDigest(name), endsAtMs: Date.now() + 60_000 });
  await operations.users.add({ name: 'ada@shop.example', by: 'root', roles: ['admin'], token: token('ada') });
  const parts = { archive, operations, passwords: new Passwords(), seal, clock: systemClock, random };
  const login = logins({ ...parts, lengths: { idleMs: 60_000, absoluteMs: 60_000 } });
  const browser = { address: '127.0.0.1', agent: null, former: null };
  const client = clientOf(issuer);
  const logInAt = async (account: string) => {
    const { url, carried } = await client.begin(CALLBACK);
    return login.withSubject(await client.finish(await logIn(url, account), carried), browser);
  };
  expect(await logInAt('mallory')).toEqual({ outcome: 'refused' });
  expect(await logInAt('ada')).toMatchObject({ outcome: 'in', session: { name: 'ada@shop.example', way: 'oidc' } });
  expect(await logInAt('ada')).toMatchObject({ outcome: 'in' });
  // The address of Ada at the provider is another person's now.
  const other = await login.withSubject({ name: 'ada@shop.example', subject: `${issuer} mallory` }, browser);
  expect(other).toEqual({ outcome: 'refused' });
  expect((await archive.users())[0]).toMatchObject({ isBound: true, passwordSinceMs: null });
});
