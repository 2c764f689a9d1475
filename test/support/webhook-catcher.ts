import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Caught {
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: webhook bodies of several shapes
  readonly body: any;
}

/** A receiver for tests: keeps what arrives and responds as the test sets it. */
export async function catchWebhooks(answer: (caught: Caught, count: number) => number | 'hang' = () => 200) {
  const caught: Caught[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const { rawHeaders, headers } = request;
      const one = { rawHeaders, headers, raw, body: JSON.parse(raw.toString()) };
      caught.push(one);
      const status = answer(one, caught.length);
      if (status !== 'hang') response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/test`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, caught, close };
}

export function hmac(secret: string, content: Buffer | string): string {
  return createHmac('sha512', secret).update(content).digest('hex');
}
