import { afterAll, expect, test } from 'vitest';
import { aesCbcCodec } from '../../src/domain/requests/payload-codec.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';
import { startReceiver } from '../support/receiver.ts';

const KEY = '00112233445566778899aabbccddeeff'.repeat(2);
const IV = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const codec = aesCbcCodec({ keyHex: KEY, ivHex: IV });
const refund = (refundReference: string) =>
  JSON.stringify({
    event: 'refund.success',
    data: { refund_reference: refundReference, status: 'success', amount: '5.00', updated_at: '2026-11-20T10:00:00Z' },
  });
const wrapped = (data: string) => JSON.stringify({ data });

const receiver = await startReceiver({ encryption: { key: new Secret(KEY), iv: new Secret(IV) } });
const plain = await startReceiver();
afterAll(() => Promise.all([receiver.stop(), plain.stop()]));

const refundsOf = (at: typeof receiver) =>
  at.rows<{ reference: string }>('SELECT reference FROM refunds ORDER BY reference');

test('an encrypted webhook is decrypted after its signature is verified; a plain one is read too', async () => {
  const base64 = Buffer.from(codec.encode(refund('R-2')), 'hex').toString('base64');
  for (const body of [wrapped(codec.encode(refund('R-1'))), wrapped(base64), refund('R-3')]) {
    expect((await receiver.post('/webhooks/test', body)).status).toBe(200);
  }
  await receiver.carriedOut();
  expect(refundsOf(receiver).map(({ reference }) => reference)).toEqual(['R-1', 'R-2', 'R-3']);
});

test('a webhook encrypted with another key, or without a configured key, is kept as unknown', async () => {
  const foreign = aesCbcCodec({ keyHex: 'f'.repeat(64), ivHex: IV }).encode(refund('R-4'));
  expect((await receiver.post('/webhooks/test', wrapped(foreign))).status).toBe(200);
  expect((await plain.post('/webhooks/test', wrapped(codec.encode(refund('R-5'))))).status).toBe(200);
  await Promise.all([receiver.carriedOut(), plain.carriedOut()]);
  expect(refundsOf(receiver)).toHaveLength(3);
  expect(refundsOf(plain)).toEqual([]);
  expect(plain.rows("SELECT id FROM events WHERE state <> 'observed'")).toHaveLength(1);
});
