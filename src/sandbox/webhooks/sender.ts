import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { KeyPair } from '../world/records.ts';
import type { Settings } from '../world/settings.ts';
import type { Attempt } from '../world/webhook.ts';

/** Open connections per receiver, twice the lanes of the queue. */
const MAX_SOCKETS = 128;
/** An answer longer than this closes its connection. */
const MOST_DISCARDED_BYTES = 1024 * 1024;

/** The headers of interface 6.1: signatures over exactly these bytes, timestamp and content type. */
export function signatureHeaders(
  body: Buffer,
  pair: KeyPair,
  nowMs: number,
  settings: Pick<Settings, 'headerCase' | 'timestampHeader'>,
): Record<string, string> {
  const headers = {
    payloadSignature: createHmac('sha512', pair.secretKey).update(body).digest('hex'),
    merchantSignature: merchantSignature(pair),
    timestamp: timestamp(nowMs, settings.timestampHeader),
    'Content-Type': 'application/json',
  };
  if (settings.headerCase === 'given') return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Posts webhooks over keep-alive connections. Redirects are not followed; only the status of a response counts. */
export class WebhookSender {
  private readonly agent = new Agent({ connections: MAX_SOCKETS, allowH2: false });

  async send(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    timeoutMs: number,
  ): Promise<Omit<Attempt, 'at'>> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, { dispatcher: this.agent, method: 'POST', headers, body, signal });
      await response.body.dump({ limit: MOST_DISCARDED_BYTES, signal });
      return { httpStatus: response.statusCode, error: null };
    } catch (error) {
      const text = signal.aborted ? `no answer within ${timeoutMs} ms` : String((error as Error).message);
      return { httpStatus: null, error: text };
    }
  }

  close(): void {
    void this.agent.destroy();
  }
}

const merchantSignatures = new WeakMap<KeyPair, string>();

/** The HMAC of the public key. It is the same for every webhook of a pair, so it is computed once. */
function merchantSignature(pair: KeyPair): string {
  const known = merchantSignatures.get(pair);
  if (known) return known;
  const made = createHmac('sha512', pair.secretKey).update(pair.publicKey).digest('hex');
  merchantSignatures.set(pair, made);
  return made;
}

function timestamp(nowMs: number, style: Settings['timestampHeader']): string {
  if (style === 'iso') return new Date(nowMs).toISOString();
  return String(style === 'epoch_s' ? Math.floor(nowMs / 1000) : nowMs);
}
