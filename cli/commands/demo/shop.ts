import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

// The merchant's application of the demo: it verifies each request, and takes each piece of news once (docs/forwarding.md).

/** What the application took, in the order in which it came. */
export interface TakenNews {
  readonly environment: string;
  readonly kind: string;
  readonly reference: string;
  readonly confirmed: string;
  readonly n: number;
}

export interface Shop {
  readonly url: string;
  /** For the configuration of the target. */
  readonly secret: string;
  readonly taken: readonly TakenNews[];
  /** Requests that it refused: not signed with the secret. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

export async function startShop(): Promise<Shop> {
  const key = randomBytes(32);
  const taken = new Map<string, TakenNews>();
  let refused = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    if (!isSigned(request.headers, body, key)) {
      refused++;
      response.writeHead(401).end();
      return;
    }
    const { environment, kind, reference, confirmed, n } = JSON.parse(body.toString()) as TakenNews;
    const id = String(request.headers['webhook-id']);
    if (!taken.has(id)) taken.set(id, { environment, kind, reference, confirmed, n });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`,
    secret: `whsec_${key.toString('base64')}`,
    get taken() {
      return [...taken.values()];
    },
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Standard Webhooks: HMAC-SHA256 of id, time and body. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, key: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers;
  const made = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')}`);
  return String(given)
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === made.length && timingSafeEqual(one, made));
}
