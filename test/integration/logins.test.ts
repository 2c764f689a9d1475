import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnLink, linkAddress } from '../../src/access/link-address.ts';
import { type Browser, type LoginAnswer, type LoginParts, logins } from '../../src/access/logins.ts';
import { Passwords } from '../../src/access/passwords.ts';
import { sealKey, sealKeyFile, sealOf } from '../../src/access/seal.ts';
import { ATTEMPT_LIMITS, attemptText } from '../../src/domain/access/attempts.ts';
import { FRESH_MS, sessionDigest } from '../../src/domain/access/session.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import type { Archive } from '../../src/store/archive.ts';
import { openStore } from '../../src/store/open.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { temporaryFolder } from '../support/folder.ts';

/* From the one-time link to a session, over a real database. The tests go on from one another. */

const folder = temporaryFolder();
const path = join(folder, 'tallyhook.db');
const clock = new FixedClock();
const PASSWORD = 'four words and a comma,';
const MINUTE = 60_000;
const browser: Browser = { address: '192.0.2.7', agent: 'a browser', former: null };
const random = (bytes: number) => randomBytes(bytes);

/** As cheap as argon2id can be, and it counts what was compared, and at which cost. */
class CountedPasswords extends Passwords {
  compared: boolean[] = [];

  override async matches(password: string, hash: string | null): Promise<boolean> {
    this.compared.push(hash !== null);
    return super.matches(password, hash);
  }
}
const passwords = new CountedPasswords({ memoryKib: 64, passes: 1, lanes: 1 });

let operations: OpenOperations;
let archive: Archive;
let login: ReturnType<typeof logins>;
let parts: LoginParts;
let link = '';
let secret = '';
let recovery: readonly string[] = [];

beforeAll(async () => {
  operations = await openStore(path, { clock }).operations({ create: true });
  archive = await openStore(path, { clock }).archive();
  const seal = sealOf(sealKey(sealKeyFile(join(folder, 'audit.key')), random), random);
  const lengths = { idleMs: 30 * MINUTE, absoluteMs: 12 * 60 * MINUTE };
  parts = { archive, operations, passwords, seal, clock, random, lengths };
  login = logins(parts);
  const token = { digest: tokenDigest('a token'), endsAtMs: clock.ms + 1_000 * MINUTE };
  const drawn = drawnLink();
  link = drawn.text;
  await operations.users.add({ name: 'Ada', by: 'root', roles: ['admin'], token, link: drawn.kept });
});
afterAll(async () => {
  await archive.close();
  await operations.close();
});

const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
const withPassword = (over: { name?: string; password?: string; code?: string } = {}, from = browser) =>
  login.withPassword({ name: 'Ada', password: PASSWORD, code: codeAt(clock.ms), ...over }, from);
/** The next code. */
const later = () => {
  clock.ms += 30_000;
};
const inOf = (answer: LoginAnswer) => {
  if (answer.outcome !== 'in') throw new Error(answer.outcome);
  return answer;
};

test('a link opens the form of its user, and a wrong password or code leaves it good', async () => {
  expect(await login.openLink('x')).toBeNull();
  const form = await login.openLink(link);
  expect(form).toMatchObject({ name: 'Ada', secret: expect.stringMatching(/^[A-Z2-7]{32}$/) });
  expect(form?.uri).toMatch(/^otpauth:\/\/totp\/Tallyhook:Ada\?/);
  secret = form?.secret ?? '';
  const code = codeAt(clock.ms);
  expect(await login.setUp(link, { password: 'short', code, secret })).toMatchObject({ field: 'password' });
  expect(await login.setUp(link, { password: PASSWORD, code: '000000', secret })).toMatchObject({ field: 'code' });
  expect(await login.setUp(link, { password: PASSWORD, code, secret: 'other' })).toMatchObject({ field: 'code' });
  const done = await login.setUp(link, { password: PASSWORD, code, secret });
  expect(done).toMatchObject({ outcome: 'done', name: 'Ada' });
  recovery = done.outcome === 'done' ? done.recovery : [];
  expect(new Set(recovery).size).toBe(10);
});

test('a link is good once', async () => {
  expect(await login.openLink(link)).toBeNull();
  expect(await login.setUp(link, { password: PASSWORD, code: codeAt(clock.ms), secret })).toMatchObject({
    field: 'link',
  });
});

test('neither password nor secret nor link nor recovery code is in the database, its log or the key file', () => {
  const files = ['tallyhook.db', 'tallyhook.db-wal', 'access.key'].map((name) => readFileSync(join(folder, name)));
  const open = [PASSWORD, secret, Buffer.from(Secret.fromBase32(secret).bytes), link, ...recovery];
  for (const bytes of files) for (const one of open) expect(bytes.includes(one)).toBe(false);
  expect(statSync(join(folder, 'access.key')).mode & 0o777).toBe(0o600);
});

test('the code of the set-up is not good again; the next one is, once', async () => {
  expect(await withPassword()).toEqual({ outcome: 'refused' });
  later();
  const first = inOf(await withPassword());
  expect(first.session).toMatchObject({ name: 'Ada', way: 'password', address: '192.0.2.7' });
  expect(await archive.session(sessionDigest(first.id))).toMatchObject({ name: 'Ada' });
  expect(await withPassword()).toEqual({ outcome: 'refused' });
});

test('a login ends the session that the browser had, so that a planted id is worth nothing', async () => {
  later();
  const first = inOf(await withPassword());
  later();
  const second = inOf(await withPassword({}, { ...browser, former: sessionDigest(first.id) }));
  expect(second.id).not.toBe(first.id);
  expect(await archive.session(sessionDigest(first.id))).toBeNull();
  later();
  const third = inOf(await withPassword({}, { ...browser, former: sessionDigest('planted') }));
  expect(third.id).not.toBe('planted');
  expect(await archive.session(sessionDigest('planted'))).toBeNull();
});

test('a phone whose clock is half a minute off logs in; one that is minutes off does not', async () => {
  clock.ms += 10 * MINUTE;
  expect(await withPassword({ code: codeAt(clock.ms - 2 * MINUTE) })).toEqual({ outcome: 'refused' });
  expect(await withPassword({ code: codeAt(clock.ms - 30_000) })).toMatchObject({ outcome: 'in' });
});

test('a recovery code takes the place of the phone, once', async () => {
  const code = recovery[0]?.toLowerCase() ?? '';
  expect(await withPassword({ code })).toMatchObject({ outcome: 'in', session: { way: 'recovery' } });
  expect(await withPassword({ code })).toEqual({ outcome: 'refused' });
  expect(await withPassword({ code: recovery[1] ?? '', password: 'another one' })).toEqual({ outcome: 'refused' });
  expect((await archive.users())[0]).toMatchObject({ recoveryCodes: 9, linkUntilMs: null });
});

test('what is refused says nothing about why, and every name costs one comparison of one hash', async () => {
  clock.ms += 60 * MINUTE;
  const token = { digest: tokenDigest('hers'), endsAtMs: clock.ms + 1_000 * MINUTE };
  const admin = operations.as({ kind: 'token', digest: tokenDigest('a token') });
  await admin.users.add({ name: 'Grace', by: 'Ada', roles: ['viewer'], token });
  passwords.compared = [];
  const answers = [
    await withPassword({ password: 'wrong and long' }),
    await withPassword({ code: '000000' }),
    await withPassword({ name: 'Grace' }), // never set up a login
    await withPassword({ name: 'Nobody' }),
    await withPassword({ name: 'Nobody', code: recovery[2] ?? '' }),
    await withPassword({ name: '' }),
  ];
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"outcome":"refused"}']));
  expect(passwords.compared).toEqual([true, true, false, false, false, false]);
});

test('a few attempts at an account, then it waits, also with the right password; the others go on', async () => {
  clock.ms += 60 * MINUTE;
  const { most, windowMs } = ATTEMPT_LIMITS.account;
  for (let attempt = 0; attempt < most; attempt++)
    expect(await withPassword({ name: attempt % 2 === 0 ? 'ada' : ' ADA', password: 'a guess' })).toEqual({
      outcome: 'refused',
    });
  passwords.compared = [];
  expect(await withPassword()).toEqual({ outcome: 'wait', untilMs: clock.ms + windowMs });
  expect(passwords.compared).toEqual([]);
  expect(await withPassword({ name: 'Grace' })).toEqual({ outcome: 'refused' });
  expect(await archive.refusedLogins(clock.ms)).toMatchObject({ accounts: 1 });
  // What was typed as a name may be a password: without the key of the logins the books tell of no guess whether it was typed.
  const { rows } = await archive.query('SELECT key FROM login_attempts', 100);
  const keys = rows.map(([key]) => String(key));
  const plain = ['ada', 'grace'].map((name) => createHash('sha256').update(attemptText('account', name)).digest('hex'));
  expect(keys.filter((key) => plain.includes(key))).toEqual([]);
  expect(keys).toContain(parts.seal.digest(attemptText('account', 'ADA')));
  clock.ms += windowMs;
  expect(await withPassword()).toMatchObject({ outcome: 'in' });
});

test('a fresh proof gives the session another id', async () => {
  later();
  const { id } = inOf(await withPassword());
  later();
  const typed = { password: PASSWORD, code: codeAt(clock.ms) };
  expect(await login.prove(sessionDigest(id), { ...typed, password: 'wrong' })).toEqual({
    outcome: 'refused',
  });
  const proven = inOf(await login.prove(sessionDigest(id), typed));
  expect(proven.session.provenAtMs).toBe(clock.ms);
  expect(await login.prove(sessionDigest(id), typed)).toEqual({ outcome: 'refused' });
  expect(await archive.session(sessionDigest(id))).toBeNull();
});

test('attempts at a name or from an address close no live session to its person; wrong proofs in it close it alone', async () => {
  clock.ms += 60 * MINUTE;
  const { id } = inOf(await withPassword());
  const other = inOf(await withPassword({ code: recovery[4] ?? '' }, { ...browser, address: '192.0.2.8' }));
  const elsewhere = (at: number) => ({ ...browser, address: at % 2 === 0 ? browser.address : '192.0.2.9' });
  for (let at = 0; at < 2 * ATTEMPT_LIMITS.address.most + 2; at++)
    await withPassword({ name: at < 20 ? 'Ada' : `Name ${at}`, password: 'a guess' }, elsewhere(at));
  expect(await withPassword()).toMatchObject({ outcome: 'wait' });
  later();
  const typed = { password: PASSWORD, code: codeAt(clock.ms) };
  const { id: proven } = inOf(await login.prove(sessionDigest(id), typed));
  later();
  const right = { password: PASSWORD, code: codeAt(clock.ms) };
  const { most, windowMs } = ATTEMPT_LIMITS.account;
  for (let at = 0; at < most; at++)
    expect(await login.prove(sessionDigest(proven), { ...right, password: 'wrong' })).toEqual({ outcome: 'refused' });
  expect(await login.prove(sessionDigest(proven), right)).toMatchObject({ outcome: 'wait' });
  expect(await login.prove(sessionDigest(other.id), right)).toMatchObject({ outcome: 'in' });
  clock.ms += windowMs;
  expect(await login.prove(sessionDigest(proven), { ...right, code: codeAt(clock.ms) })).toMatchObject({
    outcome: 'in',
  });
});

test('what a person logs in with is changed in its own session alone, after a fresh proof', async () => {
  later();
  const { id } = inOf(await withPassword());
  const digest = sessionDigest(id);
  const asSession = operations.as({ kind: 'session', digest });
  const own = logins({ ...parts, operations: asSession });
  // Without the credential of the session, the digest alone changes nothing.
  await expect(login.change(digest, { what: 'codes' })).rejects.toMatchObject({ fault: 'not_proven' });
  clock.ms += FRESH_MS;
  await expect(own.change(digest, { what: 'codes' })).rejects.toMatchObject({ fault: 'not_fresh' });
  await expect(own.change(digest, { what: 'password', password: 'four other words, and' })).rejects.toMatchObject({
    fault: 'not_fresh',
  });
  expect(await archive.session(digest)).not.toBeNull();
  expect(await withPassword({ code: recovery[3] ?? '' })).toMatchObject({ outcome: 'in' });
});

test('a stolen database logs nobody in: nothing of it is what a browser sends', async () => {
  const rows = await archive.query('SELECT digest AS value FROM sessions UNION SELECT value FROM credentials', 100);
  for (const [value] of rows.rows) {
    const text = String(value);
    expect(await archive.session(sessionDigest(text))).toBeNull();
    expect(await login.openLink(text)).toBeNull();
  }
});

test('without the key file, or with another, no code is right; a password alone is nothing', async () => {
  const other = sealOf(createHash('sha256').update('other').digest(), random);
  const lengths = { idleMs: MINUTE, absoluteMs: MINUTE };
  const elsewhere = logins({ archive, operations, passwords, seal: other, clock, random, lengths });
  later();
  const typed = { name: 'Ada', password: PASSWORD, code: codeAt(clock.ms) };
  expect(await elsewhere.withPassword(typed, browser)).toEqual({ outcome: 'refused' });
  const file = join(folder, 'broken.key');
  writeFileSync(file, 'no key');
  expect(() => sealKey(file, random)).toThrow('does not hold 32 bytes');
});

test('two processes that make the key at once have the same one', () => {
  const file = join(folder, 'made.key');
  const keys = [1, 2, 3].map(() => Buffer.from(sealKey(file, random)).toString('hex'));
  expect(new Set(keys).size).toBe(1);
});

test.each([
  [{ host: '127.0.0.1', port: 4603, publicUrl: null }, 'http://127.0.0.1:4603/link/abc'],
  [{ host: '::1', port: 4603, publicUrl: null }, 'http://[::1]:4603/link/abc'],
  [{ host: '0.0.0.0', port: 4603, publicUrl: 'https://pay.example.com/' }, 'https://pay.example.com/link/abc'],
])('the address of a link: %j', (place, address) => expect(linkAddress(place, 'abc')).toBe(address));
