import type { RequestJournal } from '../../src/domain/requests/request.ts';
import { type Client, type ClientOptions, createClient, memoryJournal } from '../../src/service/index.ts';
import { answer, type Hostile, hostileServer } from './hostile-server.ts';

/** The reaction of a service of raw sockets to one request: a response, or a broken connection. */
export type Reaction = 'cut' | readonly [status: number, body: object | string];

export interface ScriptedService {
  readonly server: Hostile;
  readonly client: Client;
  readonly journal: RequestJournal;
  /** Requests that arrived, such as `POST /api/v1/refund`. */
  arrived(method: 'GET' | 'POST'): string[];
  clientWith(options: Partial<ClientOptions>): Client;
}

/** A service with scripted reactions, and a client without retries and without random delays. */
export async function scriptedService(react: (request: string) => Reaction): Promise<ScriptedService> {
  const server = await hostileServer((socket, request) => {
    const reaction = react(request);
    if (reaction === 'cut') return void socket.resetAndDestroy();
    const [status, body] = reaction;
    socket.write(answer(status, typeof body === 'string' ? body : JSON.stringify(body)));
  });
  const journal = memoryJournal();
  const clientWith = (options: Partial<ClientOptions>) =>
    createClient({
      baseUrl: server.url,
      secretKey: 'sk_test_0123456789abcdef',
      journal,
      timeoutMs: 1_000,
      retries: 0,
      retryDelayMs: 0,
      onWarning: () => {},
      ...options,
    });
  return {
    server,
    client: clientWith({}),
    journal,
    clientWith,
    arrived: (method) => server.requests.filter((request) => request.startsWith(`${method} `)),
  };
}

/** Returns the reactions in their order; the last one repeats. */
export function oneAfterTheOther(...reactions: readonly Reaction[]): () => Reaction {
  let next = 0;
  return () => reactions[Math.min(next++, reactions.length - 1)] ?? 'cut';
}

/** Returns the idempotency key of each of these requests. */
export function keysOf(requests: readonly string[]): (string | undefined)[] {
  return requests.map((request) => /idempotency-key: (\S+)/i.exec(request)?.[1]);
}
