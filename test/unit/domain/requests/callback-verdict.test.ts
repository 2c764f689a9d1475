import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENTS } from '../../../../src/domain/environment.ts';
import { LIFECYCLES } from '../../../../src/domain/records/lifecycle.ts';
import {
  signVerdict,
  VERDICTS,
  type Verdict,
  verdictOf,
  verifyVerdict,
} from '../../../../src/domain/requests/callback-verdict.ts';
import { Secret } from '../../../../src/domain/secrets/secret.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const SECRET = 'a secret of the verdicts, 32 or more';
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const PAID: Verdict = {
  verdict: 'success',
  environment: 'live',
  reference: 'order-1',
  amount: '1000.50',
  currency: 'NGN',
  expiresAtMs: NOW_MS + 600_000,
};

const text = fc
  .oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 60 }))
  .filter((one) => one.isWellFormed());
const verdicts: fc.Arbitrary<Verdict> = fc.record({
  verdict: fc.constantFrom(...VERDICTS),
  environment: fc.constantFrom(...ENVIRONMENTS),
  reference: fc.option(text),
  amount: fc.option(text),
  currency: fc.option(text),
  expiresAtMs: fc.integer({ min: NOW_MS / 1_000 + 1, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
});

describe('what was signed', () => {
  test('comes back as it was, from characters that any URL carries, and for its time only', () => {
    fc.assert(
      fc.property(verdicts, fc.nat(10_000_000), (verdict, afterMs) => {
        const token = signVerdict(verdict, new Secret(SECRET));
        expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
        expect(verifyVerdict(token, SECRET, verdict.expiresAtMs - 1)).toEqual({ ok: true, verdict });
        expect(verifyVerdict(token, SECRET, verdict.expiresAtMs + afterMs)).toEqual({ ok: false, reason: 'expired' });
      }),
    );
  });

  test('is refused once a single character is another, is missing or is added', () => {
    fc.assert(
      fc.property(verdicts, fc.nat(), fc.constantFrom(...'AQgwZ09_-.='), fc.nat(2), (verdict, at, other, how) => {
        const token = signVerdict(verdict, new Secret(SECRET));
        const place = at % token.length;
        const tampered = token.slice(0, place) + (how === 1 ? '' : other) + token.slice(place + (how === 2 ? 0 : 1));
        fc.pre(tampered !== token);
        expect(verifyVerdict(tampered, SECRET, NOW_MS).ok).toBe(false);
      }),
      { numRuns: randomRuns(2_000) },
    );
  });

  test('is refused under any other secret', () => {
    fc.assert(
      fc.property(verdicts, fc.string({ minLength: 32, maxLength: 80 }), (verdict, other) => {
        fc.pre(other !== SECRET);
        const token = signVerdict(verdict, new Secret(SECRET));
        expect(verifyVerdict(token, other, NOW_MS)).toEqual({ ok: false, reason: 'forged' });
      }),
    );
  });
});

test('the other spellings of one signature in base64url do not pass', () => {
  const token = signVerdict(PAID, new Secret(SECRET));
  const bytes = Buffer.from(token.split('.')[2] ?? '', 'base64url');
  const twins = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => token.slice(0, -1) + last)
    .filter((twin) => Buffer.from(twin.split('.')[2] ?? '', 'base64url').equals(bytes));
  expect(twins.length).toBe(4);
  expect(twins.filter((twin) => verifyVerdict(twin, SECRET, NOW_MS).ok)).toEqual([token]);
});

const part = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
const signedAs = (header: object, payload: unknown) => {
  const content = `${part(header)}.${part(payload)}`;
  return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
};
const HEADER = { alg: 'HS256', typ: 'verdict+jwt' };
const { expiresAtMs, ...rest } = PAID;
const PAYLOAD = { iss: 'tallyhook', exp: expiresAtMs / 1_000, ...rest };

test('the token is what RFC 7515 and 7519 say, byte for byte', () => {
  expect(signVerdict(PAID, new Secret(SECRET))).toBe(signedAs(HEADER, PAYLOAD));
});

test.each([
  ['nothing', undefined, 'malformed'],
  ['two of them', ['a.b.c', 'a.b.c'], 'malformed'],
  ['an empty text', '', 'malformed'],
  ['too long a text', `${'a'.repeat(5_000)}.b.c`, 'malformed'],
  ['no signature', `${part({ alg: 'none' })}.${part(PAYLOAD)}.`, 'malformed'],
  ['the algorithm none', `${part({ alg: 'none', typ: 'verdict+jwt' })}.${part(PAYLOAD)}.x`, 'forged'],
  ['another algorithm under our signature', signedAs({ ...HEADER, alg: 'HS512' }, PAYLOAD), 'malformed'],
  ['another type of token under our secret', signedAs({ ...HEADER, typ: 'JWT' }, PAYLOAD), 'malformed'],
  ['another issuer', signedAs(HEADER, { ...PAYLOAD, iss: 'shop' }), 'malformed'],
  ['no expiry', signedAs(HEADER, { ...PAYLOAD, exp: null }), 'malformed'],
  ['an unknown verdict', signedAs(HEADER, { ...PAYLOAD, verdict: 'paid' }), 'malformed'],
  ['an amount that is a number', signedAs(HEADER, { ...PAYLOAD, amount: 1000.5 }), 'malformed'],
  ['an unknown environment', signedAs(HEADER, { ...PAYLOAD, environment: 'prod' }), 'malformed'],
  ['a reference that is a number', signedAs(HEADER, { ...PAYLOAD, reference: 1 }), 'malformed'],
  ['a currency that is missing', signedAs(HEADER, { ...PAYLOAD, currency: undefined }), 'malformed'],
  ['an expiry within a second', signedAs(HEADER, { ...PAYLOAD, exp: expiresAtMs / 1_000 + 0.5 }), 'malformed'],
  ['an expiry as text', signedAs(HEADER, { ...PAYLOAD, exp: `${expiresAtMs / 1_000}` }), 'malformed'],
  ['4,096 characters', `${'a'.repeat(4_092)}.b.c`, 'forged'],
  ['4,097 characters', `${'a'.repeat(4_093)}.b.c`, 'malformed'],
  ['no object', signedAs(HEADER, null), 'malformed'],
  ['a text in place of an object', signedAs(HEADER, 'paid'), 'malformed'],
])('%s is refused with its reason alone', (_name, token, reason) => {
  expect(verifyVerdict(token, SECRET, NOW_MS)).toEqual({ ok: false, reason });
});

test('a short secret is refused with any token', () => {
  expect(() => verifyVerdict('x', 'short', NOW_MS)).toThrow(/at least 32 characters/);
  expect(() => verifyVerdict('x', '', NOW_MS)).toThrow(/at least 32 characters/);
});

test('a secret is text of 32 characters, with at least 8 different ones', () => {
  expect(verifyVerdict('x', 'abcdefgh'.padEnd(31, 'z').padEnd(32, 'y'), NOW_MS).ok).toBe(false);
  expect(() => verifyVerdict('x', 'abcdefgh'.padEnd(31, 'z'), NOW_MS)).toThrow(/at least 32 characters/);
  expect(() => verifyVerdict('x', undefined as unknown as string, NOW_MS)).toThrow(
    expect.objectContaining({ kind: 'configuration', message: 'The secret of the verdicts must be text.' }),
  );
});

test('an expiry is cut to whole seconds', () => {
  const check = verifyVerdict(
    signVerdict({ ...PAID, expiresAtMs: NOW_MS + 1_999 }, new Secret(SECRET)),
    SECRET,
    NOW_MS,
  );
  expect(check).toMatchObject({ ok: true, verdict: { expiresAtMs: NOW_MS + 1_000 } });
});

test('every status of a collection has a verdict, and only a payment that arrived is a success', () => {
  const of = (status: string | null, disputed = false) => verdictOf({ status, disputed });
  const statuses = LIFECYCLES.collection.ranks.flat();
  expect(statuses.map((status) => [status, of(status)])).toEqual([
    ['pending', 'pending'],
    ['cancelled', 'failed'],
    ['abandoned', 'failed'],
    ['failed', 'failed'],
    ['success', 'success'],
    ['completed', 'success'],
    ['reversed', 'failed'],
  ]);
  expect([of('on_its_way'), of(null), verdictOf(null)]).toEqual(['pending', 'pending', 'unknown']);
  expect([of('success', true), of('completed', true), of('failed', true)]).toEqual(['pending', 'pending', 'failed']);
});

test.each<[string, object, string]>([
  ['a member that is not known', { ...PAID, amout: '5' }, 'amout is not known here'],
  [
    'another verdict',
    { ...PAID, verdict: 'paid' },
    'verdict is a text, and must be one of success, failed, pending, unknown.',
  ],
  ['another environment', { ...PAID, environment: 'prod' }, 'environment is a text, and must be one of test, live.'],
  ['a reference that is no text', { ...PAID, reference: 5 }, 'reference is a number, and must be a text or null.'],
  ['no amount', { ...PAID, amount: undefined }, 'amount is missing, and must be a text or null.'],
  ['a currency that is no text', { ...PAID, currency: ['NGN'] }, 'currency is a list, and must be a text or null.'],
  [
    'no end',
    { ...PAID, expiresAtMs: Number.NaN },
    'expiresAtMs is a number, and must be a number of milliseconds since 1970.',
  ],
])('a verdict with %s is not signed', (_case, verdict, message) => {
  const sign = () => signVerdict(verdict as Verdict, new Secret(SECRET));
  expect(sign).toThrow(expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }));
});

test('a verdict is signed with a Secret, and is an object', () => {
  expect(() => signVerdict(PAID, SECRET as unknown as Secret)).toThrow(
    "secret is a text, and must be a Secret: new Secret('…').",
  );
  expect(() => signVerdict(null as unknown as Verdict, new Secret(SECRET))).toThrow(
    "verdict is null, and must be an object: signVerdict({ verdict: 'success', … }, new Secret('…')).",
  );
});

test('a token is not judged without a time', () => {
  const token = signVerdict(PAID, new Secret(SECRET));
  expect(() => verifyVerdict(token, SECRET, Number.NaN)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: 'nowMs is a number, and must be a number of milliseconds since 1970.',
    }),
  );
});

test('signed text that is no JSON is malformed', () => {
  const [header = ''] = signVerdict(PAID, new Secret(SECRET)).split('.');
  for (const payload of ['{', 'null', '7', '{}']) {
    const content = `${header}.${Buffer.from(payload).toString('base64url')}`;
    const signature = createHmac('sha256', SECRET).update(content).digest('base64url');
    expect(verifyVerdict(`${content}.${signature}`, SECRET, NOW_MS)).toEqual({ ok: false, reason: 'malformed' });
  }
});
