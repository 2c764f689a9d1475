import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import { SECRET, secretOf } from './consumer-secret.ts';

export { SECRET, secretOf };

export interface Taken {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they arrived. */
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a payload as a consumer parses it
  readonly news: any;
  /** Null: the signature verified, by another implementation than ours. */
  readonly refusal: string | null;
  /** What was answered. */
  status: number;
}

export interface Consumer {
  readonly url: string;
  /** Every request, the refused ones too. */
  readonly taken: readonly Taken[];
  /** News that was answered 2xx. */
  readonly accepted: readonly Taken[];
}

/** Status, headers and body of an answer; `hang` never answers. */
export type Reply =
  | number
  | 'hang'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** An application that verifies with `standardwebhooks`, and answers as `reply` says. It ends with the test file. */
export async function startConsumer(
  reply: (taken: Taken, count: number) => Reply | Promise<Reply> = () => 204,
  secret = SECRET,
): Promise<Consumer> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const raw = Buffer.concat(chunks).toString();
      const headers = request.headers;
      const one: Taken = {
        id: String(headers['webhook-id']),
        headers,
        raw,
        news: JSON.parse(raw),
        refusal: refusalOf(secret, raw, headers),
        status: 0,
      };
      taken.push(one);
      const answer = await reply(one, taken.length);
      if (answer === 'hang') return;
      const { status, headers: more = {}, body = '' } = typeof answer === 'number' ? { status: answer } : answer;
      one.status = status;
      response.writeHead(status, more).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    taken,
    get accepted() {
      return taken.filter(({ status }) => status >= 200 && status < 300);
    },
  };
}

function refusalOf(secret: string, raw: string, headers: IncomingHttpHeaders): string | null {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return null;
  } catch (error) {
    return String(error);
  }
}
