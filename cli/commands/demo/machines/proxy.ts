import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What stands before several receivers. */
export interface Proxy {
  readonly url: string;
  readonly counts: ProxyCounts;
  readonly close: () => void;
}

export interface ProxyCounts {
  /** Requests that came. */
  readonly came: number;
  /** Requests that a machine answered 200. */
  readonly acknowledged: number;
  /** Tries on another machine, because one did not answer or answered 503. */
  readonly again: number;
}

/** Headers of one connection, or that the next request gets anew. */
const OF_CONNECTION = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/**
 * Starts a proxy on the loopback: each request goes to the next of the machines, and to another one where that does not answer or answers 503,
 * as nginx does with `proxy_next_upstream`. `onRequest` is called with the number of each request, before it is passed on.
 */
export async function startProxy(urls: () => readonly string[], onRequest: (number: number) => void): Promise<Proxy> {
  const counts = { came: 0, acknowledged: 0, again: 0 };

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    onRequest(++counts.came);
    const machines = urls();
    let last = 503;
    for (let tried = 0; tried < machines.length; tried++) {
      const machine = machines[(counts.came + tried) % machines.length];
      if (tried > 0) counts.again++;
      try {
        const headers = passedOn(request.headers);
        const answer = await fetch(`${machine}${request.url}`, { method: request.method ?? 'POST', headers, body });
        last = answer.status;
        const text = await answer.text();
        if (last === 503) continue;
        if (last === 200) counts.acknowledged++;
        response.writeHead(last, { 'content-type': 'application/json' }).end(text);
        return;
      } catch {
        last = 502; // it is gone: the next one is tried
      }
    }
    response.writeHead(last).end();
  }

  const server = createServer((request, response) => void passOn(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_CONNECTION.includes(name) ? [] : [[name, String(value)]],
    ),
  );
}
