import { expect, test } from 'vitest';
import { signVerdict, verifyVerdict } from '../../../src/domain/requests/callback-verdict.ts';
import { keyRing, signWebhook } from '../../../src/receive/signature.ts';
import { countingCrypto } from '../../support/count-comparisons.ts';
import { testKeyPair } from '../../support/key-pairs.ts';

const PAIRS = ['one', 'two', 'three', 'four'].map((id) => testKeyPair(id));
const BODY = Buffer.from('{"event":"refund.success"}');

const lowered = ({ payloadSignature, merchantSignature }: ReturnType<typeof signWebhook>) => ({
  payloadsignature: payloadSignature,
  merchantsignature: merchantSignature,
});

test.each([...PAIRS.map(({ id }) => id), 'unknown'])(
  'a delivery signed by the pair %s costs one HMAC and three comparisons in constant time for every pair',
  async (id) => {
    const ring = keyRing(PAIRS);
    const headers = lowered(signWebhook(BODY, PAIRS.find((pair) => pair.id === id) ?? testKeyPair('stranger')));
    let ok: boolean | undefined;
    const calls = await countingCrypto(() => {
      ({ ok } = ring.verify(BODY, headers, 0));
    });
    expect(ok).toBe(id !== 'unknown');
    expect(calls).toEqual({ createHmac: PAIRS.length, timingSafeEqual: 3 * PAIRS.length });
  },
);

test('the signature of a verdict is compared in constant time, whether it fits or not', async () => {
  const verdict = {
    verdict: 'success',
    environment: 'test',
    reference: 'R1',
    amount: '5.00',
    currency: 'NGN',
  } as const;
  const secret = testKeyPair('with-a-secret-of-some-length').secretKey;
  const token = signVerdict({ ...verdict, expiresAtMs: 10_000 }, secret);
  const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const [one, ok] of [
    [token, true],
    [forged, false],
  ] as const) {
    const calls = await countingCrypto(() => expect(verifyVerdict(one, secret, 0).ok).toBe(ok));
    expect(calls).toEqual({ createHmac: 1, timingSafeEqual: 1 });
  }
});
