import { createHmac } from 'node:crypto';
import { webhookSecretBytes } from '../domain/forwarding/webhook-secret.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { SECOND_MS } from '../time/clock.ts';

/** The headers of Standard Webhooks. */
export interface SignedHeaders extends Readonly<Record<string, string>> {
  readonly 'webhook-id': string;
  /** Seconds, of the attempt. */
  readonly 'webhook-timestamp': string;
  /** One signature per secret, the first listed first. */
  readonly 'webhook-signature': string;
}

/** Signs the bytes of a request by Standard Webhooks: `id.timestamp.body` under each secret. */
export function signedHeaders(
  webhookId: string,
  body: Uint8Array,
  { secrets, nowMs }: { readonly secrets: readonly Secret[]; readonly nowMs: number },
): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / SECOND_MS));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', webhookSecretBytes(secret.reveal()));
    return `v1,${hmac.update(`${webhookId}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
