import { randomBytes } from 'node:crypto';
import type { KeyPair } from '../../../src/domain/environment.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import type { SampleDelivery } from '../../../src/receive/sample/deliveries.ts';
import { type SampleEvent, sampleBody } from '../../../src/receive/sample/sample.ts';
import { signWebhook } from '../../../src/receive/signature.ts';

/** Deliveries that the sandbox never sends: three forgeries, and one authentic event of an unknown kind. */
export function extraDeliveries(keyPair: KeyPair): SampleDelivery[] {
  const genuine = signed(keyPair, 'refund.success');
  const { payloadSignature: _, ...withoutPayloadSignature } = genuine.headers;
  const altered = Buffer.from(genuine.body.toString().replace('"amount":"50.00"', '"amount":"90.00"'));
  const thief = { ...keyPair, secretKey: new Secret(`sk_test_${randomBytes(16).toString('hex')}`) };
  return [
    { ...genuine, body: altered, expectedStatus: 401 },
    { ...signed(thief, 'payout.successful'), expectedStatus: 401 },
    { ...genuine, headers: withoutPayloadSignature, expectedStatus: 401 },
    signed(keyPair, 'unknown'),
  ];
}

function signed(keyPair: KeyPair, event: SampleEvent): SampleDelivery {
  const reference = `stranger-${event}`;
  const updatedAt = '2026-03-02T12:00:00Z';
  const money = { amountMinor: 5_000n, currency: 'USD' };
  const body = Buffer.from(sampleBody({ event, environment: keyPair.environment, reference, updatedAt, ...money }));
  const headers = { 'Content-Type': 'application/json', timestamp: updatedAt, ...signWebhook(body, keyPair) };
  return { reference, body, headers, expectedStatus: 200 };
}
