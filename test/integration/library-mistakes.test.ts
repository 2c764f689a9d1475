import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  KeyRings,
  openStore,
  openTracking,
  Secret,
  signVerdict,
  signWebhook,
  TallyhookError,
  verifySignatures,
  verifyVerdict,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/receiver.ts';

// What plain JavaScript lets a caller of the library do against the types: each mistake is a TallyhookError that names the argument,
// and none is a TypeError or RangeError from inside.

/** A value of every kind, none of which fits. */
const WRONG: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  bigint: 5n,
  boolean: true,
  list: [5],
  function: () => {},
  symbol: Symbol('x'),
};

const secret = new Secret('sk_test_0123456789abcdef0123456789abcdef');
const pair = { id: 'test-1', environment: 'test', publicKey: 'pk_test_1', secretKey: secret, notAfter: null } as const;
const body = Buffer.from('{}');
const verdict = {
  verdict: 'success',
  environment: 'test',
  reference: 'R',
  amount: null,
  currency: null,
  expiresAtMs: 1,
};
const expecting = {
  kind: 'payout',
  environment: 'test',
  reference: 'P1',
  amount: '5.00',
  currency: 'NGN',
  due: new Date(0),
};
const path = join(temporaryFolder(), 'tallyhook.db');
const tracking = await openTracking({ path });
afterAll(() => tracking.close());

type Call = (...values: never[]) => unknown;
const construct =
  (Class: new (value: never) => unknown): Call =>
  (value) =>
    new Class(value);

/** Each function with right arguments, and what in them may be left out. */
const FUNCTIONS: readonly (readonly [string, Call, readonly unknown[], readonly string[]])[] = [
  ['new Secret', construct(Secret), ['text'], []],
  ['new KeyRings', construct(KeyRings), [[pair]], []],
  ['signWebhook', signWebhook as Call, [body, { publicKey: 'pk', secretKey: secret }], []],
  ['verifySignatures', verifySignatures as Call, [body, {}, [pair], { now: 0 }], ['3']],
  [
    'signVerdict',
    signVerdict as Call,
    [verdict, secret],
    ['verdict', 'environment', 'reference', 'amount', 'currency'],
  ],
  ['verifyVerdict', verifyVerdict as Call, ['token', secret, 0], ['0']],
  ['openStore', openStore as Call, [path, {}], ['1']],
  ['openTracking', openTracking as Call, [{ path }], []],
  ['track', tracking.track as Call, [expecting], ['amount', 'currency', 'due']],
  ['forget', tracking.forget as Call, [{ reference: 'P1' }], []],
];

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

describe.each(FUNCTIONS)('%s', (_name, call, right, optional) => {
  const run = (values: readonly unknown[]) => thrownBy(() => call(...(values as never[])));

  test('with a wrong argument is refused', async () => {
    for (const [index] of right.entries()) {
      for (const [kind, value] of Object.entries(WRONG)) {
        if (optional.includes(String(index)) && (index === 0 || value === undefined)) continue;
        expect([index, kind, await run(right.with(index, value))]).toEqual([index, kind, expect.any(TallyhookError)]);
      }
    }
  });

  test('with a wrong member of an argument is refused', async () => {
    for (const [index, argument] of right.entries()) {
      const whole = Array.isArray(argument) ? argument[0] : argument;
      if (Object.getPrototypeOf(whole) !== Object.prototype) continue;
      for (const name of Object.keys(whole).filter((each) => !['environment', 'notAfter'].includes(each))) {
        for (const [kind, value] of Object.entries(WRONG)) {
          if (optional.includes(name) && (call === (signVerdict as Call) || value == null)) continue;
          const wrong = { ...whole, [name]: value };
          const error = await run(right.with(index, Array.isArray(argument) ? [wrong] : wrong));
          expect([name, kind, error]).toEqual([name, kind, expect.any(TallyhookError)]);
          expect((error as Error).message).toMatch(/ (is|and must be|needs|without) ?/);
        }
      }
    }
  });
});

test('an error names the argument, its kind and what to write, never the value', async () => {
  expect(await thrownBy(() => signWebhook('text' as never, pair))).toMatchObject({
    kind: 'usage',
    message: 'rawBody is a text, and must be the bytes as they were received: a Buffer.',
  });
  const plain = { ...pair, secretKey: 'sk_test_plain' as never };
  expect(await thrownBy(() => new KeyRings([plain]))).toMatchObject({
    message: "secretKey is a text, and must be a Secret: new Secret('sk_test_…').",
  });
});
