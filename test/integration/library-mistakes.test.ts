import { join } from 'node:path';
import Fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import {
  KeyRings,
  loadConfig,
  openStore,
  openTracking,
  type ReceiverOptions,
  receiver,
  Secret,
  signVerdict,
  signWebhook,
  startTallyhook,
  systemClock,
  TallyhookError,
  type TallyhookOptions,
  verifySignatures,
  verifyVerdict,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/folder.ts';

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

const STORE = ['zone', 'debounceMs', 'clock'];
const FORGET = ['kind', 'environment'];
const RECEIVER: ReceiverOptions = {
  ...{ keyRings: new KeyRings([pair]), clock: systemClock, bodyLimitBytes: 1_000, strict: false },
  keep: async () => {},
  onRefused: () => {},
  bodiesLimitBytes: 2_000,
  onKept: () => {},
  onFailed: () => {},
};
const TALLYHOOK: TallyhookOptions = {
  ...{ config: 'no-such-file.yaml', app: Fastify(), onConfirmed: async () => {} },
  ...{ log: pino({ enabled: false }), unsafeFileSystem: true, onFatal: () => {} },
};
const register: Call = async (options: never) => {
  const app = Fastify();
  await app.register(receiver, options).ready();
};

/** Each function with right arguments, and what in them may be left out. */
const FUNCTIONS: readonly (readonly [string, Call, readonly unknown[], readonly string[]])[] = [
  ['new Secret', construct(Secret), ['text'], []],
  ['new KeyRings', construct(KeyRings), [[pair]], []],
  ['signWebhook', signWebhook as Call, [body, { publicKey: 'pk', secretKey: secret }], []],
  ['verifySignatures', verifySignatures as Call, [body, {}, [pair], { now: 0 }], ['3']],
  ['signVerdict', signVerdict as Call, [verdict, secret], ['reference', 'amount', 'currency']],
  ['verifyVerdict', verifyVerdict as Call, ['token', secret, 0], ['0']],
  ['openStore', openStore as Call, [path, { zone: 'UTC', debounceMs: 1, clock: systemClock }], ['1', ...STORE]],
  ['inbox', openStore(path).inbox as Call, [{ limit: 5, onFatal: () => {} }], []],
  ['openTracking', openTracking as Call, [{ path, clock: systemClock }], ['clock']],
  ['track', tracking.track as Call, [expecting], ['amount', 'currency', 'due']],
  ['forget', tracking.forget as Call, [{ reference: 'P1', kind: 'payout', environment: 'test' }], FORGET],
  ['loadConfig', loadConfig as Call, [{ file: 'tallyhook.yaml', env: {}, cwd: '/' }], ['file', 'env', 'cwd']],
  ['startTallyhook', startTallyhook as Call, [TALLYHOOK], ['log', 'unsafeFileSystem', 'onFatal']],
  ['register(receiver)', register, [RECEIVER], ['bodiesLimitBytes', 'onKept', 'onFailed']],
];

/** A wrong value of the table that this member may have all the same. */
function isRight(name: string, kind: string): boolean {
  if (name === 'notAfter') return kind === 'null';
  if (['strict', 'unsafeFileSystem'].includes(name)) return kind === 'boolean';
  return kind === 'function' && /^(keep|on[A-Z]\w*)$/.test(name);
}

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
      for (const name of Object.keys(whole)) {
        for (const [kind, value] of Object.entries(WRONG)) {
          if (optional.includes(name) && value == null) continue;
          if (isRight(name, kind)) continue;
          const wrong = { ...whole, [name]: value };
          const error = await run(right.with(index, Array.isArray(argument) ? [wrong] : wrong));
          expect([name, kind, error]).toEqual([name, kind, expect.any(TallyhookError)]);
          expect((error as Error).message).toMatch(/ (is|and must be|needs|without) ?/);
        }
      }
    }
  });
});

test.each<[string, () => unknown, string]>([
  ['openStore', () => openStore(path, { timezone: 'UTC' } as never), 'timezone is not known here. Known: zone,'],
  ['inbox', () => openStore(path).inbox({ limits: 5 } as never), 'limits is not known here: did you mean limit?'],
  ['openTracking', () => openTracking({ path, clocks: 5 } as never), 'clocks is not known here: did you mean clock?'],
  ['track', () => tracking.track({ ...expecting, amout: '5' } as never), 'amout is not known here. Known: kind,'],
  ['track', () => tracking.track({ ...expecting, DUE: null } as never), 'DUE is not known here: did you mean due?'],
  [
    'forget',
    () => tracking.forget({ reference: 'P1', env: 'test' } as never),
    'env is not known here: did you mean environment?',
  ],
  ['KeyRings', () => new KeyRings([{ ...pair, NotAfter: null } as never]), 'did you mean notAfter?'],
  ['signVerdict', () => signVerdict({ ...verdict, ref: 'R' } as never, secret), 'did you mean reference?'],
  ['loadConfig', () => loadConfig({ files: 'tallyhook.yaml' } as never), 'files is not known here: did you mean file?'],
  [
    'startTallyhook',
    () => startTallyhook({ ...TALLYHOOK, config: {} } as never),
    'config is an object, and must be the path of a file, or what loadConfig returned.',
  ],
  [
    'receiver',
    () => register({ ...RECEIVER, bodyLimit: 5 } as never),
    'bodyLimit is not known here: did you mean bodyLimitBytes?',
  ],
])('%s refuses a name that it does not know, and says which it knows', async (_name, call, message) => {
  const error = await thrownBy(call);
  expect(error).toBeInstanceOf(TallyhookError);
  expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(message) });
});

test('a receiver or a key pair without its members is refused, and names the first', async () => {
  const app = Fastify();
  await expect((async () => app.register(receiver, undefined as never).ready())()).rejects.toMatchObject({
    name: 'TallyhookError',
    message: 'keyRings is missing, and must be new KeyRings([…]).',
  });
  await register({ ...RECEIVER, prefix: '/hooks' } as never);
  expect(() => new KeyRings([{} as never])).toThrow('publicKey is missing, and must be a text.');
  const nowhere = { ...pair, environment: 'production' } as never;
  expect(() => new KeyRings([nowhere])).toThrow('environment of a key pair is a text, and must be one of');
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
