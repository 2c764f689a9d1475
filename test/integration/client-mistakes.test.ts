import { describe, expect, test } from 'vitest';
import {
  AmountError,
  addAmounts,
  aesCbcCodec,
  type Client,
  compareAmounts,
  createCheckout,
  createClient,
  formatAmount,
  memoryJournal,
  newReference,
  parseAmount,
  RequestRefusedError,
  TallyhookError,
} from '../../src/service/index.ts';
import { checkoutSession, mobileMoney, order, payout } from '../support/sample-requests.ts';
import { scriptedService } from '../support/scripted-service.ts';

// What plain JavaScript lets a caller do against the types: each mistake is refused with its cure before anything is sent,
// and none is a TypeError or RangeError from inside.

/** Values of every kind; `fits` says which of them a field takes. */
const VALUES: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  number: 5,
  NaN: Number.NaN,
  bigint: 5n,
  boolean: true,
  text: 'x',
  empty: '',
  list: [],
  object: {},
  bare: Object.create(null),
  function: () => {},
  symbol: Symbol('x'),
  date: new Date(0),
};
const NO_OBJECT = Object.entries(VALUES).filter(([name]) => !['object', 'bare', 'date'].includes(name)) as [
  string,
  unknown,
][];

const { server, client, clientWith } = await scriptedService(() => [200, { success: true, data: {} }]);
const loose = client as unknown as Record<string, Record<string, (...values: unknown[]) => unknown>>;
const checkout = createCheckout({ baseUrl: server.url, publicKey: 'pk_test_0123456789abcdef', onWarning: () => {} });
const card = { number: '5100000000000008', expiryMonth: '01', expiryYear: '99', cvv: '123' };
const start = checkout.start as (...values: unknown[]) => unknown;

/** Runs a call to its end, a list included, and returns what it threw; null for nothing. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      for await (const _ of result as AsyncIterable<unknown>);
    }
    return null;
  } catch (error) {
    return error;
  }
}

const method =
  (path: string) =>
  (...values: unknown[]) => {
    const [room = '', name = ''] = path.split('.');
    return path === 'checkout.start' ? start(...values) : loose[room]?.[name]?.(...values);
  };

/** The methods that take one object, a request that is right, and the fields that may hold any text or nothing. */
const REQUESTS: readonly (readonly [string, object])[] = [
  [
    'refunds.request',
    { transactionReference: 'TX_1', amount: parseAmount('5'), merchantNote: 'n', idempotencyKey: 'k' },
  ],
  ['payouts.send', { ...payout(), walletCode: 'w' }],
  ['payouts.sendFromWallet', { ...payout(), walletCode: 'w' }],
  ['payouts.verifyAccount', { currency: 'NGN', bankCode: '990001', accountNumber: '0000000001' }],
  ['collections.card', order({ card: 'abcdef', status: 'success', description: 'd', version: 'v1' })],
  ['collections.bankTransfer', order()],
  ['collections.bankTransferToWallet', order({ walletCode: 'w' })],
  ['collections.ussd', order({ bankCode: '1' })],
  ['collections.ussdToWallet', order({ bankCode: '1', walletCode: 'w' })],
  ['collections.mobileMoney', mobileMoney()],
  ['collections.encryptTestCard', { card, reference: 'order-17', version: 'v1' }],
  ['checkout.start', { ...checkoutSession(), phone: '1', paymentOptions: ['card'] }],
];
/** Fields that may be left out. */
const OPTIONAL = ['amount of refunds.request', 'merchantNote', 'idempotencyKey', 'walletCode', 'status', 'description'];
OPTIONAL.push('bankCode of collections.ussd', 'bankCode of collections.ussdToWallet');
OPTIONAL.push('version', 'phone of checkout.start', 'paymentOptions', 'email of collections.mobileMoney');
/** Fields of any text; the others have a form of their own, so that `x` or the empty text is refused as well. */
const isOptional = (field: string, of: string) => OPTIONAL.includes(field) || OPTIONAL.includes(`${field} of ${of}`);

describe.each(REQUESTS)('%s', (path, right) => {
  test.each([...NO_OBJECT, ['an empty object', {}] as const])(
    'of %s is refused, and says what to write',
    async (_, value) => {
      const before = server.requests.length;
      const error = await thrownBy(() => method(path)(value));
      expect(error).toBeInstanceOf(RequestRefusedError);
      expect((error as Error).message).toMatch(/must be|is missing|is \S+, and/);
      expect(server.requests.length).toBe(before);
    },
  );

  test.each(Object.keys(right))('with a wrong %s is refused, and names it', async (field) => {
    for (const [kind, value] of Object.entries(VALUES)) {
      if (typeof value === 'string' || (value === undefined && isOptional(field, path))) continue;
      if (kind === 'list' && field === 'paymentOptions') continue;
      const before = server.requests.length;
      const error = await thrownBy(() => method(path)({ ...right, [field]: value }));
      expect([kind, error]).toEqual([kind, expect.any(RequestRefusedError)]);
      expect([kind, (error as RequestRefusedError).field.split('.')[0]]).toEqual([kind, field]);
      expect(server.requests.length).toBe(before);
    }
  });

  test('with a field that is not known is refused, and names it', async () => {
    const before = server.requests.length;
    const error = await thrownBy(() => method(path)({ ...right, Currenc: 5, refrence: 5 }));
    expect(error).toBeInstanceOf(RequestRefusedError);
    expect(error).toMatchObject({
      field: 'Currenc',
      message: /^Currenc is not known here.* Known: \w+, .*\. Nothing was sent\.$/,
    });
    expect(server.requests.length).toBe(before);
  });

  test('with wrong options is refused', async () => {
    if (!/send|collections\.(?!encrypt)/.test(path)) return;
    for (const options of [null, 5, 'resend', [], { resend: 'yes' }, { resend: null }, { Resend: true }]) {
      expect(await thrownBy(() => method(path)(right, options))).toBeInstanceOf(RequestRefusedError);
    }
  });
});

test.each(['refunds.status', 'payouts.status', 'collections.verify'])(
  '%s of anything but a text is refused',
  async (path) => {
    for (const [kind, value] of Object.entries(VALUES)) {
      if (kind === 'text') continue;
      const error = await thrownBy(() => method(path)(value));
      expect([kind, error]).toEqual([kind, expect.any(RequestRefusedError)]);
    }
  },
);

test('payouts.banks and refunds.list refuse wrong values', async () => {
  for (const [kind, value] of Object.entries(VALUES)) {
    if (value === undefined) continue;
    expect([kind, await thrownBy(() => method('payouts.banks')(value))]).toEqual([
      kind,
      expect.any(RequestRefusedError),
    ]);
    for (const name of ['maxPages', 'maxItems', 'onPage', 'onUnreadable', 'retry', 'from']) {
      if ((name === 'maxPages' || name === 'maxItems') && kind === 'number') continue;
      if (typeof value === (name === 'from' ? 'string' : 'function')) continue;
      const error = await thrownBy(() => method('refunds.list')({ [name]: value }));
      expect([name, kind, error]).toEqual([name, kind, expect.any(RequestRefusedError)]);
    }
  }
  for (const [kind, value] of NO_OBJECT.filter(([name]) => name !== 'undefined')) {
    expect([kind, await thrownBy(() => method('refunds.list')(value))]).toEqual([
      kind,
      expect.any(RequestRefusedError),
    ]);
  }
});

test('amounts: a number in place of a text or an Amount is refused with what to write', async () => {
  const wrong = Object.entries(VALUES);
  for (const [kind, value] of wrong) {
    const one = parseAmount('1.00');
    for (const call of [
      () => parseAmount(value as string),
      () => formatAmount(value as never),
      () => addAmounts(one, value as never),
      () => compareAmounts(value as never, one),
    ]) {
      expect([kind, await thrownBy(call)]).toEqual([kind, expect.any(AmountError)]);
    }
  }
  expect(await thrownBy(() => parseAmount(5 as never))).toMatchObject({ message: /parseAmount\("5\.00"\)/ });
  const request = { transactionReference: 'TX_1', amount: 5 as never };
  expect(await thrownBy(() => client.refunds.request(request))).toMatchObject({
    message: 'amount is a number, and must be an Amount: parseAmount("5.00") makes one. Nothing was sent.',
  });
});

describe('createClient and createCheckout', () => {
  const keys: Readonly<Record<string, object>> = {
    createClient: { secretKey: 'sk_test_0123456789abcdef' },
    createCheckout: { publicKey: 'pk_test_0123456789abcdef' },
  };
  const create = { createClient, createCheckout } as unknown as Record<string, (options: unknown) => Client>;
  const FUNCTIONS = ['onWarning', 'nowMs'];
  const OPTIONS = [...FUNCTIONS, 'journal', 'timeZone', 'codec', 'proven', 'paths', 'signal', 'timeoutMs', 'retries'];

  test.each(Object.keys(create))('%s without its options, or with a wrong one, says what to write', async (name) => {
    for (const [kind, value] of [...NO_OBJECT, ['an empty object', {}] as const]) {
      const error = await thrownBy(() => create[name]?.(value));
      expect([kind, error]).toEqual([kind, expect.any(TallyhookError)]);
      expect([kind, error]).toMatchObject([kind, { kind: 'configuration', message: /must be|is missing/ }]);
    }
    const right = { baseUrl: server.url, ...keys[name] };
    const wrong = { kind: 5n, text: Symbol('x'), list: [5], object: { begin: 5 } };
    for (const option of [...OPTIONS, 'baseUrl', name === 'createClient' ? 'secretKey' : 'publicKey']) {
      for (const [kind, value] of Object.entries(wrong)) {
        const error = await thrownBy(() => create[name]?.({ ...right, [option]: value }));
        if (option === 'paths' && kind === 'object') continue;
        expect([option, kind, error]).toEqual([option, kind, expect.any(TallyhookError)]);
      }
    }
  });

  test.each([
    [
      'createClient',
      { timeoutMS: 5 },
      'timeoutMS is not known here: did you mean timeoutMs? Known: baseUrl, secretKey,',
    ],
    ['createClient', { timeout: 5 }, 'timeout is not known here: did you mean timeoutMs?'],
    ['createClient', { apiKey: 'x' }, 'apiKey is not known here. Known: baseUrl,'],
    ['createClient', { paths: { payouts: '/x' } }, 'payouts is not known here: did you mean payout?'],
    [
      'createCheckout',
      { secretKey: 'sk_test_0123456789abcdef' },
      'secretKey is not known here. Known: baseUrl, publicKey,',
    ],
  ])('%s refuses the unknown option %j', async (name, option, message) => {
    const error = await thrownBy(() => create[name]?.({ baseUrl: server.url, ...keys[name], ...option }));
    expect(error).toBeInstanceOf(TallyhookError);
    expect(error).toMatchObject({ kind: 'configuration', message: expect.stringContaining(message) });
    expect((error as Error).message).not.toContain('sk_test_0');
  });

  test('a status check, a list and a journal refuse an option that is not known', async () => {
    for (const [call, message] of [
      [() => client.refunds.status('R', { curency: 'USD' } as never), 'curency is not known here. Known: currency.'],
      [() => method('refunds.list')({ maxpages: 1 }), 'maxpages is not known here: did you mean maxPages?'],
      [() => memoryJournal({ most: 1 } as never), 'most is not known here: did you mean mostKept?'],
    ] as const) {
      const error = await thrownBy(call);
      expect(error).toBeInstanceOf(RequestRefusedError);
      expect((error as Error).message).toContain(message);
    }
  });

  test('options that are undefined or left out have their defaults', () => {
    const undefinedOptions = Object.fromEntries(OPTIONS.map((option) => [option, undefined]));
    expect(clientWith(undefinedOptions).environment).toBe('test');
  });
});

test('the other functions refuse wrong values with an error of their own', async () => {
  for (const [kind, value] of NO_OBJECT) {
    if (value !== undefined) {
      expect([kind, await thrownBy(() => memoryJournal(value as never))]).toEqual([kind, expect.any(TallyhookError)]);
    }
    expect([kind, await thrownBy(() => aesCbcCodec(value as never))]).toEqual([kind, expect.any(TallyhookError)]);
    if (value === undefined || kind === 'text' || kind === 'empty') continue;
    expect([kind, await thrownBy(() => newReference(value as never))]).toEqual([kind, expect.any(TallyhookError)]);
  }
});

describe('a new reference', () => {
  const references = ['7', 'order-17', 'INV-2026-0017', 'x'.repeat(255), '...'];
  test.each(references)('may be of 1 to 255 characters: %s', async (reference) => {
    const sent = payout({ reference });
    const { client: accepting } = await scriptedService(() => [
      200,
      { success: true, data: { reference, status: 'pending', amount: '1500.50', currency: 'NGN' } },
    ]);
    expect(await accepting.payouts.send(sent)).toMatchObject({ payout: { reference } });
  });

  test.each(['', '.', '..', 'x'.repeat(256), 'a b', 'a/b', 'ä', 'INV#17', 'a\n'])(
    '%j is refused by the rule',
    async (reference) => {
      expect(await thrownBy(() => client.payouts.send(payout({ reference })))).toMatchObject({
        name: 'RequestRefusedError',
        message: `reference is ${JSON.stringify(reference.slice(0, 80))}, and must be a text of 1 to 255 letters, digits, dots, dashes or underscores. Nothing was sent.`,
      });
    },
  );
});

describe('fields that the interface does not show', () => {
  const request = order({ reference: 'order-of-a-further-field' });

  test('are sent as they are, under their own names', async () => {
    const before = server.requests.length;
    await client.collections
      .ussd({ ...request, fields: { bank_of_payer: '058', Zone: 'West' } } as never)
      .catch(() => {});
    const [sent = ''] = server.requests.slice(before);
    expect(JSON.parse(sent.slice(sent.indexOf('{')))).toMatchObject({ bank_of_payer: '058', Zone: 'West' });
    expect(sent).not.toContain('bankCode');
  });

  test.each<[unknown, string]>([
    [{ amount: '9.00' }, 'fields.amount'],
    [{ card: '4000000000000002' }, 'fields.card'],
    [{ wallet_code: 'w' }, 'fields.wallet_code'],
    [{ bank: 58 }, 'fields.bank'],
    [{ bank: '' }, 'fields.bank'],
    ['bank=058', 'fields'],
    [null, 'fields'],
  ])('are refused where they are none: %j', async (fields, field) => {
    const before = server.requests.length;
    const error = await thrownBy(() => client.collections.ussd({ ...request, fields } as never));
    expect(error).toBeInstanceOf(RequestRefusedError);
    expect(error).toMatchObject({ field });
    expect(server.requests.length).toBe(before);
  });
});

test.each(['send', 'sendFromWallet'] as const)(
  'payouts.%s without a journal is refused, as a refund is',
  async (name) => {
    const before = server.requests.length;
    const forgetful = clientWith({ journal: null });
    const error = await thrownBy(() => forgetful.payouts[name](payout({ reference: 'payout-without-a-journal' })));
    expect(error).toMatchObject({
      name: 'JournalRequiredError',
      message: expect.stringContaining('A payout needs a journal'),
    });
    expect(await thrownBy(() => forgetful.refunds.request({ transactionReference: 'T1' }))).toMatchObject({
      message: expect.stringContaining('A refund needs a journal'),
    });
    expect(server.requests.length).toBe(before);
  },
);
