import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { KeyPair } from '../world/records.ts';
import type { Settings } from '../world/settings.ts';
import type { Attempt } from '../world/webhook.ts';

/** Open connections per receiver, twice the lanes of the queue. */
const MAX_SOCKETS = 128;

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

/** Posts webhooks over keep-alive connections. Redirects are not followed; the body of an answer is discarded. */
export class WebhookSender {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  };

  send(url: string, headers: Record<string, string>, body: Buffer, timeoutMs: number): Promise<Omit<Attempt, 'at'>> {
    return new Promise((resolve) => {
      const target = new URL(url);
      const secure = target.protocol === 'https:';
      const request = (secure ? https : http).request(target, {
        method: 'POST',
        agent: this.agents[secure ? 'https:' : 'http:'],
        headers: { ...headers, 'Content-Length': body.length },
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const finish = (outcome: Omit<Attempt, 'at'>) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => finish({ httpStatus: response.statusCode ?? null, error: null }));
        response.on('error', (error) => finish({ httpStatus: null, error: error.message }));
      });
      request.on('error', (error) => finish({ httpStatus: null, error: error.message }));
      request.end(body);
    });
  }

  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
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
