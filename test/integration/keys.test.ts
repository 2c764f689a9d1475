import { afterEach, expect, test } from 'vitest';
import { FixedClock } from '../support/fixed-clock.ts';
import { type RawRequest, rawRequest } from '../support/raw-http.ts';
import { keyPairOf, type ReceiverSetup, startReceiver, type TestReceiver } from '../support/receiver.ts';
import { LIVE_KEYS, signed, TEST_KEYS } from '../support/signer.ts';

let receiver: TestReceiver;
const start = async (setup: ReceiverSetup = {}) => {
  receiver = await startReceiver(setup);
};
afterEach(() => receiver.stop());

const BODY_OF = {
  refund: (reference: string) => `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`,
  payout: (reference: string) => `{"notify":"payout","notifyType":"failed","data":{"reference":"${reference}"}}`,
  'collection A': (reference: string) =>
    `{"notify":"transaction","notifyType":"successful","data":{"reference":"${reference}"}}`,
  'collection B': (reference: string) => `{"event":"transaction","data":{"reference":"${reference}"}}`,
  'collection C': (reference: string) => `{"type":"payment.failed","data":{"reference":"${reference}"}}`,
  unknown: (reference: string) => `{"event":"news","data":{"reference":"${reference}"}}`,
  unreadable: (reference: string) => `{"event":"refund.pending","event":"${reference}"}`,
} as const;
type Kind = keyof typeof BODY_OF;

/** The status of the answer; what was answered 200 is carried out. */
async function send(body: string, headers: Record<string, string>, path = '/webhooks/test'): Promise<number> {
  const request: RawRequest = { path, headers: Object.entries(headers), body };
  const { status } = await rawRequest(receiver.url, request);
  if (status === 200) await receiver.carriedOut();
  return status;
}

/** Kind, strict, merchantSignature absent, present and wrong. */
const MERCHANT_SIGNATURE: [Kind, boolean, number, number][] = [
  ['refund', false, 401, 401],
  ['payout', false, 401, 401],
  ['collection A', false, 200, 401],
  ['collection B', false, 200, 401],
  ['collection C', false, 200, 401],
  ['unknown', false, 200, 401],
  ['unreadable', false, 200, 401],
  ['refund', true, 401, 401],
  ['payout', true, 401, 401],
  ['collection A', true, 401, 401],
  ['unknown', true, 401, 401],
  ['unreadable', true, 401, 401],
];

test.each([false, true])(
  'the answers without a merchantSignature and with a wrong one, by kind (strict %s)',
  async (strict) => {
    await start({ limits: { strict } });
    for (const [kind, , absent, wrong] of MERCHANT_SIGNATURE.filter((row) => row[1] === strict)) {
      const body = BODY_OF[kind](kind);
      const { payloadSignature } = signed(body);
      const merchantSignature = signed(body, LIVE_KEYS).merchantSignature;
      expect([kind, await send(body, { payloadSignature, merchantSignature })]).toEqual([kind, wrong]);
      expect([kind, await send(body, { payloadSignature })]).toEqual([kind, absent]);
      const kept = receiver.rows('SELECT merchant_signature FROM events ORDER BY id DESC LIMIT 1');
      if (absent === 200) expect([kind, kept]).toEqual([kind, [{ merchant_signature: 'absent' }]]);
      const before = receiver.rows('SELECT * FROM events').length;
      expect([kind, await send(body, signed(body))]).toEqual([kind, 200]);
      expect(receiver.rows('SELECT * FROM events').length).toBe(absent === 200 ? before : before + 1);
    }
  },
);

const OLD_KEYS = { publicKey: 'pk_test_before', secretKey: 'sk_test_before_the_rotation' };
const pairs = [keyPairOf('new', TEST_KEYS), keyPairOf('old', OLD_KEYS, '2026-01-08T00:00:00.000Z')];

test('during a rotation both pairs verify, each signature under its own pair; after notAfter only the new one', async () => {
  const clock = new FixedClock(Date.parse('2026-01-07T23:59:59Z'));
  await start({ keyPairs: pairs, clock });
  const [first, second] = [BODY_OF.refund('R1'), BODY_OF.refund('R2')];
  expect(await send(first, signed(first, OLD_KEYS))).toBe(200);
  expect(await send(second, signed(second, TEST_KEYS))).toBe(200);
  const mixed = { ...signed(first, OLD_KEYS), merchantSignature: signed(first, TEST_KEYS).merchantSignature };
  expect(await send(first, mixed)).toBe(401);

  clock.ms = Date.parse('2026-01-08T00:00:00.001Z');
  expect(await send(first, signed(first, OLD_KEYS))).toBe(401);
  expect(await send(first, signed(first, TEST_KEYS))).toBe(200);

  expect(receiver.rows('SELECT reference, key_id, deliveries FROM events ORDER BY id')).toEqual([
    { reference: 'R1', key_id: 'old', deliveries: 2 }, // a redelivery under the new pair is the same event
    { reference: 'R2', key_id: 'new', deliveries: 1 },
  ]);
});

test('reloaded keys count from the next delivery on, and deliveries in flight pass under either', async () => {
  await start({ keyPairs: [keyPairOf('old', OLD_KEYS)] });
  const statuses: number[] = [];
  let isReloaded = false;
  const stream = (async () => {
    for (let index = 0, after = 0; after < 20; index++, after += isReloaded ? 1 : 0) {
      const body = BODY_OF.refund(`S${index}`);
      statuses.push(await send(body, signed(body, OLD_KEYS)));
    }
  })();
  const body = BODY_OF.refund('R1');
  expect(await send(body, signed(body, TEST_KEYS))).toBe(401);
  receiver.app.reloadKeys([keyPairOf('new', TEST_KEYS), keyPairOf('old', OLD_KEYS)]);
  isReloaded = true;
  expect(await send(body, signed(body, TEST_KEYS))).toBe(200);
  await stream;
  expect(new Set(statuses)).toEqual(new Set([200]));
  receiver.app.reloadKeys([keyPairOf('new', TEST_KEYS)]);
  expect(await send(body, signed(body, OLD_KEYS))).toBe(401);
});

test('keys that cannot be used leave the old ones in place', async () => {
  await start();
  const short = keyPairOf('short', { publicKey: 'pk_test_x', secretKey: 'sk_test_' });
  expect(() => receiver.app.reloadKeys([short])).toThrow(/too short/);
  const body = BODY_OF.refund('R1');
  expect(await send(body, signed(body))).toBe(200);
});

test('on the shared path the pair that verifies decides the environment', async () => {
  await start();
  const body = BODY_OF.payout('P1');
  expect(await send(body, signed(body, TEST_KEYS), '/webhooks')).toBe(200);
  expect(await send(body, signed(body, LIVE_KEYS), '/webhooks')).toBe(200);
  expect(await send(body, signed(body, LIVE_KEYS), '/webhooks/live')).toBe(200);
  expect(receiver.rows('SELECT environment, key_id, deliveries FROM events ORDER BY id')).toEqual([
    { environment: 'test', key_id: 'test-1', deliveries: 1 },
    { environment: 'live', key_id: 'live-1', deliveries: 2 },
  ]);
});

test('without keys for an environment its path refuses everything', async () => {
  await start({ keyPairs: [keyPairOf('test-1', TEST_KEYS)] });
  const body = BODY_OF.payout('P1');
  expect(await send(body, signed(body, LIVE_KEYS), '/webhooks/live')).toBe(401);
  expect(await send(body, signed(body, TEST_KEYS), '/webhooks/live')).toBe(401);
});
